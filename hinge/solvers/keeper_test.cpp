// A run that another process goes on with ends as one that was never interrupted, to the last bit, from
// wherever it was kept.
#include "hinge/learning/keeper.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/exploration.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/training/solver_choice.h"
#include "tests/support/hidden_classes.h"
#include "tests/support/memory_keeper.h"
#include "tests/support/set_option.h"

namespace hinge {
namespace {

enum class Data { complete, hidden, listed };  // the last: an oracle that lists all planes

struct Case {
  std::string solver, inner, method;
  Data data = Data::complete;
  Exploration exploration = {};
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  return fmt::format("{}{}_{}_{}_{}", c.solver, c.inner.empty() ? "" : "_around_" + c.inner, c.method,
                     static_cast<int>(c.data), c.exploration.restarts);
}

class Kept : public testing::TestWithParam<Case> {
 protected:
  Kept() : task_(6, 3, {0, 1, 1, 1, 0, 1, 1, 1, 0}) {
    Random random(2);
    for (std::size_t i = 0; i < 40; ++i)
      examples_.push_back({{{static_cast<Index>(i % 5), 5}, {1, static_cast<float>(random.normal())}},
                           static_cast<int>(random.below(3)),
                           1});
  }

  using Watch = std::function<Observer(const Objective&)>;
  Summary run(Keeper* keeper, std::size_t threads) const {
    return run([&](const Objective&) { return Observer().keeping(keeper); }, threads);
  }
  Summary run(const Watch& watch, std::size_t threads) const {
    const TaskOracle<MulticlassTask> listed(task_, examples_);
    const problems::HiddenClasses complete(40, 1, 1, 5), hidden(24, 2, 0.25, 3);
    const Case& c = GetParam();
    const Oracle* const oracles[] = {&complete, &hidden, &listed};
    const auto executor = make_executor(threads);
    const auto solver = make_solver(SolverChoice{c.solver, c.inner, ""}, 1);
    set_option(*solver, "max_steps", 12);
    set_option(*solver, "inner_steps", 3);
    set_option(*solver, "cache", 3);
    set_option(*solver, "gap", c.data == Data::hidden ? 1e-3 : 1e-6);
    set_option(*solver, "max_passes", 60);
    Objective objective(*oracles[static_cast<int>(c.data)], Formulation::named(c.method), 20, *executor);
    return explore(*solver, objective, {}, c.exploration, watch(objective));
  }

 private:
  MulticlassTask task_;
  std::vector<Example<MulticlassTask>> examples_;
};

void expect_same(const Summary& a, const Summary& b) {
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.primal, b.primal);
  EXPECT_EQ(a.dual, b.dual);
  EXPECT_EQ(a.termination, b.termination);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.oracle_calls, b.oracle_calls);
  EXPECT_EQ(a.restarts, b.restarts);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t k = 0; k < a.history.size(); ++k) {
    EXPECT_EQ(a.history[k].primal, b.history[k].primal) << k;
    EXPECT_EQ(a.history[k].oracle_calls, b.history[k].oracle_calls);
  }
}

TEST_P(Kept, GoesOnFromAnywhere) {
  const Summary whole = run(nullptr, 1);
  MemoryKeeper keeper;
  expect_same(run(&keeper, 1), whole);  // to keep changes nothing
  ASSERT_GE(keeper.states.size(), 2u) << "the run is too short to tell anything";
  const std::size_t stride = std::max<std::size_t>(1, keeper.states.size() / 24);
  for (std::size_t k = 0; k < keeper.states.size(); k += stride) {
    SCOPED_TRACE(k);
    MemoryKeeper later(keeper.states[k]);
    expect_same(run(&later, k % 3 + 1), whole);
    EXPECT_EQ(later.states.size(), keeper.states.size() - k);  // nothing was done twice
  }
}

