#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>

#include "hinge/core/text_file.h"
#include "hinge/rules/nearest_name.h"
#include "hinge/rules/rule_words.h"
#include "hinge/rules/rules.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

using Kind = RulePiece::Kind;
using Comparison = Rule::Comparison;

constexpr const char* kPunctuation = R"(^[\pP\pS]+$)";
constexpr const char* kNumber = R"(^[+-]?\d+([.,:/]\d+)*$)";
constexpr const char* kCapitalised = R"(^\p{Lu})";
constexpr const char* kNewline = R"(^(\\n|<br\s*/?>|\*?newline\*?|<(newline|nl|lb)>|¶|↵)$)";

const std::vector<std::string> kClasses = {
    "word",        "wordlist", "pattern", "column", "attribute", "punctuation", "newline", "number",
    "capitalised", "first",    "last",    "after",  "before",    "within",      "words",   "not"};
const std::vector<std::string> kOptions = {"weight", "hard", "soft", "ignoring"};
const std::vector<std::string> kStatements = {"transition", "no",     "each",  "fraction",
                                              "tokens",     "labels", "ignore"};

bool among(const std::string& text, const std::vector<std::string>& words) {
  return std::ranges::find(words, text) != words.end();
}

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// What a file of rules has said so far.
struct Context {
  const std::string& file;
  const std::string& folder;
  bool ignores_case = false;
  std::map<std::string, TokenClass> tokens;
  std::map<std::string, std::vector<RuleName>> labels;
  std::vector<RuleName> declared;
};

class RuleParser {
 public:
  RuleParser(const RuleLine& line, Context& context) : line_(line), context_(context) {}

  // The rule; none where the line gives a name to something.
  std::optional<Rule> parse() {
    ignores_case_ = context_.ignores_case || ignores_case_somewhere();
    if (parse_setting()) return std::nullopt;
    rule_.place = here().place;
    rule_.text = line_.text;
    while (is("hard") || is("soft") || is("hard:") || is("soft:")) {
      set_hardness(here().text.starts_with("hard"));
      ++at_;
    }
    parse_body();
    parse_options();
    if (here().kind != Kind::end)
      wrong("a rule ends here, or goes on with weight W, hard, soft or ignoring case");
    if (rule_.hard && (rule_.kind == Rule::Kind::fraction || rule_.kind == Rule::Kind::examples))
      fail_in_rules(context_.file, rule_.place,
                    "a fraction is about all examples together and cannot be hard: leave out hard, or give "
                    "it a weight.");
    return rule_;
  }

