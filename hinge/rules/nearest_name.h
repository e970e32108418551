// The name that somebody may have meant: the one with the fewest letters put in, left out, changed or swapped.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hinge {

// Empty where none is near: more than a third of the letters would have to change, and case is not the cause.
std::string nearest_name(std::string_view name, std::span<const std::string> names);

}  // namespace hinge
