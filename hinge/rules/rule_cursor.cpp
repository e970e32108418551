#include "hinge/rules/rule_cursor.h"

#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"

namespace hinge {

void RuleCursor::wrong(const std::string& wanted) const {
  const RulePiece& piece = here();
  const std::string found = piece.kind == Kind::end       ? "the rule ends where this belongs"
                            : piece.kind == Kind::pattern ? fmt::format("found the pattern /{}/", piece.text)
                                                          : fmt::format("found '{}'", piece.text);
  fail_in_rules(context_.file, piece.place, fmt::format("{}: {}.", found, wanted));
}

std::size_t RuleCursor::parse_count() {
  constexpr long long kMost = 1000;
  if (take("one")) return 1;
  long long count = 0;
  if (here().kind != Kind::bare || !parse_integer(here().text, count) || count < 0 || count > kMost)
    wrong(fmt::format("write a whole number from 0 to {}", kMost));
  ++at_;
  return static_cast<std::size_t>(count);
}

std::vector<RuleName> RuleCursor::parse_labels(bool* all) {
  std::vector<RuleName> names;
  do {
    if ((here().kind != Kind::bare && here().kind != Kind::quoted) || is_option(here()))
      wrong("write a label here, in quotes where it is an odd one");
    if (all != nullptr && is("label") && !context_.labels.contains("label")) {
      *all = true;
    } else if (const auto set = context_.labels.find(here().text);
               here().kind == Kind::bare && set != context_.labels.end()) {
      for (const RuleName& name : set->second) names.push_back({name.text, here().place});
    } else {
      names.push_back({here().text, here().place});
    }
    ++at_;
  } while ((is_mark(',') && !is_option(behind()) && take_mark(',')) || take("or"));
  if (all != nullptr && *all && !names.empty())
    fail_in_rules(context_.file, names.front().place, "`label` stands for every label: name none besides.");
  return names;
}

}  // namespace hinge
