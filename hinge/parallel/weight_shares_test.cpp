// Processes that work at some of the weights each come to the bits of one, and what one of them reads alone stays there.
#include "hinge/core/weight_shares.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/core/random.h"
#include "hinge/core/sum.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/solvers/lbfgs.h"
#include "tests/support/memory_keeper.h"
#include "tests/support/rank_share.h"
#include "tests/support/scattered_chains.h"

namespace hinge {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 3, 4, 5, 7, 12};
constexpr std::size_t kPieces = 8;  // fewer than the most ranks, some of which then have none

// What each piece reads: some weights of many pieces, most of one, a few of none.
std::vector<SetOfNumbers> drawn_reads(std::size_t dimension) {
  Random random(3);
  std::vector<SetOfNumbers> reads(kPieces, SetOfNumbers(dimension));
  for (std::size_t j = 0; j < dimension; ++j)
    for (std::size_t k = random.uniform() < 0.3 ? random.below(5) : 1; k > 0; --k)
      reads[random.below(kPieces)].add(j);
  return reads;
}

WeightShares shares_of(const std::vector<SetOfNumbers>& reads, std::size_t dimension, Ranks* ranks) {
  if (ranks == nullptr) return {dimension, kPieces, reads, nullptr};
  const auto at = [&](std::size_t r) {
    return reads.begin() + static_cast<std::ptrdiff_t>(PieceTree::first(r, kPieces, ranks->size()));
  };
  return {dimension, kPieces, {at(ranks->rank()), at(ranks->rank() + 1)}, ranks};
}

