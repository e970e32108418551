// Hard rules that no labelling of an example keeps all together.
#pragma once

#include <span>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/rules/rules.h"
#include "hinge/tasks/token_texts.h"

namespace hinge {

// Those of its hard rules that contradict each other, by number; none can be left out without leaving the others
// a labelling. Empty where some labelling keeps all. Where there are very many ways to fail, the search for one
// that does not gives up, and says that there may be some: nothing is refused that may be possible.
std::vector<std::size_t> contradiction(const Knowledge& knowledge, std::size_t example, std::size_t length,
                                       std::size_t labels);

// Throws InputError about the first example that has one, with the lines of the rules.
void refuse_contradictions(const Rules& rules, const Knowledge& knowledge, const TokenTexts& texts,
                           std::size_t labels);

}  // namespace hinge
