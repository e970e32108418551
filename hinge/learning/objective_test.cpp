#include "hinge/learning/objective.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/parallel/thread_executor.h"
#include "tests/support/complaint.h"

namespace hinge {
namespace {

// A maximum of planes, written out.
struct Maximum {
  std::vector<Plane> planes;

  const Plane& winner(Weights w) const {
    const Plane* best = &planes[0];
    for (const Plane& plane : planes)
      if (plane.at(w) > best->at(w)) best = &plane;
    return *best;
  }
  double at(Weights w) const { return winner(w).at(w); }
};

// Every example is a pair of such maxima. A determined one has a single clamped plane, the zero plane.
class ToyOracle final : public Oracle {
 public:
  ToyOracle(std::size_t examples, Index dimension, bool hidden) : dimension_(dimension) {
    Random random(11);
    for (std::size_t i = 0; i < examples; ++i) {
      const bool determined = !hidden || i % 3 == 0;
      free_.push_back(maximum(random, 5, true));
      clamped_.push_back(determined ? Maximum{{Plane{}}} : maximum(random, 3, false));
      weights_.push_back(0.25 + random.uniform());
    }
  }

  Index dimension() const override { return dimension_; }
  std::size_t size() const override { return free_.size(); }
  double weight(std::size_t i) const override { return weights_[i]; }
  bool determined(std::size_t i) const override { return clamped_[i].planes.size() == 1; }
  std::string refusal(const Query& query) const override { return query.hard() ? "" : "a toy is hard."; }
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    if (i == failing) fail("example {} is broken.", i);
    out = (query.side == Side::clamped ? clamped_ : free_)[i].winner(w);
  }

  double excess(std::size_t i, Weights w) const { return free_[i].at(w) - clamped_[i].at(w); }

  std::size_t failing = ~std::size_t{0};

 private:
  Maximum maximum(Random& random, std::size_t count, bool loss) const {
    Maximum result{{Plane{}}};
    while (result.planes.size() < count) {
      Plane plane;
      plane.offset = loss ? random.uniform() : 0;
      for (int k = 0; k < 6; ++k)
        plane.slope.add(static_cast<Index>(random.below(dimension_)), random.normal());
      plane.slope.compress();
      result.planes.push_back(plane);
    }
    return result;
  }

