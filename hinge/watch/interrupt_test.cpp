#include "hinge/watch/interrupt.h"

#include <gtest/gtest.h>

namespace hinge {
namespace {

TEST(Interrupt, OneInsideAnotherKnowsWhatWasNoted) {
  {
    const Interrupt outer;
    EXPECT_EQ(outer.by(), "");
    std::raise(SIGTERM);
    const Interrupt inner;
    EXPECT_TRUE(inner.to_terminate());
    EXPECT_EQ(inner.by(), "a signal to terminate");
  }
  const Interrupt later;
  EXPECT_EQ(later.by(), "");
}

TEST(Interrupt, TheOuterOneNotesAfterTheInnerOneHasEnded) {
  const Interrupt outer;
  { const Interrupt inner; }
  std::raise(SIGINT);
  EXPECT_EQ(outer.by(), "Ctrl-C");
  EXPECT_FALSE(outer.to_terminate());
}

}  // namespace
}  // namespace hinge
