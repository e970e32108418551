// Ranks that share the visits of soft_dual come to the bits of one process, and keep potentials of their own examples alone.
#include "hinge/solvers/shared_dual.h"

#include <gtest/gtest.h>

#include "hinge/core/alone.h"
#include "hinge/core/errors.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/solvers/cccp.h"
#include "hinge/solvers/potentials.h"
#include "hinge/training/solver_choice.h"
#include "tests/support/memory_keeper.h"
#include "tests/support/rank_share.h"
#include "tests/support/scattered_chains.h"

namespace hinge {
namespace {

constexpr std::size_t kPieces = 8;
constexpr std::size_t kSizes[] = {2, 5};

std::unique_ptr<Solver> solver_in_waves(int batch, const std::string& room) {
  auto made = std::make_unique<SoftDual>();
  made->settings.batch = batch;
  made->settings.gap = 1e-4;
  made->settings.room = room;
  return std::make_unique<Cccp>(std::move(made));
}

// Along a path of two C.
Summary learn(const Oracle& oracle, Executor& executor, const std::string& room, Keeper* keeper) {
  Objective objective(oracle, Formulation::named("hcrf"), 10, executor);
  const auto solver = solver_in_waves(12, room);
  const Observer observer = Observer().keeping(keeper);
  Summary first = solver->descend(objective, {}, observer);
  objective.set_C(30);
  return solver->descend(objective, {first.weights, nullptr, first.potentials}, observer);
}

TEST(SharedDual, LearnsWithTheBitsOfOne) {
  for (const bool hidden : {false, true}) {
    const std::string room = hidden ? "full" : "small";
    const ScatteredChains chains(hidden, 0);
    const TaskOracle all(*chains.task, chains.examples);
    RankedExecutor alone(std::make_unique<SerialExecutor>(), nullptr, kPieces);
    MemoryKeeper kept;
    const Summary one = learn(all, alone, room, &kept);
    EXPECT_EQ(one.termination, Termination::converged) << one.message;
    ASSERT_GE(kept.states.size(), 6u);
    for (const std::size_t size : kSizes)
      on_ranks(size, [&](Ranks& ranks) {
        RankShare share(all, kPieces, ranks);
        for (const Oracle* const oracle :
             {static_cast<const Oracle*>(&all), static_cast<const Oracle*>(&share.spread)}) {
          MemoryKeeper here, early(kept.states[2]), late(kept.states[kept.states.size() - 2]);
          for (Keeper* const keeper : {&here, &early, &late, static_cast<MemoryKeeper*>(nullptr)}) {
            const Summary found = learn(*oracle, share.executor, room, keeper);
            EXPECT_EQ(found.weights, one.weights) << hidden << room << size;
            EXPECT_EQ(found.primal, one.primal);
            EXPECT_EQ(found.dual, one.dual);
            EXPECT_EQ(found.iterations, one.iterations);
            EXPECT_EQ(found.oracle_calls, one.oracle_calls);
            ASSERT_NE(found.potentials, nullptr);
            for (std::size_t i = 0; i < all.size(); ++i)
              EXPECT_EQ(found.potentials->theta[i].empty(), std::ranges::count(share.own, i) == 0) << i;
          }
          // What ranks keep is whole: one process goes on from it.
          if (ranks.rank() != 0) continue;
          RankedExecutor by_itself(std::make_unique<SerialExecutor>(), nullptr, kPieces);
          MemoryKeeper later(here.states[2]);
          EXPECT_EQ(learn(all, by_itself, room, &later).weights, one.weights);
        }
      });
  }
}

// Ranks look at their own examples alone, and at as many each.
TEST(SharedDual, SharesTheVisits) {
  struct Counting final : ForwardingOracle {
    explicit Counting(const Oracle& oracle) : ForwardingOracle(oracle) {}
    std::unique_ptr<Parts> parts(const Query& query) const override {
      struct Counted final : Parts {
        std::unique_ptr<Parts> behind;
        std::vector<std::size_t>& looks;
        Counted(std::unique_ptr<Parts> parts, std::vector<std::size_t>& to)
            : behind(std::move(parts)), looks(to) {}
        std::span<const double> look(std::size_t i, Weights w) override {
          ++looks[i];
          return behind->look(i, w);
        }
        SoftValue solve(std::span<const double> theta, std::span<double> counts) override {
          return behind->solve(theta, counts);
        }
        double loss(std::span<const double> counts) const override { return behind->loss(counts); }
        double clamped(Weights w, std::span<double> counts) override { return behind->clamped(w, counts); }
        double pour(std::span<const double> counts, double factor, std::span<double> w,
                    const double* share) override {
          return behind->pour(counts, factor, w, share);
        }
      };
      auto made = behind_.parts(query);
      if (made == nullptr) return made;
      return std::make_unique<Counted>(std::move(made), looks);
    }
    mutable std::vector<std::size_t> looks = std::vector<std::size_t>(size());
  };
  const ScatteredChains chains(false, 0);
  const TaskOracle all(*chains.task, chains.examples);
  on_ranks(4, [&](Ranks& ranks) {
    RankShare share(all, kPieces, ranks);
    const Counting counting(all);
    Objective objective(counting, Formulation::named("crf"), 30, share.executor);
    SoftDual solver;
    solver.settings.batch = 12;
    solver.solve(objective, {}, {});
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(counting.looks[i] > 0, std::ranges::count(share.own, i) == 1) << i;
  });
}

// What one rank's examples do not allow, all refuse.
TEST(SharedDual, IsRefusedByAllRanks) {
  struct Rough final : ForwardingOracle {
    using ForwardingOracle::ForwardingOracle;
    bool may_approximate(std::size_t i, const Query&) const override { return i == 0; }
  };
  const ScatteredChains chains(false, 0);
  const TaskOracle all(*chains.task, chains.examples);
  const Rough rough(all);
  on_ranks(3, [&](Ranks& ranks) {
    RankShare share(rough, kPieces, ranks);
    EXPECT_EQ(share.spread.may_approximate(0, {}), ranks.rank() == 0);
    Objective objective(share.spread, Formulation::named("crf"), 30, share.executor);
    EXPECT_THROW(SoftDual().solve(objective, {}, {}), InputError);
  });
}

// Nobody asked for waves: ranks share visits where these are dear beside what they tell of them, and where no rank has all
// examples.
TEST(SharedDual, IsWhatRanksDoWhereItPays) {
  const ScatteredChains chains(false, 0);
  const TaskOracle all(*chains.task, chains.examples);
  struct Dear final : ForwardingOracle {
    using ForwardingOracle::ForwardingOracle;
    double work(std::size_t) const override { return 1e7; }
  };
  const Dear dear(all);
  const auto batch = [](const Oracle& oracle, std::size_t ranks, int asked) {
    SoftDual solver;
    solver.settings.batch = asked;
    set_usual_batch(solver, {"soft_dual", "", ""}, oracle, Formulation::named("crf"), ranks);
    return solver.settings.batch;
  };
  EXPECT_EQ(batch(dear, 1, 0), 0);
  EXPECT_EQ(batch(all, 1, 0), 0);
  EXPECT_EQ(batch(all, 2, 0), 0);
  EXPECT_EQ(batch(dear, 2, 0), 64);
  on_ranks(2, [&](Ranks& ranks) {
    RankShare share(all, kPieces, ranks);
    EXPECT_EQ(batch(share.spread, 2, 0), 64);
  });
}

// One process alone that has its examples as ranks would.
TEST(SharedDual, IsWhatOneDoesWithSharedExamples) {
  const ScatteredChains chains(false, 0);
  const TaskOracle all(*chains.task, chains.examples);
  Alone alone;
  const RankOracle spread(all, {all.size(), kPieces, 1, 0}, alone);
  RankedExecutor executor(std::make_unique<SerialExecutor>(), nullptr, kPieces);
  const auto learn = [&](const Oracle& oracle, int batch) {
    Objective objective(oracle, Formulation::named("crf"), 10, executor);
    SoftDual solver;
    solver.settings.batch = batch;
    return solver.descend(objective, {}, {}).weights;
  };
  EXPECT_EQ(learn(spread, 0), learn(all, 64));
}

}  // namespace
}  // namespace hinge