 private:
  const RulePiece& here() const { return line_.pieces[at_]; }
  const RulePiece& behind() const { return line_.pieces[std::min(at_ + 1, line_.pieces.size() - 1)]; }
  bool is(std::string_view word) const { return here().kind == Kind::bare && here().text == word; }
  bool is_mark(char c) const { return here().kind == Kind::mark && here().text[0] == c; }
  bool is_option(const RulePiece& piece) const {
    return piece.kind == Kind::bare && among(piece.text, kOptions);
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
  [[noreturn]] void wrong(const std::string& wanted) const {
    const RulePiece& piece = here();
    const std::string found = piece.kind == Kind::end ? "the rule ends where this belongs"
                              : piece.kind == Kind::pattern
                                  ? fmt::format("found the pattern /{}/", piece.text)
                                  : fmt::format("found '{}'", piece.text);
    fail_in_rules(context_.file, piece.place, fmt::format("{}: {}.", found, wanted));
  }
  void need(std::string_view word, const std::string& wanted) {
    if (!take(word)) wrong(wanted);
  }

  bool is_ignoring_case(std::size_t k) const {
    return k + 1 < line_.pieces.size() && line_.pieces[k].kind == Kind::bare &&
           line_.pieces[k].text == "ignoring" && line_.pieces[k + 1].kind == Kind::bare &&
           line_.pieces[k + 1].text == "case";
  }
  // It may stand behind the words that it is about.
  bool ignores_case_somewhere() const {
    for (std::size_t k = 0; k < line_.pieces.size(); ++k)
      if (is_ignoring_case(k)) return true;
    return false;
  }

  // `tokens NAME = ...`, `labels NAME = ...`, `ignore case`
  bool parse_setting() {
    if (is("ignore") && behind().kind == Kind::bare && behind().text == "case") {
      at_ += 2;
      context_.ignores_case = true;
      if (here().kind != Kind::end) wrong("`ignore case` is a line by itself");
      return true;
    }
    if (is("labels") && behind().kind == Kind::bare && behind().text == "are") {
      at_ += 2;
      for (RuleName& name : parse_labels()) context_.declared.push_back(std::move(name));
      if (here().kind != Kind::end) wrong("the line ends here, or goes on with a comma and another label");
      return true;
    }
    const bool equals = line_.pieces.size() > at_ + 3 && line_.pieces[at_ + 2].kind == Kind::bare &&
                        line_.pieces[at_ + 2].text == "=";
    if (!equals || !(is("tokens") || is("labels"))) return false;
    const bool tokens = is("tokens");
    ++at_;
    const RulePiece name = here();
    if (name.kind != Kind::bare) wrong("a name for it, without quotes");
    if (tokens && (among(name.text, kClasses) || among(name.text, kStatements) || among(name.text, kOptions)))
      wrong("this word has a meaning of its own; take another name");
    at_ += 2;
    if (tokens)
      context_.tokens.insert_or_assign(name.text, parse_tokens());
    else
      context_.labels.insert_or_assign(name.text, parse_labels());
    if (here().kind != Kind::end) wrong("the line ends here");
    return true;
  }

  void parse_body() {
    if (here().kind == Kind::pattern) wrong("write pattern in front of it");
    const bool not_transition = is("no") && behind().kind == Kind::bare && behind().text == "transition";
    if (is("transition") || not_transition) return parse_transition();
    if (is("each")) return parse_each();
    if (is("fraction")) return parse_fraction();
    if (here().kind == Kind::bare && begins_tokens()) return parse_token_rule();
    if (is_mark('(')) return parse_token_rule();
    if (here().kind == Kind::bare && behind().kind != Kind::mark && !begins_label_rule(behind()))
      unknown_beginning();
    parse_label_rule();
  }

  // A label of the name of a class stands in quotes, unless what follows leaves no doubt.
  bool begins_tokens() const {
    if (begins_label_rule(behind())) return false;
    return among(here().text, kClasses) || context_.tokens.contains(here().text);
  }
  static bool begins_label_rule(const RulePiece& piece) {
    return piece.kind == Kind::bare &&
           (piece.text == "at" || piece.text == "exactly" || piece.text == "excludes" ||
            piece.text == "needs" || piece.text == "before" || piece.text == "or");
  }
  [[noreturn]] void unknown_beginning() const {
    std::vector<std::string> words = kClasses;
    words.insert(words.end(), kStatements.begin(), kStatements.end());
    for (const auto& named : context_.tokens) words.push_back(named.first);
    const std::string nearest = nearest_name(here().text, words);
    wrong(
        nearest.empty()
            ? "a rule begins with word, pattern, column, first, last, transition, each, fraction or a label "
              "and what is said of it (at most, at least, before, ...)"
            : fmt::format("write '{}', or a label and at most, at least, before, ...", nearest));
  }

  // ----- what rules say

  void parse_token_rule() {
    rule_.kind = Rule::Kind::tokens;
    rule_.tokens = parse_tokens();
    rule_.negated = take("not");
    if (!take("in") && !(!rule_.negated && take("comes")))
      wrong(rule_.negated ? "write in and the labels that it must not have"
                          : "write in or not in and the labels");
    rule_.labels = parse_labels(&rule_.all_labels);
  }

  void parse_transition() {
    rule_.kind = Rule::Kind::transition;
    rule_.negated = take("no");
    ++at_;
    rule_.all_labels = rule_.all_others = true;
    while (is("from") || is("to")) {  // in any order
      const bool from = is("from");
      if (from ? !rule_.all_labels : !rule_.all_others)
        wrong("this was said already; put all labels into one list");
      ++at_;
      bool& all = from ? rule_.all_labels : rule_.all_others;
      all = false;
      (from ? rule_.labels : rule_.others) = parse_labels(&all);
    }
    if (rule_.negated && !is("at") && !is("after") && !is("before")) return;
    if (!rule_.negated) need("only", "write only at TOKENS, only before TOKENS or only to LABELS");
    if (!rule_.negated && rule_.others.empty() && !rule_.labels.empty() && take("to")) {
      rule_.kind = Rule::Kind::next;
      rule_.all_others = false;
      rule_.others = parse_labels(&rule_.all_others);
      return;
    }
    rule_.in_front = is("before");
    if (!take("at") && !take("after") && !take("before"))
      wrong("write at TOKENS or before TOKENS, such as at punctuation");
    rule_.tokens = parse_tokens();
  }

  void parse_each() {
    ++at_;
    rule_.each = true;
    rule_.labels = parse_labels(&rule_.all_labels);
    if (take("is") || take("are")) {
      rule_.kind = Rule::Kind::contiguous;
      take("one");
      take("contiguous");
      need("segment", "write is one contiguous segment");
    } else if (is("segment") && (behind().text == "begins" || behind().text == "ends")) {
      rule_.kind = Rule::Kind::segment_edge;
      ++at_;
      rule_.in_front = take("begins");
      if (!rule_.in_front) ++at_;
      need("with", "write with and the tokens");
      rule_.tokens = parse_tokens();
    } else if (take("segment")) {
      rule_.kind = Rule::Kind::segment_length;
      parse_comparison(false);
      rule_.count = parse_count();
      if (!take("tokens") && !take("token")) wrong("write tokens");
    } else {
      parse_amount(
          "write is one contiguous segment, segment at most N tokens, segment begins with TOKENS, or at most "
          "N tokens per example");
    }
  }

  void parse_label_rule() {
    rule_.labels = parse_labels(&rule_.all_labels);
    if (take("before"))
      rule_.kind = Rule::Kind::before;
    else if (take("excludes"))
      rule_.kind = Rule::Kind::excludes;
    else if (take("needs"))
      rule_.kind = Rule::Kind::needs;
    else
      return parse_amount(
          "write at most, at least or exactly N tokens or segments per example, or before, excludes or needs "
          "and other labels");
    rule_.others = parse_labels(&rule_.all_others);
    if (rule_.all_labels || rule_.all_others)
      fail_in_rules(context_.file, rule_.place,
                    "`label` stands for every label, which says nothing here: name the labels.");
  }

  void parse_amount(const std::string& wanted) {
    if (!is("at") && !is("exactly")) wrong(wanted);
    rule_.kind = Rule::Kind::count;
    parse_comparison(false);
    rule_.count = parse_count();
    if (take("segments") || take("segment"))
      rule_.unit = Rule::Unit::segments;
    else if (!take("tokens") && !take("token"))
      wrong("write tokens or segments");
    if (take("per")) need("example", "write per example");
  }

  void parse_fraction() {
    rule_.kind = Rule::Kind::fraction;
    ++at_;
    need("of", "write fraction of LABELS about P over the sample");
    if (is("examples") && behind().text == "with") {
      rule_.kind = Rule::Kind::examples;
      at_ += 2;
    }
    rule_.labels = parse_labels(&rule_.all_labels);
    if (rule_.kind == Rule::Kind::fraction && take("among")) rule_.tokens = parse_tokens();
    parse_comparison(true);
    std::string text = here().kind == Kind::bare ? here().text : "";
    const bool percent = text.ends_with('%');
    if (percent) text.pop_back();
    if (!parse_number(text, rule_.target)) wrong("write a fraction between 0 and 1, such as 0.25 or 25%");
    if (percent) rule_.target /= 100;
    if (rule_.target < 0 || rule_.target > 1) wrong("a fraction is between 0 and 1, or 0% and 100%");
    ++at_;
    if (take("over")) {
      need("the", "write over the sample");
      need("sample", "write over the sample");
    }
  }

  void parse_comparison(bool fraction) {
    if (fraction && take("about")) {
      rule_.comparison = Comparison::about;
    } else if (!fraction && take("exactly")) {
      rule_.comparison = Comparison::exactly;
    } else {
      const std::string wanted = fmt::format("write at most, at least or {}", fraction ? "about" : "exactly");
      need("at", wanted);
      if (take("most"))
        rule_.comparison = Comparison::at_most;
      else if (take("least"))
        rule_.comparison = Comparison::at_least;
      else
        wrong(wanted);
    }
  }

  std::size_t parse_count() {
    constexpr long long kMost = 1000;
    if (take("one")) return 1;
    long long count = 0;
    if (here().kind != Kind::bare || !parse_integer(here().text, count) || count < 0 || count > kMost)
      wrong(fmt::format("write a whole number from 0 to {}", kMost));
    ++at_;
    return static_cast<std::size_t>(count);
  }

  // ----- behind a rule

  void set_hardness(bool hard) {
    if (hardness_said_) wrong("hard or soft was said already; leave one of them out");
    hardness_said_ = true;
    rule_.hard = hard;
  }

  void parse_options() {
    bool weighted = false;
    for (;;) {
      if (is_mark(',') && is_option(behind())) ++at_;
      if (is("hard") || is("soft")) {
        set_hardness(is("hard"));
        ++at_;
      } else if (is("weight")) {
        ++at_;
        if (weighted) wrong("a weight was given already; leave one of them out");
        weighted = true;
        if (here().kind != Kind::bare || !parse_number(here().text, rule_.weight) || rule_.weight < 0 ||
            rule_.weight > 1e100)
          wrong("a weight is a number that is not negative");
        ++at_;
      } else if (take("ignoring")) {
        need("case", "write ignoring case");
      } else {
        break;
      }
    }
    if (weighted && rule_.hard)
      fail_in_rules(context_.file, rule_.place,
                    "a hard rule is never broken, so that its weight says nothing: leave out one of them.");
  }

  // ----- labels

  std::vector<RuleName> parse_labels(bool* all = nullptr) {
    std::vector<RuleName> names;
    do {
      if ((here().kind != Kind::bare && here().kind != Kind::quoted) || is_option(here()))
        wrong("write a label here, in quotes where it is an odd one");
      if (all != nullptr && is("label") && !context_.labels.contains("label")) {
        *all = true;
      } else if (const auto set = context_.labels.find(here().text);
                 here().kind == Kind::bare && set != context_.labels.end()) {
        for (const RuleName& name : set->second) names.push_back({name.text, here().place});
      } else {
        names.push_back({here().text, here().place});
      }
      ++at_;
    } while ((is_mark(',') && !is_option(behind()) && take_mark(',')) || take("or"));
    if (all != nullptr && *all && !names.empty())
      fail_in_rules(context_.file, names.front().place, "`label` stands for every label: name none besides.");
    return names;
  }

  // ----- tokens

  // The parser calls itself for each parenthesis, `not`, `after` and `before`.
  struct Deeper {
    explicit Deeper(RuleParser& parser) : depth(parser.depth_) {
      if (++depth > 100)
        parser.wrong("this is nested deeper than 100; give a part of it a name with tokens NAME = ...");
    }
    ~Deeper() { --depth; }
    std::size_t& depth;
  };

  TokenClass parse_tokens() {
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
  TokenClass parse_conjunction() {
    const RulePlace place = here().place;
    std::vector<TokenClass> parts = {parse_class()};
    while (take("and")) parts.push_back(parse_class());
    return joined(TokenClass::Kind::both, std::move(parts), place);
  }
  static TokenClass joined(TokenClass::Kind kind, std::vector<TokenClass> parts, RulePlace place) {
    if (parts.size() == 1) return std::move(parts.front());
    TokenClass made;
    made.kind = kind;
    made.place = place;
    made.parts = std::move(parts);
    return made;
  }

  TokenClass parse_class() {
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
      std::vector<std::string> words = kClasses;
      for (const auto& known : context_.tokens) words.push_back(known.first);
      const std::string nearest = nearest_name(here().text, words);
      wrong(fmt::format("{}no tokens have this name; write word in front of words",
                        nearest.empty() ? "" : fmt::format("write '{}'; ", nearest)));
    }
    if (is_ignoring_case(at_)) at_ += 2;
    return made;
  }

  TokenClass wrapped(TokenClass::Kind kind, TokenClass made) {
    made.kind = kind;
    made.parts.push_back(parse_class());
    return made;
  }

  void parse_column(TokenClass& made) {
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

  void parse_pattern(TokenClass& made) {
    if (here().kind != Kind::pattern) wrong("write a regular expression between slashes, such as /^19/");
    const RulePiece& piece = here();
    if (!piece.flags.empty() && piece.flags != "i")
      wrong(fmt::format("only i, to ignore case, may stand behind the pattern, and not '{}'", piece.flags));
    set_pattern(made, piece.text, !piece.flags.empty() || ignores_case_);
    ++at_;
  }

  void set_pattern(TokenClass& made, const std::string& text, bool ignores_case) {
    made.kind = TokenClass::Kind::pattern;
    std::string error;
    made.pattern.emplace(text, ignores_case, error);
    if (!error.empty())
      fail_in_rules(context_.file, here().place,
                    fmt::format("/{}/ is no regular expression ({}): mend it.", text, error));
  }

  void add_word(RuleName word, RuleWords& words, bool phrases) const {
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

  std::shared_ptr<const RuleWords> parse_words(const std::string& what, bool phrases = true) {
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
  bool ends_list() const {
    if (!is_option(behind()) || at_ + 2 >= line_.pieces.size()) return false;
    const RulePiece& next = line_.pieces[at_ + 2];
    const std::string& option = behind().text;
    double number = 0;
    if (option == "weight") return next.kind == Kind::bare && parse_number(next.text, number);
    if (option == "ignoring") return next.kind == Kind::bare && next.text == "case";
    return next.kind == Kind::end || is_option(next);
  }

  std::shared_ptr<const RuleWords> read_words(bool phrases) {
    if (here().kind != Kind::bare && here().kind != Kind::quoted)
      wrong("write the file that lists the words");
    if (context_.folder.empty())
      wrong("these rules are in no folder that a list of words could be read from; write the words here");
    auto words = std::make_shared<RuleWords>();
    words->ignores_case = ignores_case_;
    words->file = (std::filesystem::path(context_.folder) / here().text).lexically_normal().string();
    if (!std::filesystem::is_regular_file(words->file))
      wrong(fmt::format("there is no file {}", words->file));
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

  const RuleLine& line_;
  Context& context_;
  std::size_t at_ = 0, depth_ = 0;
  bool ignores_case_ = false, hardness_said_ = false;
  Rule rule_;
};

}  // namespace

Rules parse_rules(const std::string& text, const std::string& file, const std::string& folder) {
  Rules rules;
  rules.file = file;
  Context context{rules.file, folder, false, {}, {}, {}};
  for (const RuleLine& line : cut_rules(text, rules.file))
    if (std::optional<Rule> rule = RuleParser(line, context).parse()) rules.rules.push_back(std::move(*rule));
  rules.labels = std::move(context.declared);
  if (rules.rules.empty())
    fail_in_rules(rules.file, {1, 1}, "there is no rule: write one a line, such as: word pp in pages.");
  return rules;
}

std::vector<std::string> declared_labels(const Rules& rules) {
  std::vector<std::string> names;
  for (const RuleName& label : rules.labels) names.push_back(label.text);
  return names;
}

Rules read_rules(const std::string& file) {
  std::string text;
  LineReader lines(file);
  for (std::string_view line; lines.next(line);) text.append(line).append("\n");
  const std::string folder = file == "-" ? "." : std::filesystem::path(file).parent_path().string();
  return parse_rules(text, lines.file(), folder.empty() ? "." : folder);
}

}  // namespace hinge
