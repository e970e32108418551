// A regular expression, in RE2's syntax: it is matched in time linear in the text, whatever it says.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace hinge {

class Pattern {
 public:
  // `error` becomes a phrase about what is wrong with the text, which then makes no pattern; or empty.
  Pattern(const std::string& text, bool ignores_case, std::string& error);

  // Whether some part of the text matches; ^ and $ tie the pattern to its ends.
  bool in(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace hinge
