#include "cli/learner.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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

// Whether inference may answer approximately on this data. What the oracle refuses is left to the objective,
// which says why.
bool may_approximate(const Oracle& oracle, const Formulation& formulation) {
  const auto may = [&](std::size_t i, Side side) {
    const Query query = formulation.query(side);
    return oracle.refusal(query).empty() && oracle.may_approximate(i, query);
  };
  for (std::size_t i = 0; i < oracle.size(); ++i)
    if (oracle.determined(i) ? may(i, Side::excess) : may(i, Side::free) || may(i, Side::clamped))
      return true;
  return false;
}

// The run that made the start is part of the whole.
void add_supervised(const Summary& first, Summary& whole) {
  whole.message += fmt::format(
      " It began from what complete labels teach, which took {} oracle calls and {:.2f} CPU seconds: {}",
      first.oracle_calls, first.cpu_seconds, first.message);
  whole.add_work(first);
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
  if (may_approximate(data, method)) checking.emplace(data);
  Objective objective(checking ? *checking : data, method, values.front() * path.share, executor_,
                      Regulariser{{}, {}, options_.l1});
  Exploration exploration = options_.exploration();
  exploration.init = std::move(init);
  const Init::Kind kind = Init::parse(options_.init).kind;
  exploration.task_starts = kind == Init::Kind::unset;
  if (kind == Init::Kind::zero) exploration.init.assign(objective.dimension(), 0.0);
  std::optional<Summary> supervised;
  if (kind == Init::Kind::supervised && objective.needs_linearizing()) {
    supervised =
        supervised_start(solver_, objective, monitor.observer(label + "complete labels  ", values.front()));
    exploration.init = supervised->weights;
  }
  exploration.drawn = kind == Init::Kind::drawn && objective.needs_linearizing();
  if (exploration.drawn && !DrawnOracle::can_draw(data))
    fail("--init drawn needs a task that can draw what is hidden: motif can; use random:S here.");

  Start start;
  for (const double C : values) {
    objective.set_C(C * path.share);
    const std::string name = values.size() > 1 ? fmt::format("{}C = {:g}  ", label, C) : label;
    Summary summary = explore(solver_, objective, std::move(start), exploration, monitor.observer(name, C));
    monitor.end_line();
    if (!monitor.stopped().empty()) {
      summary.message = monitor.stopped();
      if (!std::isfinite(summary.primal)) summary.message += " Their objective was not computed.";
    }
    if (supervised) add_supervised(*std::exchange(supervised, {}), summary);
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
