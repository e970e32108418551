// Options as their own descriptions have them, for the constructors and docstrings of the estimators.
#include "hinge/core/options.h"

#include "binding.h"
#include "hinge/solvers/solver.h"
#include "hinge/tasks/any_task.h"
#include "hinge/training/training_options.h"

namespace hinge::python {
namespace {

nb::dict described(const OptionRef& option) {
  nb::dict d;
  d["name"] = option.name;
  d["help"] = option.help;
  d["low"] = option.range.low;
  d["high"] = option.range.high;
  d["words"] = option.range.file ? std::vector<std::string>{} : option.range.words;  // else any path
  std::visit(
      [&](const auto* field) {
        using T = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::same_as<T, std::vector<std::string>> || std::same_as<T, std::vector<double>>) {
          nb::list values;
          for (const auto& value : *field) values.append(value);
          d["default"] = nb::tuple(values);
          d["kind"] = "list";
        } else {
          d["default"] = *field;
          d["kind"] = std::same_as<T, bool>          ? "bool"
                      : std::same_as<T, std::string> ? "str"
                      : std::same_as<T, double>      ? "float"
                                                     : "int";
        }
      },
      option.field);
  return d;
}

nb::list described(const std::vector<OptionRef>& options) {
  nb::list all;
  for (const OptionRef& option : options) all.append(described(option));
  return all;
}

}  // namespace

void bind_options(nb::module_& m) {
  m.def(
      "task_options", [](const std::string& task) { return described(make_task(task)->options()); }, "task"_a,
      "The options of training of a task, as dicts of name, help, default, kind, low, high and words.");
  m.def(
      "training_options",
      [] {
        TrainingOptions options;
        return described(list_options(options));
      },
      "The options of any training.");
  m.def(
      "solver_options", [](const std::string& solver) { return described(make_solver(solver)->options()); },
      "solver"_a, "The options of a solver.");
  m.def("task_names", [] {
    std::vector<std::string> names;
    for (const TaskKind& kind : task_kinds()) names.push_back(kind.name);
    return names;
  });
  m.def("solver_names", [] {
    std::vector<std::string> names;
    for (const SolverKind& kind : solver_kinds()) names.push_back(kind.name);
    return names;
  });
}

}  // namespace hinge::python
