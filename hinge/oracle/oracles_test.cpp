// SubsetOracle, PlaneCache, CheckingOracle and DrawnOracle.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "hinge/core/smooth_max.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/oracle/checking_oracle.h"
#include "hinge/oracle/drawn_oracle.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "tests/support/hidden_classes.h"
#include "tests/support/problems.h"

namespace hinge {
namespace {

struct Problem {
  problems::Classes task;
  std::vector<Example<problems::Classes>> examples = task.sample(20, 3);
  TaskOracle<problems::Classes> oracle{task, examples};
};

TEST(SubsetOracle, IsTheChosenExamplesInTheirOrder) {
  const Problem problem;
  const SubsetOracle subset(problem.oracle, {7, 0, 12});
  EXPECT_EQ(subset.size(), 3u);
  EXPECT_EQ(subset.dimension(), problem.oracle.dimension());
  EXPECT_EQ(subset.refusal({.output_temperature = 1}), problem.oracle.refusal({.output_temperature = 1}));
  const Vector w = checking::random_weights(subset.dimension(), 1, 5);
  Plane a, b;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = std::array{7, 0, 12}[k];
    EXPECT_EQ(subset.weight(k), problem.examples[i].weight);
    subset.support(k, w, {}, a);
    problem.oracle.support(i, w, {}, b);
    EXPECT_EQ(a.offset, b.offset);
    EXPECT_EQ(a.slope, b.slope);
  }
  const CheckReport report = check_oracle(subset);
  EXPECT_TRUE(report.passed()) << report.text();
}

TEST(PlaneCache, ForgetsWhatWasOfNoUseForLongest) {
  PlaneCache cache(1, 2);
  const auto plane = [](double offset, double slope) {
    Plane p;
    p.offset = offset;
    p.slope.add(0, slope);
    return p;
  };
  cache.add(0, plane(0, 1));
  cache.add(0, plane(1, -1));
  EXPECT_EQ(cache.best(0, Vector{2}).at_w, 2);  // the first is of use
  cache.add(0, plane(0.5, 0));                  // takes the place of the second
  EXPECT_EQ(cache.planes(0), 2u);
  EXPECT_EQ(cache.best(0, Vector{-2}).at_w, 0.5);
  cache.add(0, plane(0, 1));  // renewed, not doubled
  cache.add(0, plane(3, 0));
  EXPECT_EQ(cache.best(0, Vector{9}).at_w, 9);
}

TEST(PlaneCache, HoldsNothingWithoutRoom) {
  PlaneCache cache(1, 0);
  cache.add(0, Plane{});
  EXPECT_EQ(cache.best(0, {}).plane, nullptr);
}

// Answers that are too low by 1 wherever the weights' sum is positive.
class LowOracle final : public Oracle {
 public:
  explicit LowOracle(const Oracle& exact) : exact_(exact) {}
  Index dimension() const override { return exact_.dimension(); }
  std::size_t size() const override { return exact_.size(); }
  bool determined(std::size_t i) const override { return exact_.determined(i); }
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    exact_.support(i, w, query, out);
    if (std::accumulate(w.begin(), w.end(), 0.0) > 0) out.offset -= 1;
  }

 private:
  const Oracle& exact_;
};

TEST(CheckingOracle, CountsAnswersBelowRememberedPlanes) {
  const Problem problem;
  const Query query{Side::excess};
  const LowOracle low(problem.oracle);
  const CheckingOracle exact(problem.oracle), checking(low);
  const Vector zero(problem.task.dimension(), 0.0), tiny(problem.task.dimension(), 1e-6);
  Plane plane;
  for (std::size_t i = 0; i < checking.size(); ++i) {
    checking.support(i, zero, query, plane);
    exact.support(i, zero, query, plane);
  }
  EXPECT_EQ(checking.inference().cuts, 0u);
  for (std::size_t i = 0; i < checking.size(); ++i) {
    checking.support(i, tiny, query, plane);
    exact.support(i, tiny, query, plane);
  }
  EXPECT_EQ(checking.inference().cuts, checking.size());
  EXPECT_EQ(exact.inference().cuts, 0u);
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::size_t i = 0; i < exact.size(); ++i)
      exact.support(i, checking::random_weights(exact.dimension(), 3, seed), query, plane);
  EXPECT_EQ(exact.inference().cuts, 0u);
  Vector gradient(zero.size());
  checking.add_support(0, tiny, query, 1, gradient);
  EXPECT_EQ(checking.inference().cuts, checking.size() + 1);
  EXPECT_TRUE(check_oracle(exact).passed());
}

