// A metric of held-out data, by which the best of several models is chosen.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace hinge {

// Throws InputError that lists the metrics when there is none of that name.
double metric(const nlohmann::json& metrics, const std::string& name);
// The names of all metrics that are one number, "loss" and "accuracy" first.
std::vector<std::string> metric_names(const nlohmann::json& metrics);
// Of "loss" and "error" less is better, of everything else more.
bool better(const std::string& name, double a, double b);

}  // namespace hinge
