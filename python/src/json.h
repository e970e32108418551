// JSON between Python and the options.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hinge/core/errors.h"
#include "hinge/core/json_text.h"

namespace hinge::python {

inline nlohmann::json json_of(const std::string& text) {
  nlohmann::json value;
  if (const std::string fault = parse_json(text, value); !fault.empty()) fail("{}", fault);
  return value;
}

}  // namespace hinge::python
