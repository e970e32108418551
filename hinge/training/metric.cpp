#include "hinge/training/metric.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/errors.h"
#include "hinge/core/spelling.h"

namespace hinge {

std::vector<std::string> metric_names(const nlohmann::json& metrics) {
  std::vector<std::string> names;
  for (const char* first : {"loss", "accuracy"})
    if (metrics.contains(first)) names.emplace_back(first);
  for (const auto& [name, value] : metrics.items())
    if (value.is_number_float() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

double metric(const nlohmann::json& metrics, const std::string& name) {
  if (!metrics.contains(name) || !metrics[name].is_number_float())
    fail("there is no metric '{}' to select by{}: use one of {}.", name,
         did_you_mean(name, metric_names(metrics)), fmt::join(metric_names(metrics), ", "));
  return metrics[name].get<double>();
}

bool better(const std::string& name, double a, double b) {
  return name.ends_with("loss") || name.ends_with("error") ? a < b : a > b;
}

}  // namespace hinge
