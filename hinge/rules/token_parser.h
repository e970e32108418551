// Which tokens a rule is about: word W, pattern /REGEX/, column N equals V, first token, after TOKENS, and what
// `not`, `and`, `or` and parentheses make of these.
#pragma once

#include <memory>

#include "hinge/rules/rule_cursor.h"

namespace hinge {

class TokenParser : public RuleCursor {
 public:
  TokenParser(const RuleLine& line, RuleContext& context)
      : RuleCursor(line, context), ignores_case_(context.ignores_case || ignores_case_somewhere()) {}

 protected:
  TokenClass parse_tokens();

 private:
  struct Deeper;
  TokenClass parse_conjunction();
  TokenClass parse_class();
  TokenClass wrapped(TokenClass::Kind kind, TokenClass made);
  void parse_column(TokenClass& made);
  void parse_pattern(TokenClass& made);
  void set_pattern(TokenClass& made, const std::string& text, bool ignores_case);
  void add_word(RuleName word, RuleWords& words, bool phrases) const;
  std::shared_ptr<const RuleWords> parse_words(const std::string& what, bool phrases = true);
  bool ends_list() const;
  std::shared_ptr<const RuleWords> read_words(bool phrases);
  bool is_ignoring_case(std::size_t k) const;
  bool ignores_case_somewhere() const;

  std::size_t depth_ = 0;
  bool ignores_case_;
};

}  // namespace hinge
