// Writes trees in brackets, one a line; with scores `# score S` above each, with marginals `# LABEL first-last P` for each
// of its brackets below.
#pragma once

#include <span>
#include <string>

#include "hinge/tasks/parse/parser.h"

namespace hinge {

// `marginals` is empty, or has one for each bracket.
void append_found(const Parser::Found& found, bool scored, std::span<const double> marginals,
                  std::string& text);

}  // namespace hinge
