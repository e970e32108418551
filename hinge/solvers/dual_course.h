// What soft_dual goes by, whether ranks share its visits (shared_dual.cpp) or not: first steps, what rounding hides, and when
// a pass is enough.
#pragma once

#include <cstddef>

namespace hinge {

inline constexpr double kFirstStep = 0.5, kLeastStep = 1e-6, kMostStep = 0.95;
// Of the numbers that a change of D is made from, in double; and where counts are kept in single precision, since w
// follows those.
inline constexpr double kRounding = 1e-13, kKeptRounding = 1e-9;
inline constexpr double kKept =
    1e-5;  // for gaps below it counts are not kept: their rounding would be in the way
inline constexpr int kTries = 5, kIdle = 50;
inline constexpr double kLeastChance = 0.2;
// The gap as a share of the one seen in a pass, whose parts were seen before it ended.
inline constexpr double kHope = 0.8, kDoubt = 1.5;
inline constexpr std::size_t kLooks = 4;  // at the gap seen, in a pass

}  // namespace hinge
