#include <gtest/gtest.h>

#include <set>

#include "hinge/solvers/solver.h"

namespace hinge {
namespace {

TEST(Registry, MakesEverySolverByItsName) {
  std::set<std::string> names;
  for (const SolverKind& kind : solver_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name << " stands there twice";
    EXPECT_EQ(make_solver(kind.name)->name(), kind.name);
    EXPECT_FALSE(kind.summary.empty());
  }
}

TEST(Registry, DescribesEveryOption) {
  for (const SolverKind& kind : solver_kinds()) {
    const auto solver = kind.make();
    std::set<std::string> names;
    for (const OptionRef& option : solver->options()) {
      EXPECT_TRUE(names.insert(option.name).second) << kind.name << " has two options " << option.name;
      EXPECT_FALSE(option.help.empty()) << kind.name << " " << option.name;
      const auto* number = std::get_if<double*>(&option.field);
      const auto* count = std::get_if<int*>(&option.field);
      EXPECT_TRUE(number == nullptr || option.range.contains(**number)) << kind.name << " " << option.name;
      EXPECT_TRUE(count == nullptr || option.range.contains(**count)) << kind.name << " " << option.name;
    }
    if (!kind.convex_only) continue;
    for (const char* shared : {"gap", "max_passes"}) EXPECT_TRUE(names.contains(shared)) << kind.name;
  }
}

TEST(Registry, NamesWhatThereIs) {
  try {
    make_solver("newton");
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("'newton'"), std::string::npos);
    for (const SolverKind& kind : solver_kinds()) EXPECT_NE(what.find(kind.name), std::string::npos);
  }
}

}  // namespace
}  // namespace hinge
