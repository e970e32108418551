// A line of JSON Lines that must be an object with known keys, and sentences about what is wrong with it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "hinge/core/errors.h"
#include "hinge/core/json_text.h"
#include "hinge/core/json_value.h"

namespace hinge {

class JsonLine {
 protected:
  using Json = nlohmann::json;

  // `what` an object of these keys is, for messages. Throws InputError.
  JsonLine(std::string_view text, const std::string& file, std::size_t line, const char* what,
           std::span<const char* const> keys);

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(file_, line_, "{}", fmt::format(format, std::forward<Args>(args)...));
  }
  static std::string shown(const Json& value) { return short_json_text(value); }

  const Json& json() const { return *value_; }
  bool has(const char* key) const;
  const Json& list(const char* key) const;
  double weight() const;  // 1 where there is none

  const std::string& file_;
  std::size_t line_;
  JsonValue value_;
};

}  // namespace hinge
