// How often this program has asked for memory by `new` so far; for tests of loops that must not.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

namespace hinge {

std::size_t allocations();

// f may allocate the first `times` times, and nothing then.
template <class F>
void expect_no_allocations(const F& f, int times = 1) {
  while (times-- > 0) f();
  const std::size_t before = allocations();
  f();
  EXPECT_EQ(allocations(), before);
}

}  // namespace hinge
