#include "hinge/learning/limits.h"

#include <gtest/gtest.h>

#include <thread>

namespace hinge {
namespace {

// Counts the rounds that it is told, and ends the run when it has seen `last`.
struct Counter {
  int seen = 0;
  int last = 1000;

  Observer observer() {
    return [this](const Progress&) { return ++seen < last; };
  }
};

TEST(Limits, TimeEndsARun) {
  Counter counter;
  const Observer observer = time_limit(0.05, counter.observer());
  EXPECT_TRUE(observer({}));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_FALSE(observer({}));
  EXPECT_EQ(counter.seen, 2);
  EXPECT_FALSE(time_limit(0)({}));
  EXPECT_TRUE(time_limit(1e9)({}));
}

TEST(Limits, AFlagEndsARun) {
  std::atomic<bool> flag = false;
  Counter counter;
  const Observer observer = stop_when(flag, counter.observer());
  EXPECT_TRUE(observer({}));
  flag = true;
  EXPECT_FALSE(observer({}));
  EXPECT_EQ(counter.seen, 2);
}

TEST(Limits, AnAbsoluteGapEndsARun) {
  const Observer observer = gap_limit(0.5);
  Progress progress;
  EXPECT_TRUE(observer(progress));  // no bounds yet
  progress.primal = 10;
  EXPECT_TRUE(observer(progress));
  progress.dual = 9.25;
  EXPECT_TRUE(observer(progress));
  progress.dual = 9.5;
  EXPECT_FALSE(observer(progress));
}

TEST(Limits, TheInnerObserverMayEndItToo) {
  std::atomic<bool> flag = false;
  Counter counter{.last = 2};
  const Observer observer = time_limit(1e9, stop_when(flag, gap_limit(0.5, counter.observer())));
  EXPECT_TRUE(observer({}));
  EXPECT_FALSE(observer({}));
}

}  // namespace
}  // namespace hinge
