// A tree as an SVG picture that stands alone: words below, each under its tag, brackets above what they hold.
// With a second tree of the same words, brackets that it lacks are drawn in red.
#pragma once

#include <string>

#include "hinge/tasks/parse/tree.h"

namespace hinge {

std::string tree_picture(const SentenceTree& tree, const std::string& title,
                         const SentenceTree* other = nullptr);

}  // namespace hinge
