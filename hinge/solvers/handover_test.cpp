#include "hinge/solvers/handover.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/random.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/solvers/soft_dual.h"
#include "hinge/tasks/multiclass/multiclass.h"

namespace hinge {
namespace {

constexpr Index kFeatures = 6;
constexpr std::size_t kClasses = 4;

// value(random, whether the feature is that of the class)
template <class Value>
std::vector<Example<MulticlassTask>> drawn(std::size_t count, const Value& value) {
  Random random(31);
  std::vector<Example<MulticlassTask>> examples(count);
  for (auto& [x, y, weight] : examples) {
    y = static_cast<int>(random.below(kClasses));
    for (Index j = 0; j < kFeatures; ++j) {
      x.index.push_back(j);
      x.value.push_back(static_cast<float>(value(random, j == static_cast<Index>(y))));
    }
  }
  return examples;
}

SoftDual alone_to(double gap) {
  SoftDual solver;
  solver.settings.gap = gap;
  solver.settings.max_passes = 3000;
  return solver;
}

// A choice that nobody made ends at its gap also where soft_dual alone does not in its passes, and repeats its first part.
TEST(Handover, EndsWhereSoftDualComesNoFurther) {
  const auto examples =
      drawn(120, [](Random& random, bool) { return std::pow(10, 8 * random.uniform() - 4); });
  const MulticlassTask task(kFeatures, kClasses);
  const TaskOracle<MulticlassTask> wild(task, examples);
  SerialExecutor executor;
  Objective objective(wild, Formulation::named("crf"), 120, executor);
  const Summary alone = alone_to(1e-2).minimize(objective, {}, {});
  ASSERT_NE(alone.termination, Termination::converged);
  Handover both;
  for (const OptionRef& option : both.options())
    if (option.name == "gap") *std::get<double*>(option.field) = 1e-2;
  std::vector<Progress> told;
  const Summary found = both.minimize(objective, {}, [&](const Progress& progress) {
    told.push_back(progress);
    return true;
  });
  EXPECT_LT(found.primal, alone.primal);
  EXPECT_LE(found.dual, found.primal);
  EXPECT_NE(found.solver.find("then lbfgs"), std::string::npos);
  EXPECT_GT(found.oracle_calls, 400u * 120u);
  // One run: its rounds are those of both, and so is what it is told of meanwhile.
  ASSERT_EQ(found.history.size(), found.iterations);
  ASSERT_EQ(told.size(), found.iterations);
  for (std::size_t k = 0; k < told.size(); ++k) {
    EXPECT_EQ(found.history[k].iteration, k + 1);
    EXPECT_EQ(found.history[k].oracle_calls, told[k].oracle_calls);
    EXPECT_EQ(found.history[k].primal, told[k].primal);
    if (k == 0) continue;
    EXPECT_GT(told[k].passes, told[k - 1].passes);
    EXPECT_LE(told[k].primal, told[k - 1].primal);
    EXPECT_GE(told[k].dual, told[k - 1].dual);
  }
  const auto easy = drawn(200, [](Random& random, bool own) { return random.normal() + (own ? 1 : 0); });
  const TaskOracle<MulticlassTask> tame(task, easy);
  Objective usual(tame, Formulation::named("crf"), 200, executor);
  const Summary by_both = both.minimize(usual, {}, {}), by_one = alone_to(1e-2).minimize(usual, {}, {});
  EXPECT_EQ(by_both.solver, "soft_dual");
  EXPECT_EQ(by_both.weights, by_one.weights);
}

}  // namespace
}  // namespace hinge
