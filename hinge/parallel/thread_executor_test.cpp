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

// Each piece is followed once, in order, after its body, by one thread at a time.
TEST_P(Threads, FollowPiecesInOrder) {
  ThreadExecutor executor(GetParam());
  for (std::size_t count : {0, 1, 2, 3, 16, 500}) {
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<int> done(count, 0);
      std::vector<std::size_t> order;
      std::atomic<int> inside = 0;
      std::atomic<std::size_t> looked = 0;
      executor.run_in_order(
          count, [&](std::size_t) { ++looked; },
          [&](std::size_t piece) {
            if (repeat % 50 == 0 && piece % 3 == 0)
              std::this_thread::sleep_for(std::chrono::microseconds(50));
            ++done[piece];
          },
          [&](std::size_t piece) {
            EXPECT_EQ(inside++, 0);
            EXPECT_EQ(looked, count);
            EXPECT_EQ(done[piece], 1);
            order.push_back(piece);
            --inside;
          });
      std::vector<std::size_t> expected(count);
      std::iota(expected.begin(), expected.end(), std::size_t{0});
      ASSERT_EQ(order, expected) << count << " pieces";
    }
  }
}

// While the last body is at work what comes after the first is done: else the two would wait for each other.
TEST(ThreadExecutor, FollowsWhileLaterPiecesAreAtWork) {
  ThreadExecutor executor(2);
  std::atomic<bool> followed = false;
  std::atomic<int> arrived = 0;  // so that each thread has looked at a piece
  executor.run_in_order(
      2,
      [&](std::size_t) {
        ++arrived;
        while (arrived < 2) std::this_thread::yield();
      },
      [&](std::size_t piece) {
        while (piece == 1 && !followed) std::this_thread::yield();
      },
      [&](std::size_t piece) { followed = followed || piece == 0; });
  EXPECT_TRUE(followed);
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

// Nothing follows a piece that failed, nor those above it, whichever step failed.
TEST_P(Threads, FollowNothingThatFailed) {
  ThreadExecutor executor(GetParam());
  for (int repeat = 0; repeat < 100; ++repeat) {
    const int bad = repeat % 3;
    std::vector<std::size_t> order;
    const auto step = [bad](int number) {
      return [bad, number](std::size_t piece) {
        if (bad == number && piece >= 40) throw OwnTrouble("piece", piece);
      };
    };
    try {
      executor.run_in_order(100, step(0), step(1), [&](std::size_t piece) {
        step(2)(piece);
        order.push_back(piece);
      });
      FAIL() << "nothing was thrown";
    } catch (const OwnTrouble& trouble) {
      EXPECT_EQ(trouble.piece, 40u);
    }
    ASSERT_LE(order.size(), 40u);
    for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(order[k], k);
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
    std::size_t next = 0;
    executor.run_in_order(
        calls.size(), [](std::size_t) {},
        [&](std::size_t piece) {
          if (round % 100 == 1 && piece == 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        },
        [&](std::size_t piece) { EXPECT_EQ(piece, next++); });
    EXPECT_EQ(next, calls.size());
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
