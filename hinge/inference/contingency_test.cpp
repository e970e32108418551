#include "hinge/inference/contingency.h"

#include <gtest/gtest.h>

#include <utility>

#include "hinge/core/random.h"
#include "hinge/inference/counted_comparisons.h"
#include "hinge/inference/enumeration.h"

namespace hinge {
namespace {

std::vector<TableMeasure> measures() {
  using Kind = TableMeasure::Kind;
  std::vector<TableMeasure> all = {{.kind = Kind::error_rate}, {.kind = Kind::precision, .break_even = true}};
  for (const double beta : {0.5, 1.0, 2.0}) all.push_back({.kind = Kind::f_beta, .beta = beta});
  all.push_back({.kind = Kind::f_beta, .empty_value = 0});
  for (const std::size_t k : {1u, 2u, 4u})
    for (const bool truth : {false, true}) {
      all.push_back({.kind = Kind::precision, .predicted = k, .with_truth = truth});
      all.push_back({.kind = Kind::recall, .predicted = k, .with_truth = truth});
    }
  return all;
}

template <class E>
class Trial {
 public:
  Trial(std::size_t items, double size, bool ties, Random& random) {
    for (auto* each : {&scores, &other}) {
      each->reset(items);
      for (double& value : each->value)
        value = ties ? static_cast<double>(random.below(5)) - 2 : size * random.normal();
    }
    for (std::size_t i = 0; i < items; ++i) level.push_back(static_cast<Index>(random.below(2)));
    scores.level = other.level = level;
    scores.constant = 0.25;
    other.cost_weight = random.normal();
  }

  // Sums, maxima and slack as enumeration has them, with counts and cost.
  void compare(bool positives_needed) {
    if (positives_needed && std::ranges::count(level, Index{1}) == 0) return;
    Enumeration<E> all(engine, scores);
    if (all.structures().empty()) return;
    const auto mean = [&] {
      return dot(counts.amounts(), other.value) + other.cost_weight * counts.structure().cost;
    };
    const double share = std::exchange(other.cost_weight, 0);
    for (const double weight : {0.0, 0.3, 5.0, 100.0}) {
      scores.cost_weight = weight;
      if (weight > 0) other.cost_weight = share;  // what has no weight is not told of sums
      for (const double temperature : {0.0, 0.3, 1.0}) {
        const double value = engine.solve(scores, temperature, temperature, counts);
        const double expected = all.solve(scores, temperature), size = 1 + std::abs(expected);
        EXPECT_NEAR(value, expected, 1e-12 * size);
        if (temperature > 0)
          EXPECT_NEAR(mean(), all.mean(other), 1e-10 * size);
        else
          EXPECT_NEAR(scores.of(counts.structure()), value, 1e-12 * size);
      }
      if (weight == 0) continue;
      auto losses = scores;
      losses.clear();
      losses.cost_weight = weight;
      scores.cost_weight = 0;
      const double reference = 1.5;
      const double value = engine.solve_slack(scores, losses, reference, counts);
      // where the truth is among the structures, at no cost
      const double expected = all.solve_slack(scores, losses, reference), size = 1 + std::abs(expected);
      EXPECT_NEAR(value, expected, 1e-12 * size);
      const ItemUse& s = counts.structure();
      EXPECT_NEAR(losses.of(s) * (1 + scores.of(s) - reference), value, 1e-12 * size);
    }
  }

  E engine;
  typename E::Scores scores, other;
  typename E::Counts counts;
  std::vector<Index> level;
};

TEST(Contingency, IsThatOfEnumeration) {
  Random random(4);
  for (const TableMeasure& measure : measures())
    for (int repeat = 0; repeat < 30; ++repeat) {
      const double sizes[] = {0, 0.1, 1, 20};
      Trial<Contingency> trial(1 + random.below(8), sizes[repeat % 4], repeat % 5 == 0, random);
      if (repeat % 7 == 0) trial.level.assign(trial.level.size(), repeat % 2 == 0 ? 1 : 0);
      trial.scores.level = trial.other.level = trial.level;
      trial.scores.measure = trial.other.measure = &measure;
      trial.compare(measure.kind == TableMeasure::Kind::recall);
    }
}

TEST(CountedComparisons, AreThoseOfEnumeration) {
  Random random(5);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const double sizes[] = {0, 0.1, 1, 20};
    Trial<CountedComparisons> trial(1 + random.below(6), sizes[repeat % 4], repeat % 5 == 0, random);
    trial.compare(false);
  }
}

// What halving finds, a look at every table finds too, in samples too large to enumerate.
TEST(Contingency, HalvingMissesNothing) {
  Random random(6);
  for (const TableMeasure& measure : measures()) {
    if (measure.fixed()) continue;
    for (int repeat = 0; repeat < 20; ++repeat) {
      const std::size_t items = 60;
      Trial<Contingency> trial(items, repeat % 3 == 0 ? 0.02 : 1, repeat % 4 == 0, random);
      trial.scores.measure = &measure;
      Vector good = {0}, bad = {0}, sorted[2];
      for (std::size_t i = 0; i < items; ++i) sorted[trial.level[i]].push_back(trial.scores.value[i]);
      for (auto& values : sorted) std::ranges::sort(values, std::greater<>());
      for (const double value : sorted[1]) good.push_back(good.back() + value);
      for (const double value : sorted[0]) bad.push_back(bad.back() + value);
      const double weight = repeat % 2 == 0 ? 1 : 60, reference = good.back() + 0.25;
      double margin = kForbidden, slack = kForbidden;
      for (std::size_t a = 0; a < good.size(); ++a)
        for (std::size_t b = 0; b < bad.size(); ++b) {
          const double cost = weight * measure.cost(a, b, good.size() - 1, bad.size() - 1);
          margin = std::max(margin, cost + good[a] + bad[b] + 0.25);
          slack = std::max(slack, cost * (1 + good[a] + bad[b] + 0.25 - reference));
        }
      auto losses = trial.scores;
      losses.clear();
      losses.cost_weight = weight;
      EXPECT_NEAR(trial.engine.solve_slack(trial.scores, losses, reference, trial.counts), slack,
                  1e-11 * (1 + std::abs(slack)));
      trial.scores.cost_weight = weight;
      EXPECT_NEAR(trial.engine.solve(trial.scores, 0, 0, trial.counts), margin,
                  1e-11 * (1 + std::abs(margin)));
    }
  }
}

// Sums over tables at a size where rows of the recursion are made again, against finite differences.
TEST(Contingency, SumsOfManyRowsHaveTheirGradient) {
  Random random(7);
  const TableMeasure measure{.kind = TableMeasure::Kind::f_beta};
  Trial<Contingency> trial(400, 2, false, random);
  trial.scores.measure = &measure;
  trial.scores.cost_weight = 400;
  const double value = trial.engine.solve(trial.scores, 1, 1, trial.counts);
  const Vector amounts(trial.counts.amounts().begin(), trial.counts.amounts().end());
  Contingency::Scores hard = trial.scores;
  EXPECT_GE(value, trial.engine.solve(hard, 0, 0, trial.counts));
  for (const std::size_t i : {0u, 17u, 200u, 399u}) {
    const double step = 1e-4;
    auto moved = trial.scores;
    moved.value[i] += step;
    const double up = trial.engine.solve(moved, 1, 1, trial.counts);
    moved.value[i] -= 2 * step;
    const double down = trial.engine.solve(moved, 1, 1, trial.counts);
    EXPECT_NEAR(amounts[i], (up - down) / (2 * step), 1e-6);
  }
}

}  // namespace
}  // namespace hinge
