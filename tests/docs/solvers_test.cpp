// The table of options in docs/solvers.md is what the solvers say of themselves.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "hinge/solvers/solver.h"
#include "tests/support/data.h"

namespace hinge {
namespace {

std::string default_of(const OptionRef& option) {
  return std::visit(
      [](const auto* field) -> std::string {
        using T = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::same_as<T, bool>)
          return *field ? "on" : "off";
        else if constexpr (std::is_arithmetic_v<T>)
          return fmt::format("{}", *field);
        else if constexpr (std::same_as<T, std::string>)
          return *field;
        else
          return fmt::format("{} values", field->size());
      },
      option.field);
}

std::string options_table() {
  std::string table = "| solver | option | default | takes | |\n|---|---|---|---|---|\n";
  for (const SolverKind& kind : solver_kinds()) {
    const auto solver = kind.make();
    for (const OptionRef& option : solver->options()) {
      const bool flag = std::holds_alternative<bool*>(option.field);
      table += fmt::format("| {} | `{}` | {} | {} | {} |\n", kind.name, option.name, default_of(option),
                           flag ? "on or off" : option.range.text(), option.help);
    }
  }
  return table;
}

TEST(Docs, ListTheOptionsOfEverySolver) {
  std::ostringstream text;
  text << std::ifstream(source_file("docs/solvers.md")).rdbuf();
  const std::string page = text.str(), table = options_table();
  EXPECT_NE(page.find("-->\n" + table + "<!-- end of options -->"), std::string::npos)
      << "the table must be:\n"
      << table;
  for (const SolverKind& kind : solver_kinds())
    EXPECT_NE(page.find("| `" + kind.name + "` |"), std::string::npos) << kind.name << " certifies what?";
}

}  // namespace
}  // namespace hinge
