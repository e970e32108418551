// What people read while something runs, on standard error.
#pragma once

#include <string_view>

namespace hinge {

void print_note(std::string_view text);

}  // namespace hinge
