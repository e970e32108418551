#include "hinge/rules/token_parser.h"

#include <cctype>
#include <filesystem>

#include "hinge/core/text_file.h"
#include "hinge/rules/nearest_name.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

constexpr const char* kPunctuation = R"(^[\pP\pS]+$)";
constexpr const char* kNumber = R"(^[+-]?\d+([.,:/]\d+)*$)";
constexpr const char* kCapitalised = R"(^\p{Lu})";
constexpr const char* kNewline = R"(^(\\n|<br\s*/?>|\*?newline\*?|<(newline|nl|lb)>|¶|↵)$)";

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TokenClass joined(TokenClass::Kind kind, std::vector<TokenClass> parts, RulePlace place) {
  if (parts.size() == 1) return std::move(parts.front());
  TokenClass made;
  made.kind = kind;
  made.place = place;
  made.parts = std::move(parts);
  return made;
}

}  // namespace

bool TokenParser::is_ignoring_case(std::size_t k) const {
  return k + 1 < line_.pieces.size() && line_.pieces[k].kind == Kind::bare &&
         line_.pieces[k].text == "ignoring" && line_.pieces[k + 1].kind == Kind::bare &&
         line_.pieces[k + 1].text == "case";
}

// It may stand behind the words that it is about.
bool TokenParser::ignores_case_somewhere() const {
  for (std::size_t k = 0; k < line_.pieces.size(); ++k)
    if (is_ignoring_case(k)) return true;
  return false;
}

// The parser calls itself for each parenthesis, `not`, `after` and `before`.
struct TokenParser::Deeper {
  explicit Deeper(TokenParser& parser) : depth(parser.depth_) {
    if (++depth > 100)
      parser.wrong("this is nested deeper than 100; give a part of it a name with tokens NAME = ...");
  }
  ~Deeper() { --depth; }
  std::size_t& depth;
};

TokenClass TokenParser::parse_tokens() {
  const RulePlace place = here().place;
  std::vector<TokenClass> parts = {parse_conjunction()};
  for (;;) {
    if (is_mark(',') && behind().kind == Kind::bare && !is_option(behind()))
      ++at_;
    else if (!take("or"))
      break;
    parts.push_back(parse_conjunction());
  }
  return joined(TokenClass::Kind::either, std::move(parts), place);
}

TokenClass TokenParser::parse_conjunction() {
  const RulePlace place = here().place;
  std::vector<TokenClass> parts = {parse_class()};
  while (take("and")) parts.push_back(parse_class());
  return joined(TokenClass::Kind::both, std::move(parts), place);
}

TokenClass TokenParser::parse_class() {
  const Deeper deeper(*this);
  TokenClass made;
  made.place = here().place;
  if (take_mark('(')) {
    made = parse_tokens();
    if (!take_mark(')')) wrong("close the parenthesis with )");
    return made;
  }
  if (here().kind != Kind::bare)
    wrong("write which tokens: word W, pattern /REGEX/, column N equals V, punctuation, ...");
  if (take("not")) return wrapped(TokenClass::Kind::negation, std::move(made));
  if (take("after")) return wrapped(TokenClass::Kind::behind, std::move(made));
  if (take("before")) return wrapped(TokenClass::Kind::in_front, std::move(made));
  if (take("within")) {
    made.count = parse_count();
    if (!take("tokens") && !take("token")) wrong("write within N tokens after or within N tokens before");
    if (!is("after") && !is("before")) wrong("write after or before");
    const auto kind = is("after") ? TokenClass::Kind::behind : TokenClass::Kind::in_front;
    ++at_;
    return wrapped(kind, std::move(made));
  }
  if (take("word") || take("words")) {
    made.words = parse_words("a word");
  } else if (take("wordlist")) {
    made.words = read_words(true);
  } else if (take("pattern")) {
    parse_pattern(made);
  } else if (take("column")) {
    parse_column(made);
  } else if (take("attribute")) {
    made.attribute = true;
    if (take("matches"))
      parse_pattern(made);
    else
      made.words = parse_words("an attribute", false);
  } else if (take("punctuation")) {
    set_pattern(made, kPunctuation, false);
  } else if (take("newline")) {
    set_pattern(made, kNewline, true);
  } else if (take("number")) {
    set_pattern(made, kNumber, false);
  } else if (take("capitalised")) {
    set_pattern(made, kCapitalised, false);
  } else if (is("first") || is("last")) {
    made.kind = is("first") ? TokenClass::Kind::first : TokenClass::Kind::last;
    ++at_;
    if (!is("token") && !is("tokens")) made.count = parse_count();
    if (!take("token") && !take("tokens")) wrong("write first token or last token");
  } else if (const auto named = context_.tokens.find(here().text); named != context_.tokens.end()) {
    made = named->second;
    ++at_;
  } else {
    std::vector<std::string> words = kTokenWords;
    for (const auto& known : context_.tokens) words.push_back(known.first);
    const std::string nearest = nearest_name(here().text, words);
    wrong(fmt::format("{}no tokens have this name; write word in front of words",
                      nearest.empty() ? "" : fmt::format("write '{}'; ", nearest)));
  }
  if (is_ignoring_case(at_)) at_ += 2;
  return made;
}

