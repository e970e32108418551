// Writes trees in brackets, one a line; with scores `# score S` above each, with marginals `# LABEL first-last P` for each
// of its brackets below.
#pragma once

#include <string>

#include "hinge/tasks/parse/examples.h"
#include "hinge/tasks/parse/options.h"
#include "hinge/tasks/parse/parser.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

// Throws InputError where trees that have no scores would be listed by them.
void refuse_list(const ParseOutput& options, const Decoding& decoding);

// What the options want written of a sentence.
void append_answers(Parser parser, const ParseInput& x, const SentenceTree& sentence, Weights w,
                    const ParseOutput& options, std::string& text);

// At most k trees of example i as text; `given` those that its label admits. Throws InputError where that leaves none.
std::vector<RankedTree> ranked_trees(Parser parser, const ParseData& data, std::size_t i, Weights w,
                                     std::size_t k, bool given);

}  // namespace hinge
