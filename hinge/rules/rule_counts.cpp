#include "hinge/rules/rule_counts.h"

#include <algorithm>

namespace hinge {

RuleCounts count_rules(const Knowledge& knowledge, std::span<const Labels> labels, std::size_t shown) {
  RuleCounts counts;
  counts.rules.resize(knowledge.rules.size());
  counts.violations.resize(knowledge.rules.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::ranges::none_of(labels[i], [](int label) { return label >= 0; })) continue;
    bool kept = true;
    for_features(knowledge, i, labels[i], [&](const RuleFeature& feature) {
      RuleCount& count = counts.rules[feature.rule];
      ++count.applies;
      count.holds += feature.holds;
      if (feature.holds || knowledge.rules[feature.rule].kind != RulePenalty::Kind::satisfied) return;
      kept = false;
      if (auto& list = counts.violations[feature.rule]; list.size() < shown) list.push_back({i, feature});
    });
    ++counts.examples.applies;
    counts.examples.holds += kept;
  }
  return counts;
}

}  // namespace hinge
