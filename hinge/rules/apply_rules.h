// Rules and data that a task has read, put together:
//
//     task.keep_tokens(true), task.add_labels(declared_labels(rules));     // before training data is read
//     const Applied applied = apply_rules(rules, task, *data);
//     task.guide(applied.knowledge, rule_costs(*applied.knowledge, strength));
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/rules/rules.h"
#include "hinge/tasks/powers.h"

namespace hinge {

struct Applied {
  std::shared_ptr<const Knowledge> knowledge;  // of the examples of the data, in their order
  std::vector<std::string> notes;  // sentences about words that no token is, and labels that there are not
};

// Throws InputError as compile_rules and refuse_contradictions do.
Applied apply_rules(const Rules& rules, const HasTokens& tokens, const Data& data);

// The power of the task; throws InputError where it labels no tokens.
HasTokens& tokens_of(AnyTask& task);

}  // namespace hinge