TEST(WeightShares, SumOverWeightsWithTheBitsOfOne) {
  for (const std::size_t dimension : {1u, 50u, 200'000u}) {
    const auto reads = drawn_reads(dimension);
    Vector numbers(dimension);
    Random random(1);
    for (double& v : numbers) v = random.normal();
    const auto sum = [&](const WeightShares& shares) {
      const Vector own = shares.own(numbers);
      Vector sums(2);
      std::size_t seen = 0;
      shares.sum(sums, [&](std::size_t first, std::size_t last, std::span<double> to) {
        EXPECT_EQ(first, seen);
        seen = last;
        for (std::size_t j = first; j < last; ++j) to[0] += own[j], to[1] += own[j] * own[j];
      });
      EXPECT_EQ(seen, shares.size());
      return sums;
    };
    const Vector one = sum(shares_of(reads, dimension, nullptr)), plain = sum(WeightShares(dimension));
    EXPECT_NEAR(one[0], plain[0], 1e-12 * plain[1]);
    EXPECT_NEAR(one[1], plain[1], 1e-12 * plain[1]);
    for (const std::size_t size : kSizes)
      on_ranks(size, [&](Ranks& ranks) {
        const WeightShares shares = shares_of(reads, dimension, &ranks);
        EXPECT_EQ(sum(shares), one);
        const std::size_t before = ranks.traffic().exchanges;
        EXPECT_EQ(shares.whole(shares.own(numbers)), numbers);
        // A part at a time, so that nobody holds all twice.
        if (dimension > 100'000 && size <= 5) {
          EXPECT_GT(ranks.traffic().exchanges - before, 1u);
        }
        EXPECT_EQ(shares.difference(shares.own(numbers)), "");
      });
  }
}

TEST(WeightShares, SeeThatAWeightDiffersFromItsHome) {
  constexpr std::size_t kDimension = 5;
  std::vector<SetOfNumbers> reads(kPieces, SetOfNumbers(kDimension));
  for (SetOfNumbers& set : reads) set.add(2);
  on_ranks(3, [&](Ranks& ranks) {
    const WeightShares shares = shares_of(reads, kDimension, &ranks);
    Vector w = shares.own(Vector(kDimension, 0.5));
    if (ranks.rank() == 2) w.back() = std::nextafter(0.5, 1.0);
    EXPECT_EQ(shares.difference(w).empty(), ranks.rank() != 0);
  });
}

Summary learn(const Oracle& oracle, Executor& executor, const Regulariser& regulariser, Keeper* keeper) {
  Objective objective(oracle, Formulation::named("hcrf"), 30, executor, regulariser);
  EXPECT_FALSE(objective.shares().by_number());
  Lbfgs solver;
  solver.settings.gap = 1e-6;
  solver.settings.max_passes = 25;
  return solver.solve(objective, {}, Observer().keeping(keeper));
}

// Every rank has all examples, or only its own; with what the regulariser may have, and from a state that another number
// of ranks has left.
TEST(WeightShares, LearnWithTheBitsOfOne) {
  for (const bool hidden : {false, true})
    for (const int kind : {0, 1, 2}) {
      const ScatteredChains chains(hidden, kind == 2 ? 0.5 : 0);
      const TaskOracle all(*chains.task, chains.examples);
      Regulariser regulariser;
      Random random(2);
      if (kind == 1) regulariser.l1 = 0.3;
      if (kind == 2)
        for (Index j = 0; j < all.dimension(); ++j) {
          regulariser.curvature.push_back(0.5 + random.uniform());
          regulariser.centre.push_back(random.normal());
        }
      RankedExecutor alone(std::make_unique<SerialExecutor>(), nullptr, kPieces);
      MemoryKeeper kept;
      const Summary one = learn(all, alone, regulariser, &kept);
      EXPECT_GT(one.iterations, 8u);
      // Weights in their own order give other bits of the same problem.
      SerialExecutor plain;
      Objective objective(all, Formulation::named("hcrf"), 30, plain, regulariser);
      EXPECT_NEAR(objective.value(one.weights), one.primal, 1e-9 * one.primal);
      for (const std::size_t size : {1u, 2u, 3u, 5u, 8u})
        on_ranks(size, [&](Ranks& ranks) {
          RankShare share(all, kPieces, ranks);
          MemoryKeeper here, later(kept.states[4]);
          for (const Oracle* const oracle :
               {static_cast<const Oracle*>(&all), static_cast<const Oracle*>(&share.spread)})
            for (Keeper* const keeper : {&here, &later, static_cast<MemoryKeeper*>(nullptr)}) {
              if (keeper == &later && oracle != &all) continue;  // it has gone on already
              const Summary found = learn(*oracle, share.executor, regulariser, keeper);
              EXPECT_EQ(found.weights, one.weights) << hidden << kind << size;
              EXPECT_EQ(found.primal, one.primal);
              EXPECT_EQ(found.dual, one.dual);
              EXPECT_EQ(found.iterations, one.iterations);
            }
        });
    }
}

// A round sends what several ranks read, not the weights of one.
TEST(WeightShares, DoNotTravelUntilTheEnd) {
  const ScatteredChains chains(false, 0);
  const TaskOracle all(*chains.task, chains.examples);
  on_ranks(4, [&](Ranks& ranks) {
    RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, kPieces);
    Objective objective(all, Formulation::named("crf"), 30, executor);
    const WeightShares& shares = objective.shares();
    EXPECT_LT(shares.size(), all.dimension() / 2);
    Vector w(shares.size()), gradient(shares.size());
    const std::size_t before = ranks.traffic().received;
    objective.sum_of_excesses(shares, w, gradient);
    // Each of the others sends two nodes of the tree, or the finished sums. Pairs of neighbours, ends, common attributes.
    constexpr std::size_t kReadByMany = (ScatteredChains::kLabels + 2 + ScatteredChains::kCommon) *
                                        ScatteredChains::kLabels,
                          kWords = 300;
    EXPECT_LT(ranks.traffic().received - before, sizeof(double) * kReadByMany * 2 * 3 + kWords);
    EXPECT_GT(sizeof(double) * all.dimension(), 2 * (sizeof(double) * kReadByMany * 2 * 3 + kWords));
    Vector dense_w(all.dimension()), dense(all.dimension());
    objective.sum_of_excesses(dense_w, dense);
    EXPECT_EQ(gradient, shares.own(dense));
  });
}

}  // namespace
}  // namespace hinge
