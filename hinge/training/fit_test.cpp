// Paths, choices and folds on problems in memory: no file, no flag, no clock.
#include "hinge/training/fit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "hinge/core/alone.h"
#include "hinge/parallel/ranked_executor.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/training/choose_c.h"
#include "hinge/training/cross_validate.h"
#include "hinge/training/learning.h"
#include "tests/support/classes_oracle.h"
#include "tests/support/complaint.h"
#include "tests/support/hidden_classes.h"

namespace hinge {
namespace {

using problems::HiddenClasses;

class Paths : public ::testing::Test {
 protected:
  Fitted fitted(const std::vector<double>& values, FitPlan plan = {}, Observer observer = {}) {
    SolverChoice choice;
    const auto solver = solver_for(options_, oracle_, choice);
    ObserverWatch watch(std::move(observer));
    plan.task = "classes";
    plan.values = values;
    return fit({.oracle = oracle_, .options = options_, .solver = *solver, .executor = executor_}, plan,
               watch);
  }

  ClassesOracle oracle_ = ClassesOracle::random(60, 4, 3, 5);
  TrainingOptions options_;
  SerialExecutor executor_;
};

TEST_F(Paths, AWarmStartReachesWhatEachValueReachesAlone) {
  const Fitted path = fitted({1, 10, 100});
  ASSERT_EQ(path.path.size(), 3u);
  for (const nlohmann::json& row : path.path) {
    const Fitted alone = fitted({row["C"].get<double>()});
    const double gaps = row["gap"].get<double>() + alone.summary["gap"].get<double>();
    EXPECT_NEAR(row["primal"].get<double>(), alone.summary["primal"].get<double>(), gaps);
  }
}

TEST_F(Paths, TheBestByTheMetricIsKept) {
  const auto by_norm = [](bool large) {
    return [large](Weights w) -> nlohmann::json {
      return {{"loss", large ? -squared_norm(w) : squared_norm(w)}, {"accuracy", 0.5}};
    };
  };
  EXPECT_EQ(fitted({1, 10, 100}, {.measure = by_norm(true)}).summary["C"], 100);
  EXPECT_EQ(fitted({1, 10, 100}, {.measure = by_norm(false)}).summary["C"], 1);
  EXPECT_EQ(fitted({1, 10, 100}, {.select = "accuracy", .measure = by_norm(true)}).summary["C"], 1);
}

TEST_F(Paths, ARuleMayEndThePathEarly) {
  int measured = 0;
  const FitPlan plan{.measure = [&](Weights) -> nlohmann::json {
                       return {{"loss", ++measured == 1 ? 0.1 : 0.5}};
                     },
                     .stops_early = true};
  const Fitted best = fitted({1, 6, 60, 600, 6000}, plan);
  EXPECT_EQ(best.summary["C"], 1);
  EXPECT_EQ(best.path.size(), 3u);  // two in a row are worse by a tenth
}

TEST_F(Paths, AnObserverEndsItWithWhatThereIs) {
  const Fitted stopped = fitted({1, 10}, {}, [](const Progress&) { return false; });
  EXPECT_EQ(stopped.path.size(), 1u);
  EXPECT_EQ(stopped.summary["termination"], "stopped");
  EXPECT_EQ(stopped.weights.size(), oracle_.dimension());
}

TEST_F(Paths, SearchesForOptimaAreRefusedOfCompleteLabels) {
  for (const TrainingOptions& options : {TrainingOptions{.restarts = 2}, TrainingOptions{.anneal = 1}})
    EXPECT_NE(complaint([&] { refuse_search(options, oracle_); }).find("one optimum"), std::string::npos);
  const HiddenClasses hidden(20, 2, 0.5, 1);
  refuse_search({.restarts = 2}, hidden);
}

TEST_F(Paths, SupervisedStartsCount) {
  const HiddenClasses hidden(40, 2, 0.5, 1);
  TrainingOptions options{.method = "lssvm", .init = "supervised"};
  SolverChoice choice;
  const auto solver = solver_for(options, hidden, choice);
  ObserverWatch watch({});
  follow_path({.oracle = hidden, .options = options, .solver = *solver, .executor = executor_}, {10}, watch,
              [&](double, Summary run) {
                EXPECT_NE(run.message.find("what complete labels teach"), std::string::npos);
                return true;
              });
}

// Subsets of one problem's items, measured by the share of wrong classes.
class HeldOutItems final : public HeldOut {
 public:
  HeldOutItems(ClassesOracle all, const Selection& rest, const Selection& part)
      : rest_(all), part_(std::move(all)) {
    const auto keep = [](ClassesOracle& oracle, const Selection& chosen) {
      std::size_t i = 0;
      std::erase_if(oracle.items(), [&](const auto&) { return !chosen(i++); });
    };
    keep(rest_, rest);
    keep(part_, part);
  }
  const Oracle& oracle() const override { return rest_; }
  std::size_t size() const override { return part_.size(); }
  JsonValue evaluate(Weights w, Executor&) const override {
    double wrong = 0;
    Plane plane;
    for (std::size_t i = 0; i < part_.size(); ++i) {
      part_.support(i, w, {Side::excess, 0, 0, 0}, plane);
      wrong += plane.at(w) > 0;
    }
    return nlohmann::json{{"loss", wrong / static_cast<double>(part_.size())}};
  }

