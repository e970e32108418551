#include "hinge/learning/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hinge {

std::string to_string(Termination termination) {
  switch (termination) {
    case Termination::converged:
      return "converged";
    case Termination::iteration_limit:
      return "iteration_limit";
    case Termination::stopped:
      return "stopped";
    case Termination::no_progress:
      return "no_progress";
  }
  return "unknown";
}

std::string caution(const InferenceReport& report) {
  if (report.exact()) return {};
  std::string text = fmt::format("{} answers of inference were approximate", report.approximate);
  if (report.unconverged > 0) text += fmt::format(", {} had not converged", report.unconverged);
  if (report.cuts > 0) text += fmt::format(", {} planes were seen to cut", report.cuts);
  return text + ": a gap is no certificate.";
}

std::string Summary::brief() const {
  const std::string value =
      std::isfinite(primal) ? fmt::format("primal {:.6g}", primal) : "primal not computed";
  const std::string certificate = !std::isfinite(dual) ? "no dual bound"
                                  : std::isfinite(primal)
                                      ? fmt::format("dual {:.6g}, relative gap {:.2g}", dual, relative_gap())
                                      : fmt::format("dual {:.6g}", dual);
  return fmt::format("{}: {}; {}, {}; {} iterations, {} oracle calls, {:.2f} CPU seconds{}", solver,
                     to_string(termination), value, certificate, iterations, oracle_calls, cpu_seconds,
                     inference.exact() ? "" : "; " + caution(inference));
}

void Summary::add_work(const Summary& earlier) {
  iterations += earlier.iterations;
  oracle_calls += earlier.oracle_calls;
  seconds += earlier.seconds;
  cpu_seconds += earlier.cpu_seconds;
  phases.oracle += earlier.phases.oracle;
  phases.model += earlier.phases.model;
  phases.oracle_cpu += earlier.phases.oracle_cpu;
  phases.exchange_cpu += earlier.phases.exchange_cpu;
}

Progress Summary::then(Progress later) const {
  later.iteration += iterations;
  later.oracle_calls += oracle_calls;
  if (!history.empty()) later.passes += history.back().passes;
  later.primal = std::min(later.primal, primal);
  later.dual = std::max(later.dual, dual);
  later.seconds += seconds;
  return later;
}

void Summary::go_on_from(Summary earlier) {
  for (Progress& round : history) round = earlier.then(round);
  add_work(earlier);
  dual = std::max(dual, earlier.dual);
  if (!(primal <= earlier.primal)) {
    primal = earlier.primal;
    weights = std::move(earlier.weights);
  }
  earlier.history.insert(earlier.history.end(), history.begin(), history.end());
  history = std::move(earlier.history);
}

void keep(Snapshot& snapshot, InferenceReport& report) {
  snapshot(report.ways, report.approximate, report.unconverged, report.cuts);
}

void Summary::keep(Snapshot& snapshot) {
  snapshot(solver, weights, primal, dual, termination, message, iterations, oracle_calls, seconds,
           cpu_seconds, phases, history, restarts);
  hinge::keep(snapshot, inference);
}

}  // namespace hinge
