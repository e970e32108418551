// JSON as text. Names come from people's files and need not be UTF-8: bytes that are not become U+FFFD.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hinge {

inline std::string json_text(const nlohmann::json& value, int indent = -1) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace hinge
