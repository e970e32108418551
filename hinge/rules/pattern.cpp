#include "hinge/rules/pattern.h"

#ifndef HINGE_WITHOUT_RE2
#include <re2/re2.h>
#endif

namespace hinge {

#ifdef HINGE_WITHOUT_RE2

struct Pattern::Compiled {};

Pattern::Pattern(const std::string&, bool, std::string& error) {
  error =
      "this build of Hinge has no regular expressions: install RE2 (Debian: libre2-dev) and build it again";
}

bool Pattern::in(std::string_view) const { return false; }

#else

struct Pattern::Compiled {
  RE2 expression;
};

Pattern::Pattern(const std::string& text, bool ignores_case, std::string& error) {
  RE2::Options options(RE2::Quiet);
  options.set_case_sensitive(!ignores_case);
  compiled_ = std::shared_ptr<const Compiled>(new Compiled{RE2(text, options)});
  error = compiled_->expression.ok() ? "" : compiled_->expression.error();
}

bool Pattern::in(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled_->expression);
}

#endif

}  // namespace hinge
