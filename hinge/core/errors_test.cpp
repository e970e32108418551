#include "hinge/core/errors.h"

#include <gtest/gtest.h>

namespace hinge {
namespace {

TEST(Errors, ShowControlCharactersOfWhatTheyQuote) {
  const std::string found("a\0b\x1b[2J\x7f é\n", 12);
  try {
    fail_at("data.svm", 3, "the label '{}' is odd.", found);
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "data.svm:3: the label 'a\\x00b\\x1b[2J\\x7f é\n' is odd.");
    return;
  }
  FAIL() << "nothing was thrown";
}

// Python cannot make a message of other bytes.
TEST(Errors, AreUtf8WhateverTheyQuote) {
  const auto shown = [](const std::string& found) { return std::string(InputError(found).what()); };
  for (const char* letters :
       {"é", "日本", "\xf0\x9f\x8c\xb2", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf", "\xc2\x80"})
    EXPECT_EQ(shown(letters), letters);
  EXPECT_EQ(shown("'\xc3' of é"), "'\\xc3' of é");
  EXPECT_EQ(shown("caf\xe9 1:1"), "caf\\xe9 1:1");
  EXPECT_EQ(shown("a\xe6\x97"), "a\\xe6\\x97");                  // cut off
  EXPECT_EQ(shown("\xc0\xaf"), "\\xc0\\xaf");                    // two bytes for what takes one
  EXPECT_EQ(shown("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");           // three for two
  EXPECT_EQ(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(shown("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last
  EXPECT_EQ(shown("\xff\x80x"), "\\xff\\x80x");
}

}  // namespace
}  // namespace hinge