// Solvers that need gradients alone never ask for a plane.
TEST(CheckingOracle, RemembersWhatGradientsWereMadeOf) {
  const Problem problem;
  const Query query{Side::excess};
  const LowOracle low(problem.oracle);
  const CheckingOracle checking(low);
  const Vector zero(problem.task.dimension(), 0.0), tiny(problem.task.dimension(), 1e-6);
  Vector gradient(zero.size()), expected(zero.size());
  Plane plane;
  for (std::size_t i = 0; i < checking.size(); ++i) {
    low.support(i, zero, query, plane);
    plane.slope.add_to(expected, 0.5);
    EXPECT_EQ(checking.add_support(i, zero, query, 0.5, gradient), plane.at(zero));
  }
  EXPECT_EQ(gradient, expected);
  EXPECT_EQ(checking.inference().cuts, 0u);
  for (std::size_t i = 0; i < checking.size(); ++i) checking.add_support(i, tiny, query, 1, gradient);
  EXPECT_EQ(checking.inference().cuts, checking.size());
}

// A plane of one function says nothing of another.
TEST(CheckingOracle, ComparesAnswersToTheSameQueryOnly) {
  const Problem problem;
  const CheckingOracle checking(problem.oracle);
  const Query lossy{.side = Side::free, .loss_weight = 1}, plain{.side = Side::free, .loss_weight = 0};
  const Vector zero(problem.task.dimension(), 0.0);
  Plane plane;
  for (const Query& query : {lossy, plain, lossy, plain})
    for (std::size_t i = 0; i < checking.size(); ++i) checking.support(i, zero, query, plane);
  EXPECT_EQ(checking.inference().cuts, 0u);
}

TEST(DrawnOracle, KnowsOneStructureOfEachLabel) {
  const problems::HiddenClasses hidden(30, 3, 0, 5);
  const DrawnOracle drawn(hidden, 1), another(hidden, 2);
  const Query clamped{.side = Side::clamped};
  const Vector v = checking::random_weights(hidden.dimension(), 1, 4);
  const Vector w = checking::random_weights(hidden.dimension(), 1, 5);
  std::size_t unlike = 0;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    Plane a, b, c;
    drawn.support(i, w, {}, a);
    hidden.support(i, w, {}, b);
    EXPECT_EQ(a.slope, b.slope);  // of the free side

    drawn.support(i, w, clamped, a);
    drawn.support(i, v, clamped, b);
    EXPECT_EQ(a.slope, b.slope);
    hidden.support(i, w, clamped, b);
    EXPECT_LE(a.at(w), b.at(w) + 1e-12);
    Vector slope(hidden.dimension()), twice(hidden.dimension());
    EXPECT_EQ(drawn.add_support(i, w, clamped, 2, slope), a.at(w));
    a.slope.add_to(twice, 2);
    EXPECT_EQ(slope, twice);
    another.support(i, w, clamped, c);
    unlike += a.slope != c.slope ? 1 : 0;
  }
  EXPECT_GT(unlike, 10u);
  EXPECT_LT(unlike, 30u);
  EXPECT_TRUE(DrawnOracle::can_draw(SubsetOracle(hidden, {3})));
  EXPECT_FALSE(DrawnOracle::can_draw(Problem().oracle));
}

}  // namespace
}  // namespace hinge
