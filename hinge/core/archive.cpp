#include "hinge/core/archive.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "hinge/core/json_text.h"

namespace hinge {

template <class T>
T whole_number(const nlohmann::json& header, const char* key) {
  const nlohmann::json& value = header.at(key);
  const bool fits =
      value.is_number_unsigned()
          ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
          : value.is_number_integer() && std::is_signed_v<T> &&
                value.get<std::int64_t>() >= static_cast<std::int64_t>(std::numeric_limits<T>::min());
  if (!fits)
    fail("the model's '{}' is {}, where a whole number belongs: it is damaged.", key, short_json_text(value));
  return value.get<T>();
}

template std::uint32_t whole_number(const nlohmann::json&, const char*);
template std::uint64_t whole_number(const nlohmann::json&, const char*);
template std::int32_t whole_number(const nlohmann::json&, const char*);
template std::int64_t whole_number(const nlohmann::json&, const char*);

}  // namespace hinge
