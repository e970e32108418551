#include "hinge/tasks/sequence/conllu.h"

#include <algorithm>
#include <cassert>

namespace hinge {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

const std::vector<std::string>& Conllu::labels() {
  static const std::vector<std::string> names(kNames.begin() + kForm + 1, kNames.end());
  return names;
}

std::size_t Conllu::column(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  assert(found != kNames.end());
  return static_cast<std::size_t>(found - kNames.begin());
}

void Conllu::split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return;
    line.remove_prefix(tab + 1);
  }
}

Conllu::Kind Conllu::kind(std::string_view id) {
  if (is_number(id)) return Kind::word;
  const std::size_t mark = id.find_first_of("-.");
  if (mark == std::string_view::npos || !is_number(id.substr(0, mark)) || !is_number(id.substr(mark + 1)))
    return Kind::none;
  return id[mark] == '-' ? Kind::range : Kind::empty_node;
}

bool Conllu::begins(std::string_view line) {
  std::vector<std::string_view> fields;
  split(line, fields);
  if (fields.size() != kColumns) return false;
  const std::string_view id = fields[0], head = fields[kHead];
  const bool first = id == "1" || (kind(id) == Kind::range && id.starts_with("1-")) ||
                     (kind(id) == Kind::empty_node && id.starts_with("0."));
  return first && (head == "_" || is_number(head));
}

}  // namespace hinge
