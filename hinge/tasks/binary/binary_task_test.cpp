#include "hinge/tasks/binary/binary_task.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"
#include "hinge/learning/objective.h"
#include "hinge/oracle/check_task.h"
#include "hinge/solvers/solver.h"

namespace hinge {
namespace {

template <class E>
std::vector<Example<BinaryTask<E>>> random_samples(std::size_t rows, Random& random) {
  std::vector<Example<BinaryTask<E>>> samples;
  for (int kind = 0; kind < 5; ++kind) {
    std::vector<SparseRow> all(rows);
    std::vector<Index> level;
    for (SparseRow& row : all) {
      for (Index j = 0; j < 3; ++j) {
        if (random.uniform() < 0.3) continue;
        row.index.push_back(j);
        row.value.push_back(static_cast<float>(random.normal()));
      }
      level.push_back(kind == 0 ? 1 : kind == 1 ? 0 : static_cast<Index>(random.below(2)));
    }
    level.resize(kind == 2 ? rows - 1 : rows);  // the last one has no label
    samples.push_back(make_sample<E>(all, level, 3, 1 + 0.5 * kind));
  }
  return samples;
}

TEST(BinaryTask, KeepsTheContract) {
  Random random(1);
  for (const std::string& name : measure_names())
    for (const double beta : {0.5, 2.0}) {
      BinaryGoal goal{measure_named(name), beta, 3};
      const auto check = [&]<class E>(BinaryTask<E> task, std::size_t rows) {
        auto samples = random_samples<E>(rows, random);
        if (goal.measure == Measure::recall) samples.erase(samples.begin() + 1);  // without a positive row
        const auto report = check_task(task, samples);
        EXPECT_TRUE(report.passed()) << name << "\n" << report.text();
        EXPECT_GT(report.comparisons, 100u);
      };
      if (goal.pairs())
        check(BinaryTask<CountedComparisons>(3, goal), 5);
      else if (goal.rankings())
        check(BinaryTask<RankedInterleaving>(3, goal), 6);
      else
        check(BinaryTask<Contingency>(3, goal), 8);
    }
}

// The error rate is the usual SVM, and logistic regression with sums; pairs are a ranking SVM.
TEST(BinaryTask, ErrorRateIsASumOverRows) {
  Random random(2);
  const auto expect = [&]<class E>(const BinaryTask<E>& task, double temperature, auto&& term) {
    const auto samples = random_samples<E>(7, random);
    const TaskOracle<BinaryTask<E>> oracle(task, samples);
    const Vector w = {0.5, -1, 0.75};
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Documents& rows = samples[i].input.rows;
      Vector scores(rows.judged());
      rows.score(w, scores);
      Plane plane;
      oracle.support(i, w, {Side::excess, temperature > 0 ? 0.0 : 1.0, temperature, temperature}, plane);
      EXPECT_NEAR(plane.at(w), term(scores, rows.level), 1e-12);
    }
  };
  const auto rows = [](auto&& each) {
    return [=](const Vector& scores, const std::vector<Index>& level) {
      double sum = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) sum += each(level[i] == 1 ? scores[i] : -scores[i]);
      return sum;
    };
  };
  const BinaryTask<Contingency> task(3, {Measure::error, 1, 1});
  expect(task, 0, rows([](double margin) { return std::max(0.0, 1 - margin); }));
  expect(task, 1, rows([](double margin) { return std::log1p(std::exp(-margin)); }));
  expect(BinaryTask<CountedComparisons>(3, {Measure::roc_area, 1, 1}), 0,
         [](const Vector& scores, const std::vector<Index>& level) {
           double sum = 0;
           for (std::size_t i = 0; i < scores.size(); ++i)
             for (std::size_t j = 0; j < scores.size(); ++j)
               if (level[i] > level[j]) sum += std::max(0.0, 1 - (scores[i] - scores[j]));
           return sum;
         });
}

TEST(BinaryTask, SaysWhatAveragePrecisionLacks) {
  const BinaryTask<RankedInterleaving> task(3, {Measure::average_precision, 1, 1});
  EXPECT_NE(task.refusal({Side::excess, 1, 1, 1}).find("no sum over rankings"), std::string::npos);
  EXPECT_NE(task.refusal({Side::excess, 1, 0, 0, Rescaling::slack}).find("slack rescaling"),
            std::string::npos);
  EXPECT_EQ(task.refusal({Side::excess}), "");
}

