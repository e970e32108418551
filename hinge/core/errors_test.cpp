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

}  // namespace
}  // namespace hinge
