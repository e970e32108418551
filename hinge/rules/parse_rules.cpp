#include <fmt/format.h>

#include <filesystem>

#include "hinge/core/text_file.h"
#include "hinge/rules/nearest_name.h"
#include "hinge/rules/token_parser.h"
#include "hinge/tasks/fields.h"

namespace hinge {
namespace {

using Comparison = Rule::Comparison;

class RuleParser : private TokenParser {
 public:
  using TokenParser::TokenParser;

  // The rule; none where the line gives a name to something.
  std::optional<Rule> parse() {
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
    if (tokens && (among(name.text, kTokenWords) || among(name.text, kRuleStatements) ||
                   among(name.text, kRuleOptions)))
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
    return among(here().text, kTokenWords) || context_.tokens.contains(here().text);
  }
  static bool begins_label_rule(const RulePiece& piece) {
    return piece.kind == Kind::bare &&
           (piece.text == "at" || piece.text == "exactly" || piece.text == "excludes" ||
            piece.text == "needs" || piece.text == "before" || piece.text == "or");
  }
  [[noreturn]] void unknown_beginning() const {
    std::vector<std::string> words = kTokenWords;
    words.insert(words.end(), kRuleStatements.begin(), kRuleStatements.end());
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

  bool hardness_said_ = false;
  Rule rule_;
};

}  // namespace

Rules parse_rules(const std::string& text, const std::string& file, const std::string& folder) {
  Rules rules;
  rules.file = file;
  RuleContext context{rules.file, folder, false, {}, {}, {}};
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
