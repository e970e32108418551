// Progress and Summary as JSON: the objects of the run log and of the summary file. What is infinite or not a
// number becomes null.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hinge/learning/summary.h"

namespace hinge {

nlohmann::json to_json(const Progress& progress);
nlohmann::json to_json(const InferenceReport& report);
// Without weights, history and planes.
nlohmann::json to_json(const Summary& summary);
// What to_json kept. Throws InputError where something is of another type.
Summary summary_from_json(const nlohmann::json& json);

}  // namespace hinge
