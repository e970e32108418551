#include "cli/learner.h"

#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "hinge/learning/summary_json.h"
#include "hinge/oracle/checking_oracle.h"
#include "hinge/oracle/drawn_oracle.h"

namespace hinge {
namespace {

std::size_t incomplete(const Oracle& oracle) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < oracle.size(); ++i) count += oracle.determined(i) ? 0 : 1;
  return count;
}

// Whether inference gives approximate answers on this data: asks for a few.
bool approximate(const Oracle& oracle, const Formulation& formulation) {
  constexpr std::size_t kFew = 8;
  const InferenceReport before = oracle.inference();
  const Vector zeros(oracle.dimension());
  Plane plane;
  for (std::size_t i = 0; i < std::min(kFew, oracle.size()); ++i) {
    const Query query = formulation.query(oracle.determined(i) ? Side::excess : Side::free);
    if (!oracle.refusal(query).empty()) return false;  // the objective says so
    oracle.support(i, zeros, query, plane);
  }
  return !oracle.inference().since(before).exact();
}

}  // namespace

void refuse_search(const LearningOptions& options, const Oracle& oracle) {
  if (incomplete(oracle) > 0) return;
  if (options.restarts > 1)
    fail("every label is complete, so that there is one optimum: leave out --restarts.");
  if (options.anneal > 0) fail("every label is complete, so that there is one optimum: leave out --anneal.");
}

void Learner::path(const Oracle& data, Vector init, const Path& path, const std::string& label,
                   Monitor& monitor, const std::function<bool(double, Summary)>& each) const {
  const std::vector<double>& values = path.values;
  const Formulation method = options_.formulation();
  std::optional<CheckingOracle> checking;
  if (approximate(data, method))
    checking.emplace(
        data, std::vector{method.query(Side::free), method.query(Side::clamped), method.query(Side::excess)});
  Objective objective(checking ? *checking : data, method, values.front() * path.share, executor_,
                      Regulariser{{}, {}, options_.l1});
  Exploration exploration = options_.exploration();
  exploration.init = std::move(init);
  const Init::Kind kind = Init::parse(options_.init).kind;
  exploration.task_starts = kind == Init::Kind::unset;
  if (kind == Init::Kind::zero) exploration.init.assign(objective.dimension(), 0.0);
  if (kind == Init::Kind::supervised && objective.needs_linearizing())
    exploration.init =
        supervised_start(solver_, objective, monitor.observer(label + "complete labels  ", values.front()));

  exploration.drawn = kind == Init::Kind::drawn && objective.needs_linearizing();
  if (exploration.drawn && !DrawnOracle::can_draw(data))
    fail("--init drawn needs a task that can draw what is hidden: motif can; use random:S here.");

  Start start;
  for (const double C : values) {
    objective.set_C(C * path.share);
    const std::string name = values.size() > 1 ? fmt::format("{}C = {:g}  ", label, C) : label;
    Summary summary = explore(solver_, objective, std::move(start), exploration, monitor.observer(name, C));
    monitor.end_line();
    if (!monitor.stopped().empty()) summary.message = monitor.stopped();
    if (C != values.back()) start = {summary.weights, summary.planes};
    summary.planes.reset();
    if (!each(C, std::move(summary)) || !monitor.stopped().empty()) return;
  }
}

nlohmann::json Learner::summary(const std::string& task, const Oracle& oracle, double C,
                                const Summary& run) const {
  nlohmann::json all = to_json(run);
  all["task"] = task;
  all["method"] = options_.method;
  all["rescaling"] = options_.rescaling;
  const Formulation formulation = options_.formulation();
  all["output_temperature"] = formulation.output_temperature;
  all["latent_temperature"] = formulation.latent_temperature;
  all["incomplete"] = incomplete(oracle);
  all["C"] = C;
  all["n"] = oracle.size();
  all["dimension"] = oracle.dimension();
  all["seed"] = options_.seed;
  all["threads"] = executor_.workers();
  all["peak_memory_bytes"] = peak_memory_bytes();
  return all;
}

double target_gap(Solver& solver) {
  for (const OptionRef& option : solver.options())
    if (const auto* value = std::get_if<double*>(&option.field); value != nullptr && option.name == "gap")
      return **value;
  return 0;
}

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace hinge
