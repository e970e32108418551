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
          {"inner_gap", number(p.inner_gap)},
          {"planes", p.planes},
          {"seconds", number(p.seconds)}};
}

nlohmann::json to_json(const InferenceReport& r) {
  nlohmann::json ways = nlohmann::json::object();
  for (const auto& [name, answers] : r.ways) ways[name] = answers;
  return {{"ways", ways}, {"approximate", r.approximate}, {"unconverged", r.unconverged}, {"cuts", r.cuts}};
}

nlohmann::json to_json(const Summary& s) {
  nlohmann::json all = {{"solver", s.solver},
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
                        {"phases", {{"oracle", s.phases.oracle}, {"model", s.phases.model}}},
                        {"inference", to_json(s.inference)}};
  if (!s.restarts.empty()) all["restarts"] = s.restarts;
  return all;
}

}  // namespace hinge
