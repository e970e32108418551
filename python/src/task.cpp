// Tasks written in Python: learned by every solver, and checked.
#include <nlohmann/json.hpp>

#include "hinge/core/options_json.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/oracle/check_task.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/training/fit.h"
#include "json.h"
#include "parts_task.h"
#include "watch.h"

namespace hinge::python {
namespace {

// body(oracle), of the task and its examples; `engine` is empty for a task without parts. check(options) checks it.
template <class Body>
void with_oracle(const nb::object& task, const nb::list& X, const nb::list& y,
                 const std::vector<double>& weights, const Places& places, const std::string& engine,
                 const Body& body) {
  if (nb::len(X) == 0) fail("there is no example to learn from: X is empty.");
  if (engine.empty()) {
    const PlainOracle oracle(task, X, y, weights, places);
    return body(oracle, [&](const CheckOptions& options) { return check_oracle(oracle, options); });
  }
  const PythonParts parts(task, X, y, engine, places);
  const auto with = [&]<class E>(std::type_identity<E>) {
    const PartsTask<E> own(parts, nb::len(X));
    std::vector<Example<PartsTask<E>>> examples;
    for (std::size_t i = 0; i < nb::len(X); ++i)
      examples.push_back({i, i, weights.empty() ? 1.0 : weights[i]});
    const TaskOracle<PartsTask<E>> oracle(own, examples);
    const std::span<const Example<PartsTask<E>>> all(examples);
    body(oracle, [&](const CheckOptions& options) { return check_task(own, all, options); });
  };
  with_engine(engine, with);
}

// What the engine of a task finds in arrays of scores: (value, counts by name).
nb::tuple solve_parts(const nb::object& task, const nb::object& scores, const std::string& engine,
                      double temperature) {
  const PartsReader read(engine, ngrams_of(task, engine));
  PartArrays parts = read(scores, "score", 0, nullptr);
  return with_engine(engine, [&]<class E>(std::type_identity<E>) {
    PartShape shape;
    typename E::Scores filled;
    typename E::Counts counts;
    Form<E>::shape(parts, read.ngrams(), shape);
    Form<E>::fill(parts, shape, filled);
    if (std::same_as<E, SpanningForest> && temperature > 0)
      fail("forests have maxima alone: temperature is 0.");
    double value = 0;
    {
      const nb::gil_scoped_release unlocked;
      value = E().solve(filled, temperature, temperature, counts);
      for (std::vector<double>* table : parts.tables()) std::ranges::fill(*table, 0.0);
      if (value != kForbidden) Form<E>::read(counts, shape, parts);
    }
    return nb::make_tuple(value, read.told(parts));
  });
}

// (weights, summary as JSON). `places` has the numbers of the examples where some were left out.
nb::tuple learn_task(const nb::object& task, const nb::list& X, const nb::list& y,
                     const std::vector<double>& weights, const std::vector<std::size_t>& places,
                     const std::string& engine, const std::string& training,
                     const std::map<std::string, double>& settings, const std::vector<double>& values,
                     const std::vector<double>& init, nb::object callback, int presses) {
  TrainingOptions options;
  options_from_json(json_of(training), list_options(options));
  options.settings = settings;
  options.check_consistency();
  Fitted fitted;
  with_oracle(task, X, y, weights, Places(places), engine, [&](const Oracle& oracle, const auto&) {
    refuse_search(options, oracle);
    SolverChoice choice;
    const std::unique_ptr<Solver> solver = solver_for(options, oracle, choice);
    std::vector<double> path = path_of_C(options, oracle.size());
    if (!values.empty()) path = {values[0] * static_cast<double>(oracle.size())};
    PythonWatch watch(std::move(callback), options.time_limit, presses);
    const nb::gil_scoped_release unlocked;
    const bool alone = engine.empty() && !kFreeThreads;
    const auto executor = make_executor(alone ? 1 : static_cast<std::size_t>(options.threads));
    fitted =
        fit({.oracle = oracle, .options = options, .solver = *solver, .executor = *executor, .init = init},
            {.task = "own", .values = path}, watch);
  });
  PythonWatch::raise_noted();
  const std::size_t size = fitted.weights.size();
  return nb::make_tuple(out_array(std::vector<double>(fitted.weights), {size}), fitted.summary->dump());
}

// (failures, skipped, comparisons)
nb::tuple check_python_task(const nb::object& task, const nb::list& X, const nb::list& y,
                            const std::string& engine, int examples, std::uint64_t seed) {
  CheckReport report;
  with_oracle(task, X, y, {}, {}, engine, [&](const Oracle&, const auto& check) {
    CheckOptions options;
    options.examples = examples;
    options.seed = seed;
    report = check(options);
  });
  return nb::make_tuple(report.failures, report.skipped, report.comparisons);
}

}  // namespace

void bind_task(nb::module_& m) {
  m.attr("free_threads") = kFreeThreads;
  m.def("learn_task", &learn_task, "task"_a, "X"_a, "y"_a, "weights"_a, "places"_a, "engine"_a, "training"_a,
        "settings"_a, "values"_a, "init"_a, "callback"_a.none(), "presses"_a);
  m.def("solve_parts", &solve_parts, "task"_a, "scores"_a, "engine"_a, "temperature"_a);
  m.def("check_task", &check_python_task, "task"_a, "X"_a, "y"_a, "engine"_a, "examples"_a, "seed"_a);
}

}  // namespace hinge::python
