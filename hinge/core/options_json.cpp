#include "hinge/core/options_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hinge/core/json_text.h"

namespace hinge {
namespace {

// JSON has integers and numbers, flags and text; an option takes exactly its own kind, except that an integer
// is a number too, a truth is 1 or 0, and a number alone is a list of one: an option that was a switch or a
// number once still is one in old files.
template <class T>
bool fits(const nlohmann::json& value) {
  if constexpr (std::same_as<T, bool>)
    return value.is_boolean();
  else if constexpr (std::same_as<T, int>)
    return value.is_number_integer() && value >= std::numeric_limits<int>::min() &&
           value <= std::numeric_limits<int>::max();
  else if constexpr (std::same_as<T, std::uint64_t>)
    return value.is_number_unsigned() || (value.is_number_integer() && value >= 0);
  else if constexpr (std::same_as<T, double>)
    return value.is_number();
  else if constexpr (std::same_as<T, std::string>)
    return value.is_string();
  else
    return value.is_array() && std::ranges::all_of(value, fits<typename T::value_type>);
}

}  // namespace

nlohmann::json options_to_json(const std::vector<OptionRef>& options) {
  nlohmann::json values = nlohmann::json::object();
  for (const OptionRef& option : options)
    std::visit([&](const auto* field) { values[option.name] = *field; }, option.field);
  return values;
}

void options_from_json(const nlohmann::json& values, const std::vector<OptionRef>& options) {
  if (!values.is_object()) fail("options must be a JSON object, not {}.", values.type_name());
  for (const auto& [name, value] : values.items()) {
    const auto option = std::ranges::find(options, name, &OptionRef::name);
    if (option == options.end()) fail("there is no option '{}'.", name);
    std::visit(
        [&](auto* field) {
          using T = std::remove_pointer_t<decltype(field)>;
          if constexpr (std::same_as<T, double>)
            if (value.is_boolean()) return void(*field = value.get<bool>() ? 1 : 0);
          if constexpr (std::same_as<T, std::vector<double>>)
            if (value.is_number()) return void(*field = {value.get<double>()});
          if (!fits<T>(value)) fail("option '{}' cannot be {}.", name, short_json_text(value));
          value.get_to(*field);
        },
        option->field);
    check_option(*option, name);
  }
}

void check_option(const OptionRef& option, std::string_view shown) {
  std::visit(
      [&](const auto* field) {
        using T = std::remove_cvref_t<decltype(*field)>;
        if constexpr (std::same_as<T, bool>) {
        } else if constexpr (std::is_arithmetic_v<T>) {
          check_option(shown, static_cast<double>(*field), option.range);
        } else if constexpr (std::same_as<T, std::string>) {
          check_option(shown, *field, option.range);
        } else {
          for (const auto& value : *field) check_option(shown, value, option.range);
        }
      },
      option.field);
}

}  // namespace hinge
