#include "cli/learner.h"

#include <sys/resource.h>

#include "hinge/learning/summary_json.h"

namespace hinge {
namespace {

void refuse_hidden_labels(const Oracle& oracle) {
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < oracle.size(); ++i) hidden += oracle.determined(i) ? 0 : 1;
  if (hidden > 0)
    fail("{} of {} examples lack labels ('?'), which no method here can learn from: complete or remove them.",
         hidden, oracle.size());
}

}  // namespace

void Learner::path(const Oracle& oracle, Vector weights, const std::string& label, Monitor& monitor,
                   const std::function<void(double, Summary)>& each) const {
  refuse_hidden_labels(oracle);
  const std::vector<double> values = options_.ascending_C();
  Start start{std::move(weights), nullptr};
  for (const double C : values) {
    Objective objective(oracle, options_.formulation(), C, executor_, Regulariser{{}, {}, options_.l1});
    const std::string name = values.size() > 1 ? fmt::format("{}C = {:g}  ", label, C) : label;
    Summary summary = solver_.minimize(objective, std::move(start), monitor.observer(name, C));
    monitor.end_line();
    if (!monitor.stopped().empty()) summary.message = monitor.stopped();
    if (C != values.back()) start = {summary.weights, summary.planes};
    summary.planes.reset();
    each(C, std::move(summary));
    if (!monitor.stopped().empty()) return;
  }
}

nlohmann::json Learner::summary(const std::string& task, const Oracle& oracle, double C,
                                const Summary& run) const {
  nlohmann::json all = to_json(run);
  all["task"] = task;
  all["method"] = options_.method;
  all["rescaling"] = options_.rescaling;
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
