// The text of rules cut into pieces: bare words, "quoted" ones, /patterns/, and the marks , ( ) =.
#pragma once

#include <string>
#include <vector>

#include "hinge/rules/rules.h"

namespace hinge {

struct RulePiece {
  enum class Kind { bare, quoted, pattern, mark, end };

  Kind kind = Kind::end;
  std::string text;   // without quotes and slashes, escapes resolved
  std::string flags;  // behind a pattern
  RulePlace place;
  std::size_t begin = 0, end = 0;  // in the line as it was written
};

// The pieces of one rule, from the line where it begins and those that go on with it; the last is `end`.
struct RuleLine {
  std::vector<RulePiece> pieces;
  std::string text;  // as written, blanks between lines squeezed
};

std::vector<RuleLine> cut_rules(const std::string& text, const std::string& file);

}  // namespace hinge
