// Splits a line into its fields, and says how many there are; names may have a '#' in them.
#pragma once

#include <fmt/format.h>

#include <string>
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

// What stands in front of a comment, which begins the line or stands behind a blank: C# is a name.
inline std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1))
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  return line;
}

// "1 column", "3 columns"
inline std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace hinge
