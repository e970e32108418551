#include "hinge/rules/apply_rules.h"

#include "hinge/core/errors.h"
#include "hinge/rules/compile_rules.h"
#include "hinge/rules/contradictions.h"

namespace hinge {

Applied apply_rules(const Rules& rules, const HasTokens& tokens, const Data& data) {
  const LabelSegments labels(tokens.label_names());
  const TokenTexts& texts = tokens.tokens(data);
  Applied applied;
  applied.knowledge = std::make_shared<const Knowledge>(compile_rules(rules, labels, texts, &applied.notes));
  refuse_contradictions(rules, *applied.knowledge, texts, labels.size());
  return applied;
}

HasTokens& tokens_of(AnyTask& task) {
  HasTokens* tokens = power<HasTokens>(task);
  if (tokens == nullptr)
    fail("rules are about the labels of tokens, and the task {} has none: leave out the rules.", task.name());
  return *tokens;
}

}  // namespace hinge
