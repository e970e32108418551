#include "hinge/learning/summary_json.h"

#include <cmath>

namespace hinge {
namespace {

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

nlohmann::json to_json(const Progress& p) {
  return {{"iteration", p.iteration},
          {"oracle_calls", p.oracle_calls},
          {"passes", number(p.passes)},
          {"primal", number(p.primal)},
          {"dual", number(p.dual)},
          {"gap", number(p.gap())},
          {"relative_gap", number(p.relative_gap())},
          {"gradient_norm", number(p.gradient_norm)},
          {"estimated_gap", number(p.estimated_gap)},
          {"planes", p.planes},
          {"seconds", number(p.seconds)}};
}

nlohmann::json to_json(const Summary& s) {
  return {{"solver", s.solver},
          {"primal", number(s.primal)},
          {"dual", number(s.dual)},
          {"gap", number(s.gap())},
          {"relative_gap", number(s.relative_gap())},
          {"termination", to_string(s.termination)},
          {"message", s.message},
          {"iterations", s.iterations},
          {"oracle_calls", s.oracle_calls},
          {"seconds", s.seconds},
          {"cpu_seconds", s.cpu_seconds},
          {"phases", {{"oracle", s.phases.oracle}, {"model", s.phases.model}}}};
}

}  // namespace hinge
