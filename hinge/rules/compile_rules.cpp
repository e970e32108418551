#include "hinge/rules/compile_rules.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "hinge/rules/nearest_name.h"
#include "hinge/rules/rule_automata.h"
#include "hinge/rules/token_matcher.h"

namespace hinge {
namespace {

using Kind = Rule::Kind;

RulePenalty penalty_of(const Rule& rule) {
  RulePenalty penalty;
  penalty.name = rule.text;
  penalty.weight = rule.weight;
  penalty.hard = rule.hard;
  if (rule.kind != Kind::fraction && rule.kind != Kind::examples) return penalty;
  penalty.target = rule.target;
  penalty.kind = rule.comparison == Rule::Comparison::about      ? RulePenalty::Kind::about
                 : rule.comparison == Rule::Comparison::at_least ? RulePenalty::Kind::at_least
                                                                 : RulePenalty::Kind::at_most;
  return penalty;
}

// Puts the features of one rule into the examples.
class RuleCompiler {
 public:
  // `all_labels` has those too that the rules declare.
  RuleCompiler(const Rules& rules, std::size_t number, const LabelSegments& labels,
               const LabelSegments& all_labels, const TokenTexts& texts, Knowledge& into)
      : file_(rules.file),
        declared_(all_labels),
        rule_(rules.rules[number]),
        number_(static_cast<std::uint32_t>(number)),
        labels_(labels),
        texts_(texts),
        into_(into) {}

  void compile(std::vector<std::string>* notes) {
    const bool about_tokens = rule_.kind == Kind::tokens || rule_.kind == Kind::fraction;
    if (!texts_.ordered && !about_tokens)
      fail_in_rules(file_, rule_.place,
                    "this task has no order of positions and no segments: only rules about tokens and "
                    "fractions can serve it.");
    if (rule_.tokens) matcher_.emplace(*rule_.tokens, texts_, file_);
    if (missing(rule_.labels) || missing(rule_.others)) {
      if (notes != nullptr)
        notes->push_back(fmt::format("{}:{}: there are no such labels here, and the rule says nothing: {}.",
                                     file_, rule_.place.line, rule_.text));
    } else if (about_tokens)
      add_positions();
    else if (rule_.kind == Kind::transition || rule_.kind == Kind::next)
      add_pairs();
    else if (rule_.kind == Kind::segment_edge)
      add_edges();
    else
      add_wholes();
    if (matcher_ && notes != nullptr && !missing(rule_.labels)) note_unseen(*notes);
  }

 private:
  LabelFlags set_of(const std::vector<RuleName>& names, bool all) const {
    LabelFlags set(labels_.size(), all);
    for (const RuleName& name : names) {
      const std::optional<LabelFlags> named = labels_.named(name.text);
      if (!named && !declared_.named(name.text)) unknown_label(name);
      if (!named) continue;
      for (std::size_t k = 0; k < set.size(); ++k) set[k] |= (*named)[k];
    }
    return set;
  }
  // Whether labels were named, but none of them is one here.
  bool missing(const std::vector<RuleName>& names) const {
    return !names.empty() && std::ranges::count(set_of(names, false), 1) == 0;
  }
  [[noreturn]] void unknown_label(const RuleName& name) const {
    const std::string nearest = nearest_name(name.text, declared_.all_names());
    fail_in_rules(file_, name.place,
                  nearest.empty() ? fmt::format("there is no label '{}': there are {}.", name.text,
                                                fmt::join(declared_.all_names(), ", "))
                                  : fmt::format("there is no label '{}': write '{}'.", name.text, nearest));
  }
  // The sets of `each`, or of all labels together.
  std::vector<LabelFlags> sets() const {
    if (!rule_.each) return {set_of(rule_.labels, rule_.all_labels)};
    if (rule_.all_labels) return labels_.each();
    std::vector<LabelFlags> each;
    for (const RuleName& name : rule_.labels)
      if (!missing({name})) each.push_back(set_of({name}, false));
    return each;
  }

  template <class T>
  static std::uint32_t add(std::vector<T>& list, T item) {
    list.push_back(std::move(item));
    return static_cast<std::uint32_t>(list.size() - 1);
  }

  void add_positions() {
    LabelFlags set = set_of(rule_.labels, rule_.all_labels);
    if (rule_.negated)
      for (char& in : set) in = in == 0;
    const std::uint32_t shared = add(into_.shared.sets, std::move(set));
    for (std::size_t i = 0; i < texts_.size(); ++i)
      for_tokens(i, texts_.length(i), 0, true, [&](std::uint32_t t) {
        into_.examples[i].positions.push_back({t, shared, number_});
      });
  }

  void add_pairs() {
    const LabelFlags from = set_of(rule_.labels, rule_.all_labels);
    LabelFlags to = set_of(rule_.others, rule_.all_others);
    if (rule_.kind == Kind::next)
      for (char& in : to) in = in == 0;  // where transitions must not go
    PairTable table{labels_.size(), std::vector<char>(labels_.size() * labels_.size(), 1)};
    for (std::size_t a = 0; a < labels_.size(); ++a)
      for (std::size_t b = 0; b < labels_.size(); ++b)
        if (from[a] != 0 && to[b] != 0 && labels_.transition(static_cast<int>(a), static_cast<int>(b)))
          table.allowed[a * labels_.size() + b] = 0;
    const std::uint32_t shared = add(into_.shared.tables, std::move(table));
    const bool at_matches = rule_.negated || rule_.kind == Kind::next;
    for (std::size_t i = 0; i < texts_.size(); ++i)
      for_tokens(i, texts_.length(i) == 0 ? 0 : texts_.length(i) - 1, rule_.in_front ? 1 : 0, at_matches,
                 [&](std::uint32_t t) {
                   into_.examples[i].pairs.push_back({t, shared, number_});
                 });
  }

