#include "hinge/core/json_value.h"

#include <nlohmann/json.hpp>
#include <string>

namespace hinge {

using nlohmann::json;

JsonValue::JsonValue() : value_(std::make_unique<json>(json::object())) {}
JsonValue::JsonValue(const JsonValue& other) : JsonValue(*other) {}
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue& other) { return *this = JsonValue(other); }
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
JsonValue::~JsonValue() = default;

std::unique_ptr<json> JsonValue::boxed(const json& value) { return std::make_unique<json>(value); }
std::unique_ptr<json> JsonValue::boxed(json&& value) { return std::make_unique<json>(std::move(value)); }

json& JsonValue::operator[](std::string_view key) { return (*value_)[std::string(key)]; }
const json& JsonValue::at(std::string_view key) const { return value_->at(std::string(key)); }
bool JsonValue::contains(std::string_view key) const { return value_->contains(key); }

bool operator==(const JsonValue& a, const JsonValue& b) { return *a == *b; }
bool operator==(const JsonValue& a, const json& b) { return *a == b; }
void to_json(json& to, const JsonValue& from) { to = *from; }

}  // namespace hinge