// By a look at every pair, and every prefix.
TEST(MeasureScores, ByTheirDefinitions) {
  Random random(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t n = 1 + random.below(7);
    Vector scores;
    std::vector<Index> level;
    for (std::size_t i = 0; i < n; ++i) {
      scores.push_back(repeat % 2 == 0 ? random.normal() : static_cast<double>(random.below(3)) - 1);
      level.push_back(static_cast<Index>(random.below(2)));
    }
    const BinaryGoal goal{Measure::f1, 2, 2};
    const Measured seen = measure_scores(goal, scores, level);
    double P = 0, a = 0, b = 0, wrong = 0, pairs = 0, right = 0;
    for (std::size_t i = 0; i < n; ++i) {
      P += level[i];
      a += level[i] == 1 && scores[i] > 0;
      b += level[i] == 0 && scores[i] > 0;
      wrong += (scores[i] > 0) != (level[i] == 1);
      for (std::size_t j = 0; j < n; ++j) {
        if (level[i] <= level[j]) continue;
        ++pairs;
        right += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
      }
    }
    EXPECT_DOUBLE_EQ(seen.error, wrong / static_cast<double>(n));
    EXPECT_DOUBLE_EQ(seen.f1, a + b + P == 0 ? 1 : 2 * a / (a + b + P));
    EXPECT_DOUBLE_EQ(seen.fbeta, a + b + P == 0 ? 1 : 5 * a / (a + b + 4 * P));
    if (pairs > 0)
      EXPECT_DOUBLE_EQ(seen.roc_area, right / pairs);
    else
      EXPECT_TRUE(std::isnan(seen.roc_area));
    if (P == 0) {
      EXPECT_TRUE(std::isnan(seen.prbep) && std::isnan(seen.recall) && std::isnan(seen.average_precision));
      continue;
    }
    const auto before = [&](std::size_t i, std::size_t j) {  // in the ranking
      return scores[i] != scores[j] ? scores[i] > scores[j] : i <= j;
    };
    double mean = 0, among_P = 0, among_k = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (level[i] != 1) continue;
      double place = 0, good = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (before(j, i)) ++place, good += level[j];
      mean += good / place / P;
      among_P += place <= P;
      among_k += place <= 2;
    }
    EXPECT_DOUBLE_EQ(seen.average_precision, mean);
    EXPECT_DOUBLE_EQ(seen.prbep, among_P / P);
    EXPECT_DOUBLE_EQ(seen.precision, among_k / 2);
    EXPECT_DOUBLE_EQ(seen.recall, among_k / P);
  }
}

// The same objective by rows: its value, the planes of each row, and the optimum that is reached row by row.
TEST(BinaryTask, RowsAreExamplesOfTheErrorRate) {
  Random random(3);
  const BinaryTask<Contingency> task(3, {measure_named("error"), 1, 3});
  SerialExecutor executor;
  for (const std::size_t size : {3, 9}) {
    const auto samples = random_samples<Contingency>(size, random);
    const TaskOracle<BinaryTask<Contingency>> oracle(task, samples);
    const Formulation margin;
    const Query query = margin.query(Side::excess);
    const auto rows = oracle.divided(query);
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(rows->size(), 5 * size - 1);
    Objective whole(oracle, margin, 7, executor), divided(*rows, margin, 7, executor);
    for (int draw = 0; draw < 5; ++draw) {
      Vector w(3);
      for (double& weight : w) weight = 2 * random.normal();
      EXPECT_NEAR(divided.value(w), whole.value(w), 1e-12 * whole.value(w));
      for (std::size_t t = 0; t < rows->size(); ++t) {
        ProductPlanes planes;
        Vector values;
        Plane plane;
        ASSERT_TRUE(rows->all_planes(t, query, planes));
        plane_values(planes, w, values);
        rows->support(t, w, query, plane);
        EXPECT_NEAR(plane.at(w), *std::ranges::max_element(values), 1e-12 * (1 + std::abs(plane.at(w))));
        EXPECT_GE(plane.at(w), 0);
      }
    }
    const auto optimum = [&](const std::string& name) {
      const auto solver = make_solver(name);
      for (const OptionRef& option : solver->options())
        if (option.name == "gap") *std::get<double*>(option.field) = 1e-6;
      return solver->minimize(whole, {}, {});
    };
    const Summary by_rows = optimum("frank_wolfe"), by_samples = optimum("bundle");
    EXPECT_EQ(by_rows.termination, Termination::converged);
    EXPECT_LE(by_rows.dual, by_samples.primal);
    EXPECT_LE(by_samples.dual, by_rows.primal);
    EXPECT_NEAR(whole.value(by_rows.weights), by_rows.primal, 1e-10 * by_rows.primal);
  }
}

