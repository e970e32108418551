#include "hinge/core/char_marks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hinge/core/random.h"

namespace hinge {
namespace {

// Texts of every length around the 64 bytes of a block, each in memory of its own size: a byte behind it would be
// noticed by the sanitizer.
TEST(CharMarks, FindsWhatALoopOverBytesFinds) {
  Random random(1);
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<char> bytes(size);
    for (char& c : bytes) c = "\t ab\0\x89"[random.below(6)];
    std::vector<std::size_t> expected, found;
    for (std::size_t k = 0; k < size; ++k)
      if (bytes[k] == '\t' || bytes[k] == ' ') expected.push_back(k);
    for_each_char<'\t', ' '>({bytes.data(), size}, [&](std::size_t k) { found.push_back(k); });
    EXPECT_EQ(found, expected) << size;
  }
}

}  // namespace
}  // namespace hinge
