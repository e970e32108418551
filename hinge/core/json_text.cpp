#include "hinge/core/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hinge {
namespace {

// Whether more than kJsonDepth brackets are open at once, outside of strings.
bool too_deep(std::string_view text) {
  std::size_t open = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted) {
      if (c == '\\')
        ++k;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++open > kJsonDepth) return true;
    } else if ((c == ']' || c == '}') && open > 0) {
      --open;
    }
  }
  return false;
}

}  // namespace

std::string json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string short_json_text(const nlohmann::json& value) {
  const std::string text = json_text(value);
  return text.size() <= 40 ? text : text.substr(0, 40) + "...";
}

std::string parse_json(std::string_view text, nlohmann::json& value) {
  if (too_deep(text))
    return fmt::format("is JSON nested more than {} deep: write one flat object a line.", kJsonDepth);
  try {
    value = nlohmann::json::parse(text);
    return "";
  } catch (const nlohmann::json::parse_error& error) {
    return error.byte > text.size()
               ? "is not JSON, for it ends too early: write one object a line."
               : fmt::format("is not JSON from column {} on: write one object a line.", error.byte);
  } catch (const nlohmann::json::out_of_range&) {
    return "has a number that is too large: the largest is about 1.8e308.";
  }
}

}  // namespace hinge
