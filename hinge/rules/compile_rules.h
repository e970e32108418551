// Rules made into what inference and learning use (inference/constraints.h), for the tokens of some examples:
//
//     TOKENS in LABELS      a feature [y_t ∈ LABELS] for each token that is meant
//     transitions           a feature [no such transition between t and t + 1] for each pair where it is not allowed
//     wholes                a feature [the automaton accepts y] for each example, and for each label of `each`
//     fractions             features as of tokens, whose mean is wanted
//
// Rule k of the knowledge is rule k of the rules. Features that hold whatever the labels are, are left out.
#pragma once

#include <string>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/rules/label_segments.h"
#include "hinge/rules/rules.h"
#include "hinge/tasks/token_texts.h"

namespace hinge {

// Throws InputError with the rule's place for a label that there is not, and for what the data cannot serve. Labels that
// `labels are` names may be missing; a rule that is left without any has no features. `notes` becomes
// sentences about both and about words that no token is.
Knowledge compile_rules(const Rules& rules, const LabelSegments& labels, const TokenTexts& texts,
                        std::vector<std::string>* notes = nullptr);

// How many features each rule has over all examples.
std::vector<std::size_t> count_features(const Knowledge& knowledge);
// Throws InputError about the first rule that has none: nothing in the data is what it is about.
void refuse_idle_rules(const Rules& rules, const Knowledge& knowledge);

}  // namespace hinge
