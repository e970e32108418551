// Options as JSON, from their descriptions: {"gap": 0.001, "seed": 1, ...}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "hinge/core/options.h"

namespace hinge {

nlohmann::json options_to_json(const std::vector<OptionRef>& options);

// Sets every option that `values` has, and leaves the others. Throws InputError when a name is unknown, a
// value is of another kind than the option, or outside its range.
void options_from_json(const nlohmann::json& values, const std::vector<OptionRef>& options);

// Throws InputError when the option's present value is outside its range; `shown` is the name to use in the
// sentence.
void check_option(const OptionRef& option, std::string_view shown);

}  // namespace hinge
