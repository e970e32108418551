#include "hinge/tasks/parse/writer.h"

#include <fmt/format.h>

#include <iterator>

namespace hinge {

void append_found(const Parser::Found& found, bool scored, std::span<const double> marginals,
                  std::string& text) {
  const auto out = std::back_inserter(text);
  if (scored && found.fell_back()) text += "# no score: the grammar has no tree\n";
  if (scored && !found.fell_back()) fmt::format_to(out, "# score {:g}\n", found.score);
  append_tree(found.tree, text);
  text.push_back('\n');
  const auto& brackets = found.tree.brackets;
  for (std::size_t b = 1; b < marginals.size(); ++b)
    fmt::format_to(out, "# {} {}-{} {:.6g}\n", brackets[b].label, brackets[b].begin + 1, brackets[b].end,
                   marginals[b]);
}

}  // namespace hinge
