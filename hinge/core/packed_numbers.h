// Numbers on their way to another rank, to the last bit. Many sums have few different numbers: a subgradient of margins counts
// features, so that its numbers are C/n times small integers. Such a row goes as a table and one or two bytes a number:
//
//     [how many different: 4 bytes] [these: 8 bytes each] [which of them: 1 byte each, or 2 above 256]
//
// where that is shorter; else as 0 and the numbers as they are. How many there are is known to who reads them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hinge/core/vector.h"

namespace hinge {

std::string packed(std::span<const double> numbers);
// So many, from the front of `bytes`, which are then gone from there.
Vector unpack_numbers(std::string_view& bytes, std::size_t count);

}  // namespace hinge
