// Rules that people write about labels, as they were parsed. One rule a line; a line that begins further
// right than the rule above goes on with it; '#' begins a comment.
//
//     rule     TOKENS in LABELS                                     word pp, pages in pages
//              TOKENS not in LABELS                                 punctuation not in date
//              transition [from LABELS] [to LABELS] only at TOKENS  a segment ends only behind such a token
//              transition [from LABELS] [to LABELS] only before TOKENS   the next begins only with such a token
//              transition from LABELS only to LABELS                what may come next
//              no transition [from LABELS] [to LABELS] [at TOKENS | before TOKENS]
//              each LABELS is one contiguous segment                each of them at most once in an example
//              each LABELS segment at most|at least|exactly N tokens
//              each LABELS segment begins with|ends with TOKENS
//              [each] LABELS at most|at least|exactly N tokens|segments per example
//              LABELS before LABELS                                 where an example has both
//              LABELS excludes LABELS                               no example has both
//              LABELS needs LABELS                                  an example with the first has the second
//              fraction of LABELS [among TOKENS] about|at least|at most P over the sample
//              fraction of examples with LABELS about|at least|at most P over the sample
//     behind it  weight W, hard, soft, ignoring case (in any order, commas or not)
//
//     TOKENS   word W, W, ...      the word itself; "to appear" is two tokens in a row
//              wordlist FILE       a word or several a line, beside the rules file
//              pattern /REGEX/     some part of the word matches (RE2's syntax); /REGEX/i ignores case
//              column N equals V, V, ...    column N matches /REGEX/    column N wordlist FILE
//              attribute A, A, ... attribute matches /REGEX/      of formats without columns
//              punctuation, newline, number, capitalised
//              first token, last token, first N tokens, last N tokens
//              after TOKENS, before TOKENS: what stands directly behind or in front of such a token
//              within N tokens after TOKENS, within N tokens before TOKENS
//              not TOKENS, TOKENS and TOKENS, TOKENS or TOKENS, (TOKENS), or a name
//     LABELS   names between commas, in "quotes" where they are odd; `label` stands for all but O
//
//     tokens NAME = TOKENS         labels NAME = LABELS           names for later rules
//     labels are LABELS            names that rules may use where the data has no such label (yet)
//     ignore case                  for all words and patterns below
//
// Segments are runs of one label or, where labels are B-X, I-X, ... and O, chunks (tasks/sequence/chunks.h); there X
// means all labels of that type, and a transition is where a chunk begins or ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "hinge/rules/pattern.h"

namespace hinge {

// In the text of the rules, both from 1.
struct RulePlace {
  std::size_t line = 0, column = 0;
};

struct RuleName {
  std::string text;
  RulePlace place;
};

// Words that are looked for: single ones, and phrases of several tokens.
struct RuleWords {
  std::vector<RuleName> all;  // as written; a phrase has spaces
  std::unordered_set<std::string> single;
  std::vector<std::vector<std::string>> phrases;
  bool ignores_case = false;  // then both are in lower case
  std::string file;           // empty where they stand in the rules themselves
};

// Which tokens are meant.
struct TokenClass {
  enum class Kind { words, pattern, first, last, negation, both, either, behind, in_front };

  Kind kind = Kind::words;
  RulePlace place;
  std::optional<RuleName> column;  // a number from 1 or a name; else the word, or
  bool attribute = false;          // some attribute of the token
  std::shared_ptr<const RuleWords> words;
  std::optional<Pattern> pattern;
  std::size_t count = 1;          // of first and last; how far behind or in front
  std::vector<TokenClass> parts;  // of the last five kinds
};

struct Rule {
  enum class Kind {
    tokens,          // `tokens` have a label among `labels`, or, negated, none of them
    transition,      // allowed at `tokens` only or, negated, not allowed at them
    next,            // transitions from `labels` go to `others` only
    contiguous,      // at most one segment
    segment_length,  // each segment of `labels`
    segment_edge,    // each segment of `labels` begins with `tokens` or, unless `in_front`, ends with them
    count,           // `unit`s of `labels` in an example
    before,
    excludes,
    needs,
    fraction,  // of tokens
    examples   // fraction of examples with `labels`
  };
  enum class Comparison { at_most, at_least, exactly, about };
  enum class Unit { tokens, segments };

  Kind kind = Kind::tokens;
  RulePlace place;
  std::string text;  // as written, on one line, without comments

  std::optional<TokenClass> tokens;  // none where every token is meant
  std::vector<RuleName> labels, others;
  bool all_labels = false, all_others = false;  // the word `label`; of transitions: no labels were named
  bool negated = false;
  bool each = false;      // every label by itself, rather than all of them together
  bool in_front = false;  // a transition is in front of the tokens rather than behind
  Comparison comparison = Comparison::at_most;
  Unit unit = Unit::tokens;
  std::size_t count = 0;
  double target = 0;  // of fractions

  double weight = 1;
  bool hard = false;
};

struct Rules {
  std::string file;  // what errors call it
  std::vector<Rule> rules;
  std::vector<RuleName> labels;  // that `labels are` names
};

// Throws InputError with file, line and column, what was found and what to write. Word lists are looked for in
// `folder`; none are read where it is empty.
Rules parse_rules(const std::string& text, const std::string& file, const std::string& folder = "");
// Of a file, which may be "-" or end in .gz.
Rules read_rules(const std::string& file);

// The names of `labels are`.
std::vector<std::string> declared_labels(const Rules& rules);

// "FILE:LINE:COLUMN: ..." as InputError.
[[noreturn]] void fail_in_rules(const std::string& file, RulePlace place, const std::string& message);

}  // namespace hinge
