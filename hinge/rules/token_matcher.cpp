#include "hinge/rules/token_matcher.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/rules/nearest_name.h"

namespace hinge {
namespace {

using TokenKind = TokenClass::Kind;

void lower(std::string_view text, std::string& into) {
  into.assign(text);
  for (char& c : into) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

}  // namespace

TokenMatcher::TokenMatcher(const TokenClass& tokens, const TokenTexts& texts, const std::string& rules_file)
    : tokens_(tokens), texts_(texts), file_(rules_file) {
  for (const TokenClass& part : tokens.parts) parts_.emplace_back(part, texts, rules_file);
  const bool neighbours = tokens.kind == TokenKind::first || tokens.kind == TokenKind::last ||
                          tokens.kind == TokenKind::behind || tokens.kind == TokenKind::in_front;
  if (neighbours && !texts.ordered)
    fail_in_rules(
        file_, tokens.place,
        "this task has no order of tokens that first, last, after and before could mean: leave them out.");
  if (tokens.kind == TokenKind::words || tokens.kind == TokenKind::pattern) column_ = find_column();
  if (tokens.words) seen_phrases_.resize(tokens.words->phrases.size());
}

std::size_t TokenMatcher::find_column() const {
  using Texts = TokenTexts::Kind;
  if (texts_.kind == Texts::none)
    fail_in_rules(file_, tokens_.place,
                  "this data has neither words nor attributes that a rule could look at: leave it out.");
  if (tokens_.attribute != (texts_.kind == Texts::attributes))
    fail_in_rules(file_, tokens_.place,
                  tokens_.attribute ? "this data has columns and no attributes: write word or column."
                                    : "this data has attributes and no columns: write attribute.");
  if (tokens_.attribute) return 0;
  if (!tokens_.column) return texts_.word_column;
  const std::size_t columns = texts_.tokens() == 0 ? 0 : texts_.texts(0, 0);
  const auto& [text, place] = *tokens_.column;
  std::size_t found = columns;
  if (long long number = 0; parse_integer(text, number))
    found = static_cast<std::size_t>(number - 1);
  else if (const auto name = std::ranges::find(texts_.names, text); name != texts_.names.end())
    found = static_cast<std::size_t>(name - texts_.names.begin());
  else if (texts_.names.empty())
    fail_in_rules(
        file_, place,
        fmt::format("'{}' is no column: write its number from 1; only CoNLL-U has names for them.", text));
  if (found >= columns)
    fail_in_rules(
        file_, place,
        fmt::format("there is no column '{}': the data has {} beside the label{}.", text, columns,
                    texts_.names.empty() ? "" : fmt::format(": {}", fmt::join(texts_.names, ", "))));
  if (found == texts_.label_column)
    fail_in_rules(
        file_, place,
        fmt::format("the column '{}' is the label, which no rule can look at: name another.", text));
  return found;
}

bool TokenMatcher::has_word(std::string_view text) {
  if (tokens_.words->ignores_case)
    lower(text, scratch_);
  else
    scratch_.assign(text);
  if (!tokens_.words->single.contains(scratch_)) return false;
  seen_.insert(scratch_);
  return true;
}

bool TokenMatcher::in_texts(std::size_t example, std::size_t t) {
  const auto matches = [&](std::string_view text) {
    return tokens_.kind == TokenKind::pattern ? tokens_.pattern->in(text) : has_word(text);
  };
  if (!tokens_.attribute) return matches(texts_.text(example, t, column_));
  bool any = false;
  for (std::size_t k = 0; k < texts_.texts(example, t); ++k) any |= matches(texts_.text(example, t, k));
  return any;
}

void TokenMatcher::match_phrases(std::size_t example, std::vector<char>& matches) {
  for (std::size_t p = 0; p < tokens_.words->phrases.size(); ++p) {
    const std::vector<std::string>& phrase = tokens_.words->phrases[p];
    for (std::size_t t = 0; t + phrase.size() <= matches.size(); ++t) {
      std::size_t k = 0;
      for (; k < phrase.size(); ++k) {
        const std::string_view text = texts_.text(example, t + k, column_);
        if (tokens_.words->ignores_case)
          lower(text, scratch_);
        else
          scratch_.assign(text);
        if (scratch_ != phrase[k]) break;
      }
      if (k < phrase.size()) continue;
      seen_phrases_[p] = 1;
      std::fill_n(matches.begin() + static_cast<std::ptrdiff_t>(t), phrase.size(), char{1});
    }
  }
}

std::vector<char> TokenMatcher::match(std::size_t example) {
  const std::size_t length = texts_.length(example);
  std::vector<char> matches(length, 0);
  std::vector<std::vector<char>> parts;
  for (TokenMatcher& part : parts_) parts.push_back(part.match(example));
  for (std::size_t t = 0; t < length; ++t) {
    const auto in = [&](const std::vector<char>& part) { return part[t] != 0; };
    switch (tokens_.kind) {
      case TokenKind::words:
      case TokenKind::pattern:
        matches[t] = in_texts(example, t);
        break;
      case TokenKind::first:
        matches[t] = t < tokens_.count;
        break;
      case TokenKind::last:
        matches[t] = t + tokens_.count >= length;
        break;
      case TokenKind::negation:
        matches[t] = parts[0][t] == 0;
        break;
      case TokenKind::both:
        matches[t] = std::ranges::all_of(parts, in);
        break;
      case TokenKind::either:
        matches[t] = std::ranges::any_of(parts, in);
        break;
      case TokenKind::behind:
        for (std::size_t k = 1; k <= std::min(t, tokens_.count); ++k) matches[t] |= parts[0][t - k];
        break;
      case TokenKind::in_front:
        for (std::size_t k = 1; k <= std::min(length - 1 - t, tokens_.count); ++k)
          matches[t] |= parts[0][t + k];
        break;
    }
  }
  if (tokens_.kind == TokenKind::words) match_phrases(example, matches);
  return matches;
}

std::vector<RuleName> TokenMatcher::unseen() const {
  std::vector<RuleName> names;
  for (const TokenMatcher& part : parts_)
    for (RuleName& name : part.unseen()) names.push_back(std::move(name));
  if (tokens_.kind != TokenKind::words || !tokens_.words->file.empty()) return names;
  std::size_t phrase = 0;
  for (const RuleName& word : tokens_.words->all) {
    const bool is_phrase = !tokens_.column && !tokens_.attribute && word.text.find(' ') != std::string::npos;
    std::string text = word.text;
    if (tokens_.words->ignores_case) lower(word.text, text);
    if (is_phrase ? seen_phrases_[phrase++] == 0 : !seen_.contains(text)) names.push_back(word);
  }
  return names;
}

}  // namespace hinge
