// A JSON value that headers can hold without the JSON library: who reads or writes what is in it includes
// <nlohmann/json.hpp>, and finds a nlohmann::json behind `*`.
#pragma once

#include <concepts>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <utility>

namespace hinge {

class JsonValue {
 public:
  JsonValue();  // an empty object
  // Not from {...}, which would be read as a list here and as an object there.
  template <class Json>
    requires std::same_as<std::remove_cvref_t<Json>, nlohmann::json>
  JsonValue(Json&& value) : value_(boxed(std::forward<Json>(value))) {}
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;  // `other` may then only be assigned to or destroyed
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  ~JsonValue();

  nlohmann::json& operator*() { return *value_; }
  const nlohmann::json& operator*() const { return *value_; }
  nlohmann::json* operator->() { return value_.get(); }
  const nlohmann::json* operator->() const { return value_.get(); }
  operator const nlohmann::json&() const { return *value_; }

  // Of an object.
  nlohmann::json& operator[](std::string_view key);  // made where there is none
  const nlohmann::json& operator[](std::string_view key) const { return at(key); }
  const nlohmann::json& at(std::string_view key) const;  // throws as the library does
  bool contains(std::string_view key) const;

  friend bool operator==(const JsonValue& a, const JsonValue& b);
  friend bool operator==(const JsonValue& a, const nlohmann::json& b);
  friend void to_json(nlohmann::json& to, const JsonValue& from);  // inside lists and objects of the library

 private:
  static std::unique_ptr<nlohmann::json> boxed(const nlohmann::json& value);
  static std::unique_ptr<nlohmann::json> boxed(nlohmann::json&& value);
  std::unique_ptr<nlohmann::json> value_;
};

}  // namespace hinge
