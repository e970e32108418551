#include "hinge/watch/checkpoints.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/solvers/lbfgs.h"
#include "hinge/solvers/soft_dual.h"
#include "tests/support/complaint.h"
#include "tests/support/rank_share.h"
#include "tests/support/scattered_chains.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thread_ranks.h"

namespace hinge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLarge = 200'000;  // bytes: ranks write parts of them

// A training of one number, which writes a checkpoint at each step.
class Counting {
 public:
  explicit Counting(Ranks* ranks = nullptr, std::size_t bytes = 8)
      : checkpoints_(nlohmann::json{{"version", "1"}}, ranks), padding_(bytes, 'x') {}

  // Returns how many checkpoints were skipped; -1: there was none.
  int resume(const std::string& folder) {
    const std::optional<std::size_t> skipped = checkpoints_.resume(folder);
    return skipped ? static_cast<int>(*skipped) : -1;
  }
  // The number before the first step.
  int run(const std::string& folder, int steps, double share = 1) {
    checkpoints_.write_to(folder, 0, share);
    const Keeper::Level level(&checkpoints_);
    checkpoints_.has([&](Snapshot& snapshot) { snapshot(number_, padding_); });
    const int first = number_;
    for (int k = 0; k < steps; ++k) {
      ++number_;
      checkpoints_.point();
    }
    return first;
  }

 private:
  Checkpoints checkpoints_;
  int number_ = 0;
  std::string padding_;
};

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class CheckpointsTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string kept_ = folder_.path("kept");
};

TEST_F(CheckpointsTest, AreTheLastTwo) {
  EXPECT_EQ(Counting().run(kept_, 5), 0);
  EXPECT_EQ(names_in(kept_), (std::vector<std::string>{"checkpoint-000004", "checkpoint-000005"}));
  Counting later;
  EXPECT_EQ(later.resume(kept_), 0);
  EXPECT_EQ(later.run(kept_, 1), 5);
}

// Steps that take no time are kept now and then alone, where writing may take a thousandth of the time.
TEST_F(CheckpointsTest, TakeAShareOfTheTime) {
  Counting().run(kept_, 200, 0.001);
  EXPECT_LE(std::stoi(names_in(kept_).back().substr(11)), 20);
}

// What was not written to its end is of no use, and must not push out what is.
TEST_F(CheckpointsTest, AreTheLastTwoThatAreWhole) {
  for (const bool cut : {false, true}) {
    fs::remove_all(kept_);
    Counting().run(kept_, 3);
    if (cut)
      fs::resize_file(kept_ + "/checkpoint-000003/shard-000.bin", 5);
    else
      fs::remove(kept_ + "/checkpoint-000003/manifest.json");
    Counting later;
    EXPECT_EQ(later.resume(kept_), 1);
    EXPECT_EQ(later.run(kept_, 1), 2);
    EXPECT_EQ(names_in(kept_), (std::vector<std::string>{"checkpoint-000002", "checkpoint-000004"}));
  }
}

TEST_F(CheckpointsTest, OfRanksAreOneFolder) {
  for (const std::size_t bytes : {std::size_t{8}, kLarge}) {
    fs::remove_all(kept_);
    on_ranks(3, [&](Ranks& ranks) { Counting(&ranks, bytes).run(kept_, 4); });
    EXPECT_EQ(names_in(kept_), (std::vector<std::string>{"checkpoint-000003", "checkpoint-000004"}));
    on_ranks(2, [&](Ranks& ranks) {
      Counting later(&ranks, bytes);
      EXPECT_EQ(later.resume(kept_), 0);
      EXPECT_EQ(later.run(kept_, 1), 4);
    });
  }
}

// Two machines whose disks have the folder's name.
TEST_F(CheckpointsTest, OfRanksWithFoldersOfTheirOwnAreRefused) {
  on_ranks(2, [&](Ranks& ranks) {
    const std::string own = folder_.path("of-rank-" + std::to_string(ranks.rank()));
    const std::string refused = complaint([&] { Counting(&ranks).run(own, 1); });
    EXPECT_NE(refused.find("is another folder on rank 1 than on rank 0: give a folder"), std::string::npos)
        << refused;
    EXPECT_EQ(names_in(own), std::vector<std::string>{});
  });
}

TEST_F(CheckpointsTest, ThatRanksFindDifferentOnesOfAreRefused) {
  Counting().run(folder_.path("kept-0"), 3);
  for (const int steps : {0, 2}) {
    if (steps > 0) Counting().run(folder_.path("kept-1"), steps);
    on_ranks(2, [&](Ranks& ranks) {
      const std::string own = folder_.path("kept-" + std::to_string(ranks.rank()));
      const std::string refused = complaint([&] { Counting(&ranks).resume(own); });
      EXPECT_NE(refused.find("holds other checkpoints on rank 1 than on rank 0: give a folder"),
                std::string::npos)
          << refused;
    });
  }
}

// One of several ranks is to end, in the middle of a pass: all leave one checkpoint there and stop, and one process goes on from it.
TEST_F(CheckpointsTest, AreLeftInTheMiddleOfAPassByAllRanks) {
  constexpr std::size_t kPieces = 8;
  const ScatteredChains chains(false, 0);
  const TaskOracle all(*chains.task, chains.examples);
  Lbfgs sums;
  SoftDual waves;
  waves.settings.batch = 6;
  waves.settings.gap = sums.settings.gap = 1e-5;
  for (const Solver* solver : {static_cast<const Solver*>(&sums), static_cast<const Solver*>(&waves)}) {
    RankedExecutor alone(std::make_unique<SerialExecutor>(), nullptr, kPieces);
    const auto learn = [&](Executor& executor, Keeper* keeper) {
      Objective objective(all, Formulation::named("crf"), 30, executor);
      return solver->descend(objective, {}, Observer().keeping(keeper));
    };
    const Summary whole = learn(alone, nullptr);
    const JsonValue about = nlohmann::json{{"version", "1"}};
    for (std::size_t calls = 5; calls < whole.oracle_calls; calls += whole.oracle_calls / 6) {
      SCOPED_TRACE(fmt::format("{} {}", solver->name(), calls));
      fs::remove_all(kept_);
      on_ranks(3, [&](Ranks& ranks) {
        RankShare share(all, kPieces, ranks);
        Objective objective(all, Formulation::named("crf"), 30, share.executor);
        Checkpoints kept(about, &ranks);
        kept.write_to(kept_, 1e9);
        ranks.set_wish([&] {
          if (ranks.rank() != 1 || objective.oracle_calls() < calls || kept.left()) return false;
          kept.ask_to_leave();
          return kept.still();
        });
        const Summary part = solver->descend(
            objective, {}, Observer({}, [&] { return ranks.stops() || kept.left(); }).keeping(&kept));
        EXPECT_TRUE(kept.left());
        EXPECT_EQ(part.termination, Termination::stopped);
        ranks.set_wish({});
      });
      EXPECT_EQ(names_in(kept_), std::vector<std::string>{"checkpoint-000001"});
      Checkpoints later(about);
      EXPECT_EQ(later.resume(kept_), 0u);
      const Summary found = learn(alone, &later);
      EXPECT_EQ(found.weights, whole.weights);
      EXPECT_EQ(found.oracle_calls, whole.oracle_calls);
    }
  }
}

}  // namespace
}  // namespace hinge
