// Splits a line into its fields.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace hinge {

// The non-empty fields of `line` between any of the separators; the storage of `fields` is reused.
inline void split_fields(std::string_view line, std::string_view separators,
                         std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t begin = 0;
  while ((begin = line.find_first_not_of(separators, begin)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end;
  }
}

}  // namespace hinge
