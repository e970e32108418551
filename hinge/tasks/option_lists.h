// Lists of options, put together and picked from.
#pragma once

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

// The one of that name.
inline std::vector<OptionRef> only(std::string_view name, std::vector<OptionRef> list) {
  std::erase_if(list, [&](const OptionRef& option) { return option.name != name; });
  return list;
}

}  // namespace hinge
