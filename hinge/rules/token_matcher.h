// Which tokens of an example a class of tokens means.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "hinge/rules/rules.h"
#include "hinge/tasks/token_texts.h"

namespace hinge {

// Refers to the class and the texts, which must outlive it.
class TokenMatcher {
 public:
  // Throws InputError where the data does not have what the class looks at.
  TokenMatcher(const TokenClass& tokens, const TokenTexts& texts, const std::string& rules_file);

  // matches[t] for each token of the example
  std::vector<char> match(std::size_t example);

  // Words of the rules themselves that no token was, so far.
  std::vector<RuleName> unseen() const;

 private:
  std::size_t find_column() const;
  bool has_word(std::string_view text);
  void match_phrases(std::size_t example, std::vector<char>& matches);
  bool in_texts(std::size_t example, std::size_t t);

  const TokenClass& tokens_;
  const TokenTexts& texts_;
  const std::string& file_;
  std::size_t column_ = 0;
  std::vector<TokenMatcher> parts_;
  std::set<std::string> seen_;
  std::vector<char> seen_phrases_;
  std::string scratch_;
};

}  // namespace hinge
