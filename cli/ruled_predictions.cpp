#include "cli/ruled_predictions.h"

#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"

namespace hinge {

RuledPredictions::RuledPredictions(AnyTask& task, const std::string& file, double strength)
    : strength_(strength) {
  if (file.empty()) return;
  tokens_ = &tokens_of(task);
  tokens_->keep_tokens(true);
  rules_ = read_rules(file);
}

void RuledPredictions::guide(const Data& data) const {
  if (tokens_ == nullptr) return;
  const Applied applied = apply_rules(rules_, *tokens_, data);
  tokens_->guide(applied.knowledge, rule_costs(*applied.knowledge, strength_));
}

}  // namespace hinge
