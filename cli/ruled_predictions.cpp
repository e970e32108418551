#include "cli/ruled_predictions.h"

#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"

namespace hinge {

RuledPredictions::RuledPredictions(Model& model, const std::string& file, double strength)
    : strength_(strength) {
  const nlohmann::json trained = model.summary.value("transduction", nlohmann::json::object());
  for (const nlohmann::json& rule : trained.value("rules", nlohmann::json::array()))
    if (rule.contains("weight")) learned_[rule.value("rule", "")] = rule.value("weight", 0.0);
  if (file.empty() && !learned_.empty())
    fail("the model gives weights to the rules that it was trained with: add --rules R.");
  if (file.empty()) return;
  tokens_ = &tokens_of(*model.task);
  tokens_->keep_tokens(true);
  rules_ = read_rules(file);
}

void RuledPredictions::guide(const Data& data) const {
  if (tokens_ == nullptr) return;
  const Applied applied = apply_rules(rules_, *tokens_, data);
  std::vector<double> costs = rule_costs(*applied.knowledge, strength_);
  for (std::size_t r = 0; r < costs.size(); ++r)
    if (const auto found = learned_.find(applied.knowledge->rules[r].name);
        found != learned_.end() && std::isfinite(costs[r]))
      costs[r] = found->second;
  tokens_->guide(applied.knowledge, std::move(costs));
}

}  // namespace hinge
