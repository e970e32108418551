// Splits a line into its fields.
#pragma once

#include <string_view>
#include <vector>

namespace hinge {

// The non-empty fields of `line` between separators; the storage of `fields` is reused.
template <char... separators>
void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  const auto separates = [](char c) { return ((c == separators) || ...); };
  fields.clear();
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && separates(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    while (at != end && !separates(*at)) ++at;
    fields.emplace_back(begin, static_cast<std::size_t>(at - begin));
  }
}

}  // namespace hinge
