// What a model file holds, in memory: a JSON header and named arrays. Tasks save themselves into one and load
// from one; model/ writes and reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "hinge/core/errors.h"
#include "hinge/core/json_value.h"

namespace hinge {

struct Archive {
  using Array =
      std::variant<std::vector<double>, std::vector<float>, std::vector<std::int32_t>,
                   std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<std::uint8_t>>;
  JsonValue header;
  std::map<std::string, Array> arrays;

  // The array of that name and type; InputError when the file lacks it.
  template <class T>
  const std::vector<T>& get(const std::string& name) const {
    const auto found = arrays.find(name);
    if (found == arrays.end())
      fail("the model has no array '{}': it was written by another version or damaged.", name);
    const auto* array = std::get_if<std::vector<T>>(&found->second);
    if (array == nullptr) fail("the model's array '{}' has another element type than expected.", name);
    return *array;
  }
};

// header[key] as a whole number within the range of T; InputError for anything else (JSON has 1e300 too).
// T is an integer of 32 or 64 bits.
template <class T>
T whole_number(const nlohmann::json& header, const char* key);

}  // namespace hinge