TokenClass TokenParser::wrapped(TokenClass::Kind kind, TokenClass made) {
  made.kind = kind;
  made.parts.push_back(parse_class());
  return made;
}

void TokenParser::parse_column(TokenClass& made) {
  long long number = 0;
  if (here().kind != Kind::bare && here().kind != Kind::quoted)
    wrong("write which column, by its number from 1 or, in CoNLL-U, its name");
  if (parse_integer(here().text, number) && number < 1) wrong("columns count from 1");
  made.column = RuleName{here().text, here().place};
  ++at_;
  if (take("equals") || take("is"))
    made.words = parse_words("a text", false);
  else if (take("matches"))
    parse_pattern(made);
  else if (take("wordlist"))
    made.words = read_words(false);
  else
    wrong("write equals V, matches /REGEX/ or wordlist FILE");
}

void TokenParser::parse_pattern(TokenClass& made) {
  if (here().kind != Kind::pattern) wrong("write a regular expression between slashes, such as /^19/");
  const RulePiece& piece = here();
  if (!piece.flags.empty() && piece.flags != "i")
    wrong(fmt::format("only i, to ignore case, may stand behind the pattern, and not '{}'", piece.flags));
  set_pattern(made, piece.text, !piece.flags.empty() || ignores_case_);
  ++at_;
}

void TokenParser::set_pattern(TokenClass& made, const std::string& text, bool ignores_case) {
  made.kind = TokenClass::Kind::pattern;
  std::string error;
  made.pattern.emplace(text, ignores_case, error);
  if (!error.empty())
    fail_in_rules(context_.file, here().place,
                  fmt::format("/{}/ is no regular expression ({}): mend it.", text, error));
}

void TokenParser::add_word(RuleName word, RuleWords& words, bool phrases) const {
  std::string text = words.ignores_case ? lowered(word.text) : word.text;
  if (phrases && text.find(' ') != std::string::npos) {
    std::vector<std::string_view> tokens;
    split_fields<' '>(text, tokens);
    if (tokens.empty()) wrong("there is no word between the quotes; put one there");
    words.phrases.emplace_back(tokens.begin(), tokens.end());
  } else {
    words.single.insert(std::move(text));
  }
  words.all.push_back(std::move(word));
}

std::shared_ptr<const RuleWords> TokenParser::parse_words(const std::string& what, bool phrases) {
  auto words = std::make_shared<RuleWords>();
  words->ignores_case = ignores_case_;
  for (;;) {
    if (here().kind == Kind::pattern)
      wrong(
          "write pattern in front of a regular expression; a word that begins with a slash stands in "
          "quotes");
    if (here().kind != Kind::bare && here().kind != Kind::quoted) wrong(fmt::format("write {} here", what));
    add_word({here().text, here().place}, *words, phrases);
    ++at_;
    if (!is_mark(',') || ends_list()) break;
    ++at_;
  }
  return words;
}

// Whether the comma here is followed by an option of the rule, and not by another word.
bool TokenParser::ends_list() const {
  if (!is_option(behind()) || at_ + 2 >= line_.pieces.size()) return false;
  const RulePiece& next = line_.pieces[at_ + 2];
  const std::string& option = behind().text;
  double number = 0;
  if (option == "weight") return next.kind == Kind::bare && parse_number(next.text, number);
  if (option == "ignoring") return next.kind == Kind::bare && next.text == "case";
  return next.kind == Kind::end || is_option(next);
}

std::shared_ptr<const RuleWords> TokenParser::read_words(bool phrases) {
  if (here().kind != Kind::bare && here().kind != Kind::quoted) wrong("write the file that lists the words");
  if (context_.folder.empty())
    wrong("these rules are in no folder that a list of words could be read from; write the words here");
  auto words = std::make_shared<RuleWords>();
  words->ignores_case = ignores_case_;
  words->file = (std::filesystem::path(context_.folder) / here().text).lexically_normal().string();
  if (!std::filesystem::is_regular_file(words->file)) wrong(fmt::format("there is no file {}", words->file));
  LineReader lines(words->file);
  for (std::string_view line; lines.next(line);) {
    std::vector<std::string_view> fields;
    split_fields<' ', '\t'>(line, fields);
    if (fields.empty() || fields.front().starts_with('#')) continue;
    std::string text(fields.front());
    for (std::size_t k = 1; k < fields.size(); ++k) text.append(" ").append(fields[k]);
    add_word({text, here().place}, *words, phrases);
  }
  if (words->all.empty()) wrong(fmt::format("{} lists no word", words->file));
  ++at_;
  return words;
}

}  // namespace hinge
