// What rules are worth on data, before anything is trained with them: how often they apply and hold in its
// labels and in a model's predictions, and what predictions that keep to them gain,
//
//     worth of rule k = accuracy with all rules − accuracy with all rules but k.
#pragma once

#include <optional>
#include <vector>

#include "hinge/rules/rule_counts.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

// What a broken feature of each rule takes from a labelling's score: infinity where the rule is hard, strength
// times its weight where it is soft, nothing where it is about the sample as a whole.
std::vector<double> rule_costs(const Knowledge& knowledge, double strength);

struct RuleCheck {
  std::vector<std::size_t> applies;                 // features of each rule, labels known or not
  std::optional<RuleCounts> labels;                 // where there are labels
  std::optional<RuleCounts> predictions, guided;    // with weights: as they are, and with the rules
  std::optional<double> accuracy, guided_accuracy;  // with both
  std::vector<double> without;                      // accuracy with all rules but this one
};

// `task` has HasTokens, and `data` was read by it with tokens kept; `w` is empty where there is no model. Guides the
// task, and leaves it without a guide. `shown` is how many violations to keep of each rule.
RuleCheck check_rules(AnyTask& task, const Data& data, Weights w, std::shared_ptr<const Knowledge> knowledge,
                      double strength, std::size_t shown, Executor& executor);

}  // namespace hinge
