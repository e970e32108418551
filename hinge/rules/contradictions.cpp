#include "hinge/rules/contradictions.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

// Whether an accepting state can be reached, by state.
std::vector<char> hopeful(const Automaton& automaton) {
  std::vector<char> live = automaton.accepts;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < live.size(); ++s)
      for (std::size_t k = 0; k < automaton.labels && live[s] == 0; ++k)
        if (live[automaton.next[s * automaton.labels + k]] != 0) live[s] = changed = true;
  }
  return live;
}

// Looks for one labelling that keeps the chosen rules, depth first; what has failed is not tried again.
class Search {
 public:
  Search(const Knowledge& knowledge, std::size_t example, std::size_t length, std::size_t labels,
         const std::vector<char>& chosen)
      : labels_(labels), allowed_(length, LabelFlags(labels, 1)), tables_(length) {
    const Constraints& constraints = knowledge.examples[example];
    for (const auto& [t, set, rule] : constraints.positions)
      if (chosen[rule] != 0)
        for (std::size_t k = 0; k < labels; ++k) allowed_[t][k] &= knowledge.shared.sets[set][k];
    for (const auto& [t, table, rule] : constraints.pairs)
      if (chosen[rule] != 0) tables_[t].push_back(&knowledge.shared.tables[table]);
    for (const auto& [automaton, rule] : constraints.wholes)
      if (chosen[rule] != 0) {
        automata_.push_back(&knowledge.shared.automata[automaton]);
        live_.push_back(hopeful(*automata_.back()));
      }
  }

  bool possible() {
    Joint start(automata_.size() + 2, 0);
    if (allowed_.empty()) return ends_well(start);
    start[1] = static_cast<std::uint32_t>(labels_);  // no label yet
    std::vector<Joint> open = {start};
    std::set<Joint> tried;
    while (!open.empty()) {
      const Joint at = std::move(open.back());
      open.pop_back();
      if (at[0] == allowed_.size()) {
        if (ends_well(at)) return true;
        continue;
      }
      if (!tried.insert(at).second) continue;
      if (tried.size() > kMost) return true;  // perhaps
      for (std::size_t k = 0; k < labels_; ++k)
        if (k != at[1]) push(at, k, open);
      if (at[1] < labels_) push(at, at[1], open);  // tried first: to stay where one is
    }
    return false;
  }

 private:
  static constexpr std::size_t kMost = 100000;
  using Joint = std::vector<std::uint32_t>;  // the position, the label before it, the state of each automaton

  bool ends_well(const Joint& at) const {
    for (std::size_t a = 0; a < automata_.size(); ++a)
      if (automata_[a]->accepts[at[a + 2]] == 0) return false;
    return true;
  }

  void push(const Joint& at, std::size_t label, std::vector<Joint>& open) const {
    const std::size_t t = at[0];
    if (allowed_[t][label] == 0) return;
    if (t > 0)
      for (const PairTable* table : tables_[t - 1])
        if (!(*table)(at[1], label)) return;
    Joint next = at;
    ++next[0];
    next[1] = static_cast<std::uint32_t>(label);
    for (std::size_t a = 0; a < automata_.size(); ++a) {
      next[a + 2] = automata_[a]->next[at[a + 2] * labels_ + label];
      if (live_[a][next[a + 2]] == 0) return;
    }
    open.push_back(std::move(next));
  }

  std::size_t labels_;
  std::vector<LabelFlags> allowed_;
  std::vector<std::vector<const PairTable*>> tables_;
  std::vector<const Automaton*> automata_;
  std::vector<std::vector<char>> live_;
};

}  // namespace

std::vector<std::size_t> contradiction(const Knowledge& knowledge, std::size_t example, std::size_t length,
                                       std::size_t labels) {
  std::vector<char> chosen;
  for (const RulePenalty& rule : knowledge.rules) chosen.push_back(rule.hard);
  if (std::ranges::count(chosen, 1) == 0) return {};
  const auto possible = [&] { return Search(knowledge, example, length, labels, chosen).possible(); };
  if (possible()) return {};
  std::vector<std::size_t> guilty;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k] == 0) continue;
    chosen[k] = 0;
    if (!possible()) continue;
    chosen[k] = 1;
    guilty.push_back(k);
  }
  return guilty;
}

void refuse_contradictions(const Rules& rules, const Knowledge& knowledge, const TokenTexts& texts,
                           std::size_t labels) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::vector<std::size_t> guilty = contradiction(knowledge, i, texts.length(i), labels);
    if (guilty.empty()) continue;
    std::vector<std::string> lines;
    for (const std::size_t k : guilty)
      lines.push_back(fmt::format("line {} ({})", rules.rules[k].place.line, rules.rules[k].text));
    const std::string where = texts.place(i, 0);
    if (guilty.size() == 1)
      fail_at(rules.file, rules.rules[guilty[0]].place.line,
              "no labelling keeps the hard rule '{}' in the example of {} at {}: make it soft, or change it.",
              rules.rules[guilty[0]].text,
              texts.length(i) == 1 ? "1 token" : fmt::format("{} tokens", texts.length(i)), where);
    fail_at(rules.file, rules.rules[guilty[0]].place.line,
            "hard rules contradict each other: no labelling of the example at {} keeps {}: make one of them "
            "soft, or change it.",
            where, fmt::join(lines, " and "));
  }
}

}  // namespace hinge
