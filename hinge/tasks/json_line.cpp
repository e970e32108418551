#include "hinge/tasks/json_line.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hinge {

JsonLine::JsonLine(std::string_view text, const std::string& file, std::size_t line, const char* what,
                   std::span<const char* const> keys)
    : file_(file), line_(line) {
  if (const std::string wrong = parse_json(text, *value_); !wrong.empty()) refuse("{}", wrong);
  if (!json().is_object()) refuse("is {}, where an object {{...}} belongs.", shown(json()));
  for (const auto& [key, value] : json().items())
    if (std::ranges::find(keys, key) == keys.end())
      refuse("has the key \"{}\", but the keys of a {} are {}.", key, what, fmt::join(keys, ", "));
}

bool JsonLine::has(const char* key) const { return json().contains(key) && !json()[key].is_null(); }

const JsonLine::Json& JsonLine::list(const char* key) const {
  const Json& value = json().at(key);
  if (!value.is_array()) refuse("\"{}\" is {}, where a list [...] belongs.", key, shown(value));
  return value;
}

double JsonLine::weight() const {
  if (!has("weight")) return 1;
  const Json& value = json()["weight"];
  if (!value.is_number() || !(value.get<double>() >= 0))
    refuse("\"weight\" is {}, where a number of 0 or more belongs.", shown(value));
  return value.get<double>();
}

}  // namespace hinge
