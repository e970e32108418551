#include "hinge/parallel/thread_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

class Threads : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Workers, Threads, testing::Values(1, 2, 7), testing::PrintToStringParamName());

TEST_P(Threads, RunEveryPieceOnce) {
  ThreadExecutor executor(GetParam());
  EXPECT_EQ(executor.workers(), GetParam());
  for (std::size_t count : {0, 1, 2, 3, 31, 64, 1000, 5003}) {
    std::vector<int> calls(count, 0);
    executor.run(count, [&](std::size_t piece) { ++calls[piece]; });
    EXPECT_EQ(calls, std::vector<int>(count, 1)) << count << " pieces";
  }
}

TEST_P(Threads, ServeManySmallRuns) {
  ThreadExecutor executor(GetParam());
  std::size_t sum = 0;
  std::vector<std::size_t> values(5);
  for (std::size_t round = 0; round < 2000; ++round) {
    executor.run(values.size(), [&](std::size_t piece) { values[piece] = round + piece; });
    sum += std::accumulate(values.begin(), values.end(), std::size_t{0});
  }
  EXPECT_EQ(sum, 5u * (1999u * 2000u / 2) + 10u * 2000u);
}

struct OwnTrouble : std::runtime_error {
  OwnTrouble(const std::string& what, std::size_t where) : std::runtime_error(what), piece(where) {}
  std::size_t piece;
};

TEST_P(Threads, BringBackTheExceptionOfTheLowestPiece) {
  ThreadExecutor executor(GetParam());
  const std::set<std::size_t> failing = {417, 418, 700, 999};
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<int> calls(1000, 0);
    try {
      executor.run(calls.size(), [&](std::size_t piece) {
        ++calls[piece];
        if (failing.contains(piece)) throw OwnTrouble("piece " + std::to_string(piece), piece);
      });
      FAIL() << "nothing was thrown";
    } catch (const OwnTrouble& trouble) {
      EXPECT_EQ(trouble.piece, 417u);
      EXPECT_STREQ(trouble.what(), "piece 417");
    }
    for (std::size_t piece = 0; piece <= 417; ++piece) ASSERT_EQ(calls[piece], 1) << piece;
  }
}

TEST_P(Threads, WorkAfterAFailure) {
  ThreadExecutor executor(GetParam());
  EXPECT_THROW(executor.run(100, [](std::size_t) { throw 5; }), int);
  std::atomic<int> calls = 0;
  executor.run(100, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 100);
}

TEST_P(Threads, RunInsideAPiece) {
  ThreadExecutor executor(GetParam());
  std::vector<int> calls(12 * 10, 0);
  executor.run(12, [&](std::size_t outer) {
    executor.run(10, [&](std::size_t inner) { ++calls[outer * 10 + inner]; });
  });
  EXPECT_EQ(calls, std::vector<int>(120, 1));
}

TEST(ThreadExecutor, UsesEveryWorker) {
  ThreadExecutor executor(3);
  std::atomic<int> arrived = 0;
  executor.run(3, [&](std::size_t) {  // ends only when three threads are inside at once
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3);
}

// Pieces that last longer than threads look for work by themselves, runs after all have fallen asleep, and other
// threads that want every core: nothing is lost, done twice or waited for in vain.
TEST(ThreadExecutor, ServesRunsOfAllLengthsBesideOtherLoad) {
  std::atomic<bool> stop = false;
  std::vector<std::jthread> others;
  for (unsigned k = 0; k < 2 * std::thread::hardware_concurrency(); ++k)
    others.emplace_back([&] {
      while (!stop) std::this_thread::yield();
    });
  ThreadExecutor executor(4);
  std::vector<int> calls(16);
  for (int round = 0; round < 300; ++round) {
    executor.run(calls.size(), [&](std::size_t piece) {
      ++calls[piece];
      if (round % 100 == 0 && piece == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
    if (round % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  stop = true;
  EXPECT_EQ(calls, std::vector<int>(16, 300));
}

TEST(MakeExecutor, CountsWorkers) {
  EXPECT_EQ(make_executor(1)->workers(), 1u);
  EXPECT_EQ(make_executor(4)->workers(), 4u);
  EXPECT_EQ(make_executor(0)->workers(), std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace hinge
