#include "hinge/learning/summary.h"

#include <fmt/format.h>

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
  const std::string certificate = std::isfinite(dual)
                                      ? fmt::format("dual {:.6g}, relative gap {:.2g}", dual, relative_gap())
                                      : "no dual bound";
  return fmt::format("{}: {}; primal {:.6g}, {}; {} iterations, {} oracle calls, {:.2f} CPU seconds{}",
                     solver, to_string(termination), primal, certificate, iterations, oracle_calls,
                     cpu_seconds, inference.exact() ? "" : "; " + caution(inference));
}

}  // namespace hinge
