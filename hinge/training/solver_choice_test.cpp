#include "hinge/training/solver_choice.h"

#include <gtest/gtest.h>

#include "tests/support/classes_oracle.h"
#include "tests/support/complaint.h"
#include "tests/support/hidden_classes.h"

namespace hinge {
namespace {

using problems::HiddenClasses;

// The table of solver_choice.h, line by line.
TEST(SolverChoice, FollowsItsTable) {
  const auto chosen = [](Situation situation) {
    const SolverChoice choice = choose_solver(situation);
    EXPECT_FALSE(choice.reason.empty());
    return choice.inner.empty() ? choice.solver : choice.solver + " " + choice.inner;
  };
  constexpr std::size_t kFew = 50, kMany = 1'000'000;
  for (const bool complete : {false, true}) EXPECT_EQ(chosen({true, true, complete, kFew, kFew}), "lbfgs");
  Situation soft{true, true, true, kFew, kMany};
  soft.soft_dual = true;
  soft.C = 1;
  EXPECT_EQ(chosen(soft), "soft_dual");
  soft.dual_bytes = 5e9;
  EXPECT_EQ(chosen(soft), "lbfgs");
  soft.dual_bytes = 3e9;
  soft.ranks = 3;
  EXPECT_EQ(chosen(soft), "soft_dual");
  EXPECT_NE(choose_solver(soft).reason.find("do not share"), std::string::npos);
  // Ranks share visits that are dear beside what is told of them, and keep numbers of their own examples alone.
  soft.telling_share = 0.1;
  for (const auto& [ranks, solver] : {std::pair(3u, "soft_dual"), {13u, "soft_dual"}, {15u, "lbfgs"}}) {
    soft.ranks = ranks;
    EXPECT_EQ(chosen(soft), solver) << ranks;
    EXPECT_NE(choose_solver(soft).reason.find("telling costs about 0.1 of making"), std::string::npos);
  }
  soft.ranks = 3;
  soft.dual_bytes = 10e9;
  EXPECT_EQ(chosen(soft), "soft_dual");
  soft.dual_bytes = 13e9;
  EXPECT_EQ(chosen(soft), "lbfgs");
  soft.dual_bytes = 0;
  soft.telling_share = 0.6;
  soft.ranks = 4;
  EXPECT_EQ(chosen(soft), "lbfgs");
  soft.ranks = 1;
  soft.C = 1.1;
  EXPECT_EQ(chosen(soft), "lbfgs");
  soft.single = true;
  soft.C = 5;
  EXPECT_EQ(chosen(soft), "soft_dual");
  soft.C = 5.1;
  EXPECT_EQ(chosen(soft), "lbfgs");
  soft.divided = true;
  EXPECT_EQ(chosen(soft), "soft_dual");
  soft.divided = soft.single = false;
  soft.C = 0;
  soft.complete = false;
  EXPECT_EQ(chosen(soft), "lbfgs");
  soft.complete = true;
  soft.examples = kFew;
  EXPECT_EQ(chosen(soft), "lbfgs");
  EXPECT_EQ(chosen({false, true, false, kFew, kFew}), "cccp bundle");
  EXPECT_EQ(chosen({false, true, false, kMany, kFew}), "cccp frank_wolfe");
  EXPECT_EQ(chosen({false, true, false, kFew, kMany}), "cccp frank_wolfe");
  EXPECT_EQ(chosen({false, false, false, kFew, kFew}), "cccp frank_wolfe");
  for (const bool sums_hidden : {false, true}) {
    EXPECT_EQ(chosen({false, sums_hidden, true, kFew, kFew}), "frank_wolfe");
    EXPECT_EQ(chosen({false, sums_hidden, true, kMany, 1}), "bundle");
  }
}

// Of ranks: 1.4 / β, but no fewer than bundle's passes ask for; planes by the memory they take; work that is not shared.
TEST(SolverChoice, LooksAtRanks) {
  Situation s{.complete = true,
              .weights = 1000,
              .examples = 1000,
              .ranks = 4,
              .sweep_share = 0.1,
              .plane_bytes = 1e6};
  const auto solver = [&](std::size_t ranks) {
    s.ranks = ranks;
    return choose_solver(s).solver;
  };
  EXPECT_EQ(solver(13), "frank_wolfe");
  EXPECT_EQ(solver(14), "bundle");
  s.sweep_share = 10;
  EXPECT_EQ(solver(4), "frank_wolfe");
  EXPECT_EQ(solver(5), "bundle");
  s.plane_bytes = 1e10;
  EXPECT_EQ(solver(2), "bundle");
  s.plane_bytes = 0;
  s.listed = true;
  EXPECT_EQ(solver(1), "frank_wolfe");
  EXPECT_EQ(solver(4), "frank_wolfe");
  EXPECT_EQ(solver(5), "bundle");
  EXPECT_NE(choose_solver(s).reason.find("on every rank"), std::string::npos);
}

TEST(SolverChoice, SeesTheSituation) {
  const auto complete = ClassesOracle::random(30, 4, 3, 1);
  const auto by = [](const char* method, const char* C = "") {
    TrainingOptions options;
    options.method = method;
    options.C.text = C;
    return options;
  };
  const Situation one = situation(complete, by("ssvm"));
  EXPECT_TRUE(!one.smooth && !one.sums_hidden && one.complete && one.weights == 12 && one.examples == 30);
  const HiddenClasses hidden(20, 2, 0.5, 1);
  const Situation other = situation(hidden, by("mssvm"));
  EXPECT_TRUE(!other.smooth && other.sums_hidden && !other.complete);
  EXPECT_TRUE(situation(hidden, by("hcrf")).smooth);
  EXPECT_EQ(situation(complete, by("crf")).C, 1);
  EXPECT_EQ(situation(complete, by("crf", "3,60")).C, 2);
  EXPECT_FALSE(situation(complete, by("crf")).soft_dual);  // it has no parts
  EXPECT_NE(replicated_work("stochastic", complete, Formulation::named("ssvm")), "");
  EXPECT_EQ(replicated_work("bundle", complete, Formulation::named("ssvm")), "");
}

// What auto chooses once it sees the data is among what flags were taken for before.
TEST(SolverChoice, IsAmongTheCandidates) {
  for (const char* method : {"ssvm", "mssvm", "crf", "softmax-margin"}) {
    const Formulation formulation = Formulation::named(method);
    for (const bool complete : {false, true})
      for (const std::size_t size : {1, 10, 1'000'000}) {
        const SolverChoice choice = choose_solver({formulation.smooth(), formulation.latent_temperature > 0,
                                                   complete, size, size, formulation.smooth()});
        const std::string name = choice.inner.empty() ? choice.solver : choice.inner;
        const auto candidates = solver_candidates(formulation);
        EXPECT_NE(std::ranges::find(candidates, name), candidates.end()) << method << " " << name;
      }
  }
}

TEST(MakeSolver, SetsSeedAndSettings) {
  const auto solver = make_solver({"frank_wolfe", "", ""}, 17, {{"gap", 0.5}, {"batch", 3}});
  EXPECT_EQ(solver->name(), "cccp");  // which on complete labels is frank_wolfe
  EXPECT_EQ(target_gap(*solver), 0.5);
  for (const OptionRef& option : solver->options()) {
    if (option.name == "seed") {
      EXPECT_EQ(*std::get<std::uint64_t*>(option.field), 17u);
    }
    if (option.name == "batch") {
      EXPECT_EQ(*std::get<int*>(option.field), 3);
    }
  }
  const auto groups = solver->option_groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "frank_wolfe");
  EXPECT_EQ(groups[1].name, "cccp");
}

TEST(MakeSolver, RefusesWhatIsNotThere) {
  EXPECT_NE(complaint([] {
              make_solver({"nothing", "", ""}, 1);
            }).find("there is no solver"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              make_solver({"lbfgs", "", ""}, 1, {{"batch", 1}});
            }).find("no option `batch`"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              make_solver({"bundle", "", ""}, 1, {{"gap", -1}});
            }).find("`gap`"),
            std::string::npos);
}

}  // namespace
}  // namespace hinge