// Likelihoods by rows: the value, the plane of each row, its parts, and the optimum that soft_dual reaches, which is that of
// lbfgs on whole samples; of the F1 too, which has no say in a likelihood, and of softmax-margin and other temperatures.
TEST(BinaryTask, RowsAreExamplesOfLikelihoods) {
  Random random(5);
  SerialExecutor executor;
  struct Case {
    const char* measure;
    double loss_weight, temperature;
  };
  for (const auto& [measure, loss_weight, temperature] :
       {Case{"error", 0, 1}, {"f1", 0, 1}, {"error", 1, 1}, {"error", 1, 0.3}}) {
    const BinaryTask<Contingency> task(3, {measure_named(measure), 1, 3});
    const auto samples = random_samples<Contingency>(40, random);
    const TaskOracle<BinaryTask<Contingency>> oracle(task, samples);
    Formulation soft;
    soft.loss_weight = loss_weight;
    soft.output_temperature = soft.latent_temperature = temperature;
    const auto rows = oracle.divided(soft.query(Side::excess));
    ASSERT_NE(rows, nullptr);
    Objective whole(oracle, soft, 7, executor), divided(*rows, soft, 7, executor);
    const auto parts = rows->parts(soft.query(Side::free));
    ASSERT_NE(parts, nullptr);
    Plane plane;
    for (int draw = 0; draw < 5; ++draw) {
      Vector w(3), other(3);
      for (double& weight : w) weight = 2 * random.normal();
      for (double& weight : other) weight = 2 * random.normal();
      EXPECT_NEAR(divided.value(w), whole.value(w), 1e-12 * whole.value(w));
      for (std::size_t t = 0; t < rows->size(); ++t) {
        rows->support(t, w, soft.query(Side::excess), plane);
        EXPECT_NEAR(plane.at(w), parts->excess(t, w), 1e-12 * (1 + plane.at(w)));
        EXPECT_LE(plane.at(other), parts->excess(t, other) + 1e-12);
        Vector counts(2), slope(3), poured(3);
        const std::span<const double> s = parts->look(t, w);
        parts->solve(s, counts);
        parts->place(counts, -1, poured, nullptr);
        plane.slope.add_to(slope, 1);
        for (Index j = 0; j < 3; ++j) EXPECT_NEAR(poured[j], slope[j], 1e-12);
      }
    }
    const auto optimum = [&](const std::string& name) {
      const auto solver = make_solver(name);
      for (const OptionRef& option : solver->options())
        if (option.name == "gap") *std::get<double*>(option.field) = 1e-6;
      return solver->minimize(whole, {}, {});
    };
    const Summary by_rows = optimum("soft_dual"), by_samples = optimum("lbfgs");
    EXPECT_EQ(by_rows.termination, Termination::converged);
    EXPECT_LE(by_rows.dual, by_samples.primal);
    EXPECT_LE(by_samples.dual, by_rows.primal);
    EXPECT_NEAR(whole.value(by_rows.weights), by_rows.primal, 1e-10 * by_rows.primal);
  }
}

TEST(BinaryTask, OtherMeasuresAreNotDivided) {
  Random random(4);
  const auto samples = random_samples<Contingency>(5, random);
  const BinaryTask<Contingency> f1(3, {measure_named("f1"), 1, 3}), error(3, {measure_named("error"), 1, 3});
  const Query excess{.side = Side::excess};
  EXPECT_EQ(TaskOracle<BinaryTask<Contingency>>(f1, samples).divided(excess), nullptr);
  const auto pairs = random_samples<CountedComparisons>(5, random);
  const BinaryTask<CountedComparisons> area(3, {Measure::roc_area, 1, 3});
  EXPECT_EQ(TaskOracle<BinaryTask<CountedComparisons>>(area, pairs).divided(excess), nullptr);
  Query slack = excess, mixed = excess, soft = excess;
  slack.rescaling = Rescaling::slack;
  mixed.output_temperature = 1;
  soft.output_temperature = soft.latent_temperature = 1;
  const TaskOracle<BinaryTask<Contingency>> oracle(error, samples);
  EXPECT_EQ(oracle.divided(slack), nullptr);
  EXPECT_EQ(oracle.divided(mixed), nullptr);
  EXPECT_EQ(TaskOracle<BinaryTask<Contingency>>(f1, samples).divided(soft), nullptr);
  const BinaryTask<Contingency> at_k(3, {measure_named("precision@k"), 1, 3});
  soft.loss_weight = 0;
  EXPECT_EQ(TaskOracle<BinaryTask<Contingency>>(at_k, samples).divided(soft), nullptr);
}

}  // namespace
}  // namespace hinge
