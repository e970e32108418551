// How often rules hold in given labellings, and where they do not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/rules/rule_automata.h"
#include "hinge/tasks/labels.h"

namespace hinge {

// One feature of a rule in a labelling.
struct RuleFeature {
  enum class Of { position, pair, whole };

  Of of;
  std::uint32_t rule;
  std::uint32_t position;  // of a pair the first
  bool holds;
};

// body(feature) for each feature of the example whose labels are known.
template <class Body>
void for_features(const Knowledge& knowledge, std::size_t example, const Labels& y, const Body& body) {
  const Constraints& constraints = knowledge.examples[example];
  for (const auto& [t, set, rule] : constraints.positions)
    if (y[t] >= 0)
      body(RuleFeature{RuleFeature::Of::position, rule, t,
                       knowledge.shared.sets[set][static_cast<std::size_t>(y[t])] != 0});
  for (const auto& [t, table, rule] : constraints.pairs)
    if (y[t] >= 0 && y[t + 1] >= 0)
      body(RuleFeature{RuleFeature::Of::pair, rule, t,
                       knowledge.shared.tables[table](static_cast<std::size_t>(y[t]),
                                                      static_cast<std::size_t>(y[t + 1]))});
  if (constraints.wholes.empty() || !fully_known(y)) return;
  for (const auto& [automaton, rule] : constraints.wholes)
    body(RuleFeature{RuleFeature::Of::whole, rule, 0, accepts(knowledge.shared.automata[automaton], y)});
}

struct RuleCount {
  std::size_t applies = 0, holds = 0;
  double rate() const { return applies == 0 ? 1 : static_cast<double>(holds) / static_cast<double>(applies); }
};

// A place where a rule does not hold.
struct Violation {
  std::size_t example;
  RuleFeature feature;
};

struct RuleCounts {
  std::vector<RuleCount> rules;  // each
  RuleCount examples;            // those that were labelled, and those where every rule of kind
                                 // `satisfied` holds
  std::vector<std::vector<Violation>> violations;  // the first few of each rule
};

RuleCounts count_rules(const Knowledge& knowledge, std::span<const Labels> labels, std::size_t shown);

}  // namespace hinge
