// Lists of options, put together and picked from.
#pragma once

#include <algorithm>

#include "hinge/core/options.h"

namespace hinge {

// Those of several structs, one after the other.
template <class First, class... More>
std::vector<OptionRef> all_options(First& first, More&... more) {
  std::vector<OptionRef> list = list_options(first);
  if constexpr (sizeof...(more) > 0)
    for (OptionRef& option : all_options(more...)) list.push_back(std::move(option));
  return list;
}

// Those of these names.
inline std::vector<OptionRef> only(const std::vector<std::string>& names, std::vector<OptionRef> list) {
  std::erase_if(list, [&](const OptionRef& option) {
    return std::find(names.begin(), names.end(), option.name) == names.end();
  });
  return list;
}

// All but the one of that name.
inline std::vector<OptionRef> without(std::string_view name, std::vector<OptionRef> list) {
  std::erase_if(list, [&](const OptionRef& option) { return option.name == name; });
  return list;
}

}  // namespace hinge
