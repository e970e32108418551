#include "hinge/rules/check_rules.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "hinge/rules/compile_rules.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

std::vector<double> rule_costs(const Knowledge& knowledge, double strength) {
  std::vector<double> costs;
  for (const RulePenalty& rule : knowledge.rules)
    costs.push_back(rule.kind != RulePenalty::Kind::satisfied ? 0
                    : rule.hard                               ? std::numeric_limits<double>::infinity()
                                                              : strength * rule.weight);
  return costs;
}

RuleCheck check_rules(AnyTask& task, const Data& data, Weights w, std::shared_ptr<const Knowledge> knowledge,
                      double strength, std::size_t shown, Executor& executor) {
  auto& tokens = *power<HasTokens>(task);
  const std::vector<Labels>& labels = tokens.labels(data);
  const auto known = [](const Labels& y) {
    return std::ranges::any_of(y, [](int label) { return label >= 0; });
  };
  const bool labelled = std::ranges::any_of(labels, known);
  RuleCheck check;
  check.applies = count_features(*knowledge);
  if (labelled) check.labels = count_rules(*knowledge, labels, shown);
  if (w.empty()) return check;

  const auto answers = [&] { return labels_of(power<Answering>(task)->predictions(data, w, {}, executor)); };
  const auto accuracy = [&] { return task.evaluate(data, w, {}, executor).at("accuracy").get<double>(); };
  check.predictions = count_rules(*knowledge, answers(), shown);
  if (labelled) check.accuracy = accuracy();
  const std::vector<double> costs = rule_costs(*knowledge, strength);
  tokens.guide(knowledge, costs);
  check.guided = count_rules(*knowledge, answers(), shown);
  if (labelled) {
    check.guided_accuracy = accuracy();
    for (std::size_t k = 0; k < costs.size(); ++k) {
      std::vector<double> others = costs;
      others[k] = 0;
      if (costs[k] != 0) tokens.guide(knowledge, std::move(others));
      check.without.push_back(costs[k] == 0 ? *check.guided_accuracy : accuracy());
    }
  }
  tokens.guide(nullptr, {});
  return check;
}

}  // namespace hinge