// Who has to go leaves a state within a few calls of the oracle, in the middle of a pass, and without it.
TEST_P(Kept, IsLeftInTheMiddleOfAPass) {
  const Summary whole = run(nullptr, 1);
  const std::string& inner = GetParam().inner.empty() ? GetParam().solver : GetParam().inner;
  // Others are asked again after each call, or go through examples in waves and batches.
  const std::size_t enough = inner == "n_slack" || inner == "one_slack" || inner == "frank_wolfe" ? 40 : 16;
  std::size_t left = 0;
  for (std::size_t calls = 3; calls < whole.oracle_calls;
       calls += std::max<std::size_t>(1, whole.oracle_calls / 23)) {
    SCOPED_TRACE(calls);
    std::unique_ptr<LeavingKeeper> keeper;
    const Summary part = run(
        [&](const Objective& objective) {
          keeper = std::make_unique<LeavingKeeper>(objective, calls);
          return keeper->observer();
        },
        1);
    if (!keeper->left()) continue;  // in a last certificate
    ++left;
    EXPECT_EQ(part.termination, Termination::stopped);
    EXPECT_LE(keeper->calls_too_many(), enough);
    MemoryKeeper later(keeper->state);
    expect_same(run(&later, calls % 3 + 1), whole);
  }
  EXPECT_GE(left, 10u);
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, Kept,
    testing::Values(Case{"lbfgs", "", "crf"}, Case{"bundle", "", "ssvm"}, Case{"one_slack", "", "ssvm"},
                    Case{"n_slack", "", "ssvm"}, Case{"subgradient", "", "ssvm"},
                    Case{"stochastic", "", "ssvm"}, Case{"frank_wolfe", "", "ssvm"},
                    Case{"frank_wolfe", "", "ssvm", Data::listed}, Case{"soft_dual", "", "crf", Data::listed},
                    Case{"lbfgs", "", "hcrf", Data::hidden}, Case{"descent", "", "hcrf", Data::hidden},
                    Case{"cccp", "frank_wolfe", "lssvm", Data::hidden},
                    Case{"cccp", "bundle", "lssvm", Data::hidden},
                    Case{"cccp", "lbfgs", "hcrf", Data::hidden},
                    Case{"cccp", "frank_wolfe", "mssvm", Data::hidden, {.restarts = 3, .anneal = 2}},
                    Case{"lbfgs", "", "hcrf", Data::hidden, {.restarts = 2}}),
    name_of);

TEST(Snapshot, RefusesWhatEndsTooSoon) {
  Vector numbers = {1, 2, 3};
  Snapshot written;
  written(numbers);
  for (std::size_t size = 0; size < written.bytes().size(); ++size) {
    Snapshot cut(written.bytes().substr(0, size));
    Vector read;
    EXPECT_THROW(cut(read), InputError) << size;
  }
}

TEST(Snapshot, BringsBackWhatWasWritten) {
  Plane plane;
  plane.offset = -2;
  plane.slope.add(3, 0.5);
  plane.slope.add(9, -0.0);
  std::vector<std::string> words = {"a", "", "cd"};
  std::optional<Vector> some = Vector{0.1}, none;
  std::vector<std::pair<std::string, std::size_t>> pairs = {{"x", 3}};
  Snapshot written;
  written(plane, words, some, none, pairs);
  Snapshot read(written.bytes());
  Plane other;
  std::vector<std::string> other_words = {"z"};
  std::optional<Vector> other_some, other_none = Vector{1};
  std::vector<std::pair<std::string, std::size_t>> other_pairs;
  read(other, other_words, other_some, other_none, other_pairs);
  EXPECT_TRUE(read.at_end());
  EXPECT_EQ(other.offset, plane.offset);
  EXPECT_EQ(other.slope, plane.slope);
  EXPECT_EQ(other_words, words);
  EXPECT_EQ(other_some, some);
  EXPECT_EQ(other_none, none);
  EXPECT_EQ(other_pairs, pairs);
}

}  // namespace
}  // namespace hinge