 private:
  ClassesOracle rest_, part_;
};

TEST_F(Paths, FoldsHoldEveryExampleOutOnce) {
  std::size_t held = 0;
  const HoldOut hold_out = [&](const Selection& rest, const Selection& part) {
    for (std::size_t i = 0; i < 60; ++i) EXPECT_NE(rest(i), part(i));
    auto fold = std::make_unique<HeldOutItems>(oracle_, rest, part);
    held += fold->size();
    EXPECT_DOUBLE_EQ(fold->share(), static_cast<double>(fold->oracle().size()) / 60);
    return fold;
  };
  const auto make = [&](const Oracle& oracle) {
    SolverChoice ignored;
    return solver_for(options_, oracle, ignored);
  };
  ObserverWatch watch({});
  const CrossValidation result = cross_validate({.examples = 60, .folds = 7, .values = {0.001, 10}}, options_,
                                                hold_out, make, executor_, watch);
  EXPECT_EQ(held, 60u);
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.at.size(), 2u);
  for (const auto& [C, metrics] : result.at) EXPECT_EQ(metrics.at("loss").size(), 7u);
  const double best = result.best("loss");
  for (const auto& [C, metrics] : result.at)
    EXPECT_LE(estimate(result.at.at(best).at("loss")).mean, estimate(metrics.at("loss")).mean);
}

// Two folds at a time would mix the exchanges of one with those of the other.
TEST_F(Paths, RanksGoThroughFoldsOneAfterTheOther) {
  std::mutex mutex;
  int at_work = 0, most = 0;
  const auto count = [&](int change) {
    const std::lock_guard lock(mutex);
    most = std::max(most, at_work += change);
  };
  const HoldOut hold_out = [&](const Selection& rest, const Selection& part) {
    count(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    count(-1);
    return std::make_unique<HeldOutItems>(oracle_, rest, part);
  };
  const auto make = [&](const Oracle& oracle) {
    SolverChoice ignored;
    return solver_for(options_, oracle, ignored);
  };
  const auto folds_at_once = [&](Ranks* ranks) {
    RankedExecutor executor(make_executor(3), ranks, 0);
    ObserverWatch watch({});
    most = 0;
    cross_validate({.examples = 60, .folds = 6, .values = {10}}, options_, hold_out, make, executor, watch);
    return most;
  };
  Alone alone;
  EXPECT_EQ(folds_at_once(&alone), 1);
  EXPECT_GT(folds_at_once(nullptr), 1);
}

TEST_F(Paths, LearningChoosesByFoldsAndThenUsesAll) {
  const HoldOut hold_out = [&](const Selection& rest, const Selection& part) {
    return std::make_unique<HeldOutItems>(oracle_, rest, part);
  };
  ObserverWatch watch({});
  options_.C = {0.001, 10, 1000};
  options_.folds = 4;
  const Learned learned = learn(oracle_, hold_out, options_, executor_, watch);
  EXPECT_EQ(learned.C, learned.compared.best("loss"));
  const Fitted alone = fitted({learned.C});
  EXPECT_EQ(learned.run.weights, alone.weights);

  options_.C = "auto";
  const Learned chosen = learn(oracle_, hold_out, options_, executor_, watch);
  EXPECT_EQ(chosen.run.weights, fitted({chosen.C}).weights);
}

TEST_F(Paths, MoreFoldsThanExamplesAreRefused) {
  ObserverWatch watch({});
  EXPECT_NE(complaint([&] {
              cross_validate({.examples = 3, .folds = 5, .values = {1}}, options_, {}, {}, executor_, watch);
            }).find("only 3 examples"),
            std::string::npos);
}

TEST(BestC, KeepsTheOneNearestTheUsualAmongLikes) {
  BestC rule("loss", 10);
  const auto loss = [](double value) { return nlohmann::json{{"loss", value}}; };
  for (const double C : {0.1, 1.0, 10.0}) EXPECT_TRUE(rule.take(C, Termination::converged, loss(0.2)));
  EXPECT_EQ(rule.C(), 10);
  EXPECT_TRUE(rule.take(30, Termination::converged, loss(0.199)));  // too little to count
  EXPECT_EQ(rule.C(), 10);
  EXPECT_FALSE(rule.take(100, Termination::converged, loss(0.199)));
  BestC lost("accuracy", 10);
  EXPECT_TRUE(lost.take(1, Termination::converged, {{"accuracy", 0.5}}));
  EXPECT_FALSE(lost.take(10, Termination::iteration_limit, {{"accuracy", 0.9}}));
  EXPECT_EQ(lost.C(), 1);
}

TEST(Estimate, IsMeanAndStandardError) {
  const Estimate e = estimate({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(e.mean, 3);
  EXPECT_DOUBLE_EQ(e.standard_error, std::sqrt(14.0 / 3 / 4));
}

}  // namespace
}  // namespace hinge
