#include "hinge/tasks/fold/writer.h"

#include <fmt/format.h>

#include <iterator>

namespace hinge {

void append_fold(const FoldRecord& record, const FoldPairs& s, const std::string& notation,
                 std::string& text) {
  const auto out = std::back_inserter(text);
  if (notation == "dots") {
    fmt::format_to(out, ">{}\n{}\n{}\n", record.name, record.letters, dot_bracket(s));
    return;
  }
  const bool ct = notation == "ct";
  if (ct) fmt::format_to(out, "{} {}\n", s.size(), record.name);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (ct)
      fmt::format_to(out, "{} {} {} {} {} {}\n", i + 1, record.letters[i], i, i + 1 < s.size() ? i + 2 : 0,
                     s[i] + 1, i + 1);
    else
      fmt::format_to(out, "{} {} {}\n", i + 1, record.letters[i], s[i] + 1);
}

}  // namespace hinge