  Index dimension_;
  std::vector<Maximum> free_, clamped_;
  Vector weights_;
};

Vector random_weights(Random& random, Index dimension, double scale = 1) {
  Vector w(dimension);
  for (double& v : w) v = scale * random.normal();
  return w;
}

constexpr double kC = 3;

double true_value(const ToyOracle& oracle, const Regulariser& regulariser, Weights w) {
  double sum = regulariser.value(w);
  for (std::size_t i = 0; i < oracle.size(); ++i)
    sum += kC * oracle.weight(i) / static_cast<double>(oracle.size()) * oracle.excess(i, w);
  return sum;
}

TEST(Objective, IsTheWeightedSumOfExcessesAndTheRegulariser) {
  const ToyOracle oracle(53, 20, false);
  Random random(12);
  SerialExecutor executor;
  const Regulariser regulariser{
      .curvature = Vector(20, 0.5), .centre = random_weights(random, 20), .l1 = 0.1};
  const Objective objective(oracle, Formulation::named("ssvm"), kC, executor, regulariser);
  EXPECT_FALSE(objective.needs_linearizing());
  for (int trial = 0; trial < 20; ++trial) {
    const Vector w = random_weights(random, 20);
    const double expected = true_value(oracle, regulariser, w);
    EXPECT_NEAR(objective.value(w), expected, 1e-12 * expected);

    Vector gradient(20, 99.0), sum_of_planes(20, 0.0);
    const double excesses = objective.sum_of_excesses(w, gradient);
    EXPECT_NEAR(excesses, expected - regulariser.value(w), 1e-12 * expected);
    Plane plane;
    for (std::size_t i = 0; i < objective.size(); ++i) {
      objective.plane(i, w, plane);
      plane.slope.add_to(sum_of_planes, objective.block_weight(i));
    }
    for (Index j = 0; j < 20; ++j) EXPECT_NEAR(gradient[j], sum_of_planes[j], 1e-12 * kC);
  }
}

TEST(Objective, CountsOracleCalls) {
  const ToyOracle oracle(10, 4, false);
  SerialExecutor executor;
  const Objective objective(oracle, Formulation::named("ssvm"), kC, executor);
  const Vector w(4, 0.0);
  Vector gradient(4);
  Plane plane;
  objective.value(w);
  objective.sum_of_excesses(w, gradient);
  objective.plane(3, w, plane);
  EXPECT_EQ(objective.oracle_calls(), 21u);
}

TEST(Objective, LinearizedTouchesAndLiesAbove) {
  const ToyOracle oracle(40, 12, true);
  Random random(13);
  SerialExecutor executor;
  Objective objective(oracle, Formulation::named("ssvm"), kC, executor);
  EXPECT_TRUE(objective.needs_linearizing());
  for (int trial = 0; trial < 10; ++trial) {
    const Vector here = random_weights(random, 12);
    objective.linearize(here);
    const double value = true_value(oracle, {}, here);
    EXPECT_NEAR(objective.value(here), value, 1e-12 * std::abs(value));
    Vector gradient(12);
    EXPECT_NEAR(objective.sum_of_excesses(here, gradient) + 0.5 * squared_norm(here), value,
                1e-12 * std::abs(value));
    for (int other = 0; other < 20; ++other) {
      const Vector there = random_weights(random, 12, 2);
      const double truth = true_value(oracle, {}, there);
      EXPECT_GE(objective.value(there), truth - 1e-12 * std::abs(truth));
    }
  }
}

TEST(Objective, HasTheSameBitsForAnyNumberOfThreads) {
  for (bool hidden : {false, true}) {
    const ToyOracle oracle(1009, 30, hidden);
    Random random(14);
    const Vector start = random_weights(random, 30), w = random_weights(random, 30);
    const std::vector<std::size_t> examples = {5, 1000, 3, 77};
    struct Answers {
      double value, sum;
      Vector gradient;
      std::vector<SparseVector> slopes;
      bool operator==(const Answers&) const = default;
    };
    const auto answers = [&](Executor& executor) {
      Objective objective(oracle, Formulation::named("ssvm"), kC, executor);
      objective.linearize(start);
      Answers a{objective.value(w), 0, Vector(30), {}};
      a.sum = objective.sum_of_excesses(w, a.gradient);
      std::vector<Plane> planes(examples.size());
      objective.planes(examples, w, planes);
      for (const Plane& plane : planes) a.slopes.push_back(plane.slope);
      return a;
    };
    SerialExecutor serial;
    const Answers expected = answers(serial);
    for (std::size_t threads : {1, 2, 7}) {
      ThreadExecutor executor(threads);
      for (int repeat = 0; repeat < 5; ++repeat)
        EXPECT_TRUE(answers(executor) == expected) << threads << " threads";
    }
  }
}

TEST(Objective, BringsBackTheExceptionOfATask) {
  ToyOracle oracle(200, 5, false);
  oracle.failing = 123;
  ThreadExecutor executor(4);
  const Objective objective(oracle, Formulation::named("ssvm"), kC, executor);
  Vector w(5, 0.0), gradient(5);
  EXPECT_EQ(complaint([&] { objective.value(w); }), "example 123 is broken.");
  EXPECT_EQ(complaint([&] { objective.sum_of_excesses(w, gradient); }), "example 123 is broken.");
}

TEST(Objective, RefusesWhatCannotBeLearned) {
  const ToyOracle oracle(3, 5, false), none(0, 5, false);
  SerialExecutor executor;
  const auto with = [&](const ToyOracle& o, const char* method, double C) {
    return complaint([&] { Objective(o, Formulation::named(method), C, executor); });
  };
  EXPECT_EQ(with(oracle, "ssvm", 1), "no complaint");
  EXPECT_EQ(with(oracle, "crf", 1), "method crf: a toy is hard.");
  EXPECT_EQ(with(none, "ssvm", 1), "there is no example to learn from.");
  EXPECT_EQ(with(oracle, "ssvm", 0), "C is 0, but must be a positive number of at most 1e+50.");
  EXPECT_EQ(with(oracle, "ssvm", -1), "C is -1, but must be a positive number of at most 1e+50.");
  EXPECT_EQ(with(oracle, "ssvm", NAN), "C is nan, but must be a positive number of at most 1e+50.");
  EXPECT_EQ(with(oracle, "ssvm", 1e160), "C is 1e+160, but must be a positive number of at most 1e+50.");
  EXPECT_EQ(with(oracle, "ssvm", INFINITY), "C is inf, but must be a positive number of at most 1e+50.");
}

TEST(Regulariser, HasItsGradient) {
  Random random(15);
  const Regulariser regulariser{.curvature = {0.5, 2, 1}, .centre = {1, -1, 0.25}};
  for (int trial = 0; trial < 20; ++trial) {
    Vector w = random_weights(random, 3), gradient = {1, 1, 1};
    regulariser.add_gradient(w, gradient);
    const double h = 1e-3;  // a quadratic's central difference is exact but for rounding
    for (std::size_t j = 0; j < 3; ++j) {
      Vector above = w, below = w;
      above[j] += h, below[j] -= h;
      const double slope = (regulariser.value(above) - regulariser.value(below)) / (2 * h);
      EXPECT_NEAR(gradient[j] - 1, slope, 1e-15 / h * (10 + regulariser.value(w)));
    }
  }
}

TEST(Formulation, IsFoundByName) {
  for (const std::string& name : Formulation::names()) EXPECT_EQ(Formulation::named(name).name, name);
  EXPECT_FALSE(Formulation::named("ssvm").smooth());
  EXPECT_TRUE(Formulation::named("crf").smooth());
  EXPECT_EQ(
      complaint([] { Formulation::named("svm"); }).find("there is no method 'svm': use one of ssvm, lssvm"),
      0u);
  EXPECT_EQ(complaint([] { Formulation::named("crf", Rescaling::slack); }),
            "`rescaling` slack belongs to `method` ssvm, not to crf: use `rescaling` margin.");
}

}  // namespace
}  // namespace hinge
