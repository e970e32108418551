// Where the parser of rules is in a line, what the file has said so far, and sentences about what is wrong there.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/rules/rule_words.h"
#include "hinge/rules/rules.h"

namespace hinge {

// What a file of rules has said so far.
struct RuleContext {
  const std::string& file;
  const std::string& folder;
  bool ignores_case = false;
  std::map<std::string, TokenClass> tokens;
  std::map<std::string, std::vector<RuleName>> labels;
  std::vector<RuleName> declared;
};

// Words that have a meaning of their own: what tokens are called, what stands behind a rule, what begins one.
inline const std::vector<std::string> kTokenWords = {
    "word",        "wordlist", "pattern", "column", "attribute", "punctuation", "newline", "number",
    "capitalised", "first",    "last",    "after",  "before",    "within",      "words",   "not"};
inline const std::vector<std::string> kRuleOptions = {"weight", "hard", "soft", "ignoring"};
inline const std::vector<std::string> kRuleStatements = {"transition", "no",     "each",  "fraction",
                                                         "tokens",     "labels", "ignore"};

inline bool among(const std::string& text, const std::vector<std::string>& words) {
  return std::ranges::find(words, text) != words.end();
}

class RuleCursor {
 public:
  RuleCursor(const RuleLine& line, RuleContext& context) : line_(line), context_(context) {}

 protected:
  using Kind = RulePiece::Kind;

  const RulePiece& here() const { return line_.pieces[at_]; }
  const RulePiece& behind() const { return line_.pieces[std::min(at_ + 1, line_.pieces.size() - 1)]; }
  bool is(std::string_view word) const { return here().kind == Kind::bare && here().text == word; }
  bool is_mark(char c) const { return here().kind == Kind::mark && here().text[0] == c; }
  bool is_option(const RulePiece& piece) const {
    return piece.kind == Kind::bare && among(piece.text, kRuleOptions);
  }

  bool take(std::string_view word) {
    if (!is(word)) return false;
    ++at_;
    return true;
  }
  bool take_mark(char c) {
    if (!is_mark(c)) return false;
    ++at_;
    return true;
  }

  // "found X where Y belongs"
  [[noreturn]] void wrong(const std::string& wanted) const;
  void need(std::string_view word, const std::string& wanted) {
    if (!take(word)) wrong(wanted);
  }

  // What several kinds of rules are made of.
  std::size_t parse_count();
  // `all`: where it may stand, `label` is every label.
  std::vector<RuleName> parse_labels(bool* all = nullptr);

  const RuleLine& line_;
  RuleContext& context_;
  std::size_t at_ = 0;
};

}  // namespace hinge