  // Tokens that are not meant must not begin (or end) a segment, whatever stands beside them; the first (or last) token of an
  // example has nothing beside it.
  void add_edges() {
    for (const LabelFlags& set : sets()) {
      LabelFlags others = set;
      for (char& in : others) in = in == 0;
      PairTable table{labels_.size(), std::vector<char>(labels_.size() * labels_.size(), 1)};
      for (std::size_t a = 0; a < labels_.size(); ++a)
        for (std::size_t b = 0; b < labels_.size(); ++b) {
          const int before = static_cast<int>(a), after = static_cast<int>(b);
          if (rule_.in_front ? set[b] != 0 && labels_.begins(before, after)
                             : set[a] != 0 && labels_.ends(before, after))
            table.allowed[a * labels_.size() + b] = 0;
        }
      const std::uint32_t alone = add(into_.shared.sets, std::move(others));
      const std::uint32_t shared = add(into_.shared.tables, std::move(table));
      for (std::size_t i = 0; i < texts_.size(); ++i) {
        const std::size_t last = texts_.length(i) - 1;
        for_tokens(i, last + 1, 0, false, [&](std::uint32_t t) {
          if (rule_.in_front ? t == 0 : t == last)
            into_.examples[i].positions.push_back({t, alone, number_});
          else
            into_.examples[i].pairs.push_back({rule_.in_front ? t - 1 : t, shared, number_});
        });
      }
    }
  }

  void add_wholes() {
    for (const LabelFlags& set : sets()) {
      Automaton automaton = automaton_of(set);
      if (automaton.states() == 0)
        fail_in_rules(file_, rule_.place, "this counts too far for so many labels: write a smaller number.");
      const std::uint32_t shared = add(into_.shared.automata, std::move(automaton));
      for (Constraints& example : into_.examples) example.wholes.push_back({shared, number_});
    }
  }

  Automaton automaton_of(const LabelFlags& set) const {
    switch (rule_.kind) {
      case Kind::contiguous:
        return count_automaton(labels_, set, Rule::Unit::segments, Rule::Comparison::at_most, 1);
      case Kind::examples:
        return count_automaton(labels_, set, Rule::Unit::tokens, Rule::Comparison::at_least, 1);
      case Kind::segment_length:
        return length_automaton(labels_, set, rule_.comparison, rule_.count);
      case Kind::count:
        return count_automaton(labels_, set, rule_.unit, rule_.comparison, rule_.count);
      default:
        break;
    }
    const LabelFlags other = set_of(rule_.others, rule_.all_others);
    return rule_.kind == Kind::before     ? order_automaton(labels_, set, other)
           : rule_.kind == Kind::excludes ? exclusion_automaton(labels_, set, other)
                                          : need_automaton(labels_, set, other);
  }

  // body(t) for each t < end where token t + shift is one of the rule's, or, unless `wanted`, is not.
  template <class Body>
  void for_tokens(std::size_t example, std::size_t end, std::size_t shift, bool wanted, const Body& body) {
    const std::vector<char> matches = matcher_ ? matcher_->match(example) : std::vector<char>();
    for (std::size_t t = 0; t < end; ++t)
      if (!matcher_ || (matches[t + shift] != 0) == wanted) body(static_cast<std::uint32_t>(t));
  }

  void note_unseen(std::vector<std::string>& notes) const {
    const std::vector<RuleName> unseen = matcher_->unseen();
    if (unseen.empty()) return;
    std::vector<std::string> words;
    for (const RuleName& word : unseen)
      if (std::string text = fmt::format("'{}'", word.text); std::ranges::find(words, text) == words.end())
        words.push_back(std::move(text));
    std::string note = fmt::format("{}:{}:{}: no token of the data is {}.", file_, unseen[0].place.line,
                                   unseen[0].place.column, fmt::join(words, " or "));
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }

  const std::string& file_;
  const LabelSegments& declared_;
  const Rule& rule_;
  std::uint32_t number_;
  const LabelSegments& labels_;
  const TokenTexts& texts_;
  Knowledge& into_;
  std::optional<TokenMatcher> matcher_;
};

}  // namespace

Knowledge compile_rules(const Rules& rules, const LabelSegments& labels, const TokenTexts& texts,
                        std::vector<std::string>* notes) {
  Knowledge knowledge;
  knowledge.examples.resize(texts.size());
  std::vector<std::string> names = labels.names();
  for (const RuleName& label : rules.labels)
    if (std::ranges::find(names, label.text) == names.end()) names.push_back(label.text);
  const LabelSegments all_labels(std::move(names));
  for (std::size_t k = 0; k < rules.rules.size(); ++k) {
    knowledge.rules.push_back(penalty_of(rules.rules[k]));
    RuleCompiler(rules, k, labels, all_labels, texts, knowledge).compile(notes);
  }
  return knowledge;
}

std::vector<std::size_t> count_features(const Knowledge& knowledge) {
  std::vector<std::size_t> counts(knowledge.rules.size());
  for (const Constraints& example : knowledge.examples) {
    for (const auto& feature : example.positions) ++counts[feature.rule];
    for (const auto& feature : example.pairs) ++counts[feature.rule];
    for (const auto& feature : example.wholes) ++counts[feature.rule];
  }
  return counts;
}

void refuse_idle_rules(const Rules& rules, const Knowledge& knowledge) {
  const std::vector<std::size_t> counts = count_features(knowledge);
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] == 0)
      fail_in_rules(rules.file, rules.rules[k].place,
                    fmt::format("nothing in the data is what '{}' is about: mend it, or take it out.",
                                rules.rules[k].text));
}

}  // namespace hinge
