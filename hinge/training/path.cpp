#include "hinge/training/path.h"

#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hinge/core/ranks.h"
#include "hinge/core/sum.h"
#include "hinge/learning/summary_json.h"
#include "hinge/oracle/checking_oracle.h"
#include "hinge/oracle/drawn_oracle.h"
#include "hinge/solvers/exploration.h"

namespace hinge {
namespace {

// The run that made the start is part of the whole.
void add_supervised(const Summary& first, Summary& whole) {
  whole.message += fmt::format(
      " It began from what complete labels teach, which took {} oracle calls and {:.2f} CPU seconds: {}",
      first.oracle_calls, first.cpu_seconds, first.message);
  whole.add_work(first);
}

Exploration exploration(const TrainingOptions& options, const Init& init, Vector weights,
                        const Objective& objective) {
  Exploration result{.init = std::move(weights),
                     .task_starts = init.kind == Init::Kind::unset,
                     .drawn = init.kind == Init::Kind::drawn && objective.needs_linearizing(),
                     .restarts = options.restarts,
                     .anneal = options.anneal,
                     .seed = options.seed};
  if (init.kind == Init::Kind::random) result.spread = init.spread;
  if (init.kind == Init::Kind::zero) result.init.assign(objective.dimension(), 0.0);
  return result;
}

}  // namespace

void refuse_search(const TrainingOptions& options, const Oracle& oracle) {
  if (count_incomplete(oracle) > 0) return;
  for (const auto& [name, asked] :
       {std::pair("restarts", options.restarts > 1), {"anneal", options.anneal > 0}})
    if (asked) fail("every label is complete, so that there is one optimum: leave out `{}`.", name);
}

void follow_path(Problem problem, const std::vector<double>& values, Watch& watch,
                 const std::function<bool(double, Summary)>& each) {
  const auto& [oracle, options, solver, executor, weights, share, label] = problem;
  const Formulation method = options.formulation();
  if (Formulation::transductive(method.name))
    fail("method {} learns from unlabelled examples and rules, which there are none of here.", method.name);
  std::optional<CheckingOracle> checking;
  const bool approximate = may_approximate(oracle, method);  // as far as this rank's own examples show
  if (executor.ranks() == nullptr ? approximate : executor.ranks()->any(approximate))
    checking.emplace(oracle);
  Objective objective(checking ? *checking : oracle, method, values.front() * share, executor,
                      Regulariser{{}, {}, options.l1});
  const Init init = Init::parse(options.init);
  Exploration explored = exploration(options, init, std::move(problem.init), objective);
  std::optional<Summary> supervised;
  if (init.kind == Init::Kind::supervised && objective.needs_linearizing()) {
    supervised =
        supervised_start(solver, objective, watch.observer(label + "complete labels  ", values.front()));
    explored.init = supervised->weights;
  }
  if (explored.drawn && !DrawnOracle::can_draw(oracle))
    fail("`init` drawn needs a task that can draw what is hidden: motif can; use random:S here.");

  Start start;
  for (const double C : values) {
    objective.set_C(C * share);
    const std::string name = values.size() > 1 ? fmt::format("{}C = {:g}  ", label, C) : label;
    Summary run = explore(solver, objective, std::move(start), explored, watch.observer(name, C));
    watch.run_ended();
    if (const std::string stopped = watch.stopped(); !stopped.empty()) {
      run.message = stopped;
      if (!std::isfinite(run.primal)) run.message += " Their objective was not computed.";
    }
    if (supervised) add_supervised(*std::exchange(supervised, {}), run);
    if (C != values.back()) start = {run.weights, run.planes, run.potentials};
    run.planes.reset();
    run.potentials.reset();
    run.weights.resize(oracle.dimension());
    if (!each(C, std::move(run)) || !watch.stopped().empty()) return;
  }
}

nlohmann::json run_summary(const std::string& task, const Problem& problem, double C, const Summary& run) {
  const TrainingOptions& options = problem.options;
  const Formulation formulation = options.formulation();
  nlohmann::json all = to_json(run);
  all["task"] = task;
  all["method"] = options.method;
  all["rescaling"] = options.rescaling;
  all["output_temperature"] = formulation.output_temperature;
  all["latent_temperature"] = formulation.latent_temperature;
  all["incomplete"] = count_incomplete(problem.oracle);
  all["C"] = C;
  all["n"] = problem.oracle.size();
  all["dimension"] = problem.oracle.dimension();
  all["seed"] = options.seed;
  all["threads"] = problem.executor.workers();
  all["shards"] = DenseSum::pieces(problem.oracle.size(), problem.oracle.dimension(), problem.executor);
  if (Ranks* const ranks = problem.executor.ranks()) {
    all["ranks"] = {{"number", ranks->size()},
                    {"exchanges", ranks->traffic().exchanges},
                    {"bytes_sent", ranks->traffic().bytes},
                    {"bytes_received", ranks->traffic().received},
                    {"seconds_in_exchanges", ranks->traffic().seconds}};
    for (const std::string& bytes : ranks->gather([] { return std::to_string(peak_memory_bytes()); }))
      all["ranks"]["peak_memory_bytes"].push_back(std::stoull(bytes));
    const auto of_each = [&](const char* name, double mine) {
      for (const std::string& seconds : ranks->gather([&] { return fmt::format("{}", mine); }))
        all["ranks"][name].push_back(std::stod(seconds));
    };
    of_each("cpu_seconds", run.cpu_seconds);
    of_each("cpu_seconds_oracle", run.phases.oracle_cpu);
    of_each("cpu_seconds_in_exchanges", run.phases.exchange_cpu);
    if (const std::string why = replicated_work(run.solver, problem.oracle, formulation); !why.empty())
      all["ranks"]["not_shared"] = why;
  }
  all["peak_memory_bytes"] = peak_memory_bytes();
  return all;
}

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace hinge
