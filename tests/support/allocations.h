// How often this program has asked for memory by `new` so far; for tests of loops that must not.
#pragma once

#include <cstddef>

namespace hinge {

std::size_t allocations();

}  // namespace hinge
