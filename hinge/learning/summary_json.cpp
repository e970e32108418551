#include "hinge/learning/summary_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"

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

Summary summary_from_json(const nlohmann::json& json) try {
  const auto number_or = [&](const char* key, double otherwise) {
    return json.contains(key) && !json[key].is_null() ? json[key].get<double>() : otherwise;
  };
  Summary s;
  s.solver = json.value("solver", "");
  s.primal = number_or("primal", s.primal);
  s.dual = number_or("dual", s.dual);
  for (const Termination t :
       {Termination::converged, Termination::iteration_limit, Termination::stopped, Termination::no_progress})
    if (json.value("termination", "") == to_string(t)) s.termination = t;
  s.message = json.value("message", "");
  s.iterations = json.value("iterations", std::size_t{0});
  s.oracle_calls = json.value("oracle_calls", std::size_t{0});
  s.seconds = number_or("seconds", 0);
  s.cpu_seconds = number_or("cpu_seconds", 0);
  s.restarts = json.value("restarts", Vector());
  if (json.contains("inference")) {
    const nlohmann::json& inference = json["inference"];
    s.inference.approximate = inference.value("approximate", std::size_t{0});
    s.inference.unconverged = inference.value("unconverged", std::size_t{0});
    s.inference.cuts = inference.value("cuts", std::size_t{0});
  }
  return s;
} catch (const nlohmann::json::exception&) {
  fail("the summary of the model holds something else than training writes: train it again.");
}

}  // namespace hinge
