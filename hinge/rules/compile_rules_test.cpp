// Every kind of rule, as its tables and automata judge random labellings, beside what it says in plain code.
#include "hinge/rules/compile_rules.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "hinge/rules/contradictions.h"
#include "hinge/rules/rule_automata.h"
#include "hinge/rules/rule_counts.h"
#include "tests/support/complaint.h"

namespace hinge {
namespace {

using Words = std::vector<std::string>;

// Token t of an example, as a test's plain code sees it.
struct Case {
  Words words, tags, labels;
  std::size_t size() const { return words.size(); }
};

TokenTexts texts_of(const std::vector<Case>& cases) {
  TokenTexts texts;
  texts.kind = TokenTexts::Kind::columns;
  for (const Case& c : cases) {
    texts.begin_example("f");
    for (std::size_t t = 0; t < c.size(); ++t) {
      texts.begin_token(t + 1);
      texts.add_text(c.words[t]);
      texts.add_text(c.tags[t]);
    }
  }
  return texts;
}

struct Segment {
  std::string type;
  std::size_t begin, end;
};

std::string type_of(const std::string& label) {
  return label.size() > 2 && label[1] == '-' ? label.substr(2) : label;
}

// Runs of one label; of chunks as conlleval reads them, and of O.
std::vector<Segment> segments_of(const Words& y, bool chunks) {
  std::vector<Segment> segments;
  for (std::size_t t = 0; t < y.size(); ++t) {
    const bool same = t > 0 && type_of(y[t]) == type_of(y[t - 1]) && !(chunks && y[t][0] == 'B');
    if (same)
      ++segments.back().end;
    else
      segments.push_back({type_of(y[t]), t, t + 1});
  }
  return segments;
}

// How often a rule applies to the example and how often it holds.
struct Tally {
  std::size_t applies = 0, holds = 0;
  void add(bool held) {
    ++applies;
    holds += held;
  }
  bool operator==(const Tally&) const = default;
};

struct Law {
  std::string rule;
  std::function<void(const Case&, bool chunks, Tally&)> plain;
};

bool among(const std::string& text, const Words& words) {
  return std::ranges::find(words, text) != words.end();
}

std::size_t tokens_in(const Case& c, const Words& types) {
  return static_cast<std::size_t>(
      std::ranges::count_if(c.labels, [&](const auto& y) { return among(type_of(y), types); }));
}
std::size_t segments_in(const Case& c, bool chunks, const Words& types) {
  std::size_t count = 0;
  for (const Segment& s : segments_of(c.labels, chunks)) count += among(s.type, types);
  return count;
}
// Whether a segment ends behind token t.
bool changes(const Case& c, bool chunks, std::size_t t) {
  for (const Segment& s : segments_of(c.labels, chunks))
    if (s.end == t + 1) return true;
  return false;
}

std::vector<Law> laws() {
  const auto each_token = [](auto meant, auto right) {
    return [=](const Case& c, bool, Tally& tally) {
      for (std::size_t t = 0; t < c.size(); ++t)
        if (meant(c, t)) tally.add(right(type_of(c.labels[t])));
    };
  };
  const auto each_pair = [](auto meant, auto from, auto to) {
    return [=](const Case& c, bool chunks, Tally& tally) {
      for (std::size_t t = 0; t + 1 < c.size(); ++t)
        if (meant(c, t))
          tally.add(!(changes(c, chunks, t) && from(type_of(c.labels[t])) && to(type_of(c.labels[t + 1]))));
    };
  };
  const auto whole = [](auto right) {
    return [=](const Case& c, bool chunks, Tally& tally) { tally.add(right(c, chunks)); };
  };
  const auto is = [](std::string type) { return [=](const std::string& found) { return found == type; }; };
  const auto any = [](const std::string&) { return true; };
  const auto not_mark = [](const Case& c, std::size_t t) { return c.words[t] != "." && c.words[t] != ","; };
  const auto all = [](const Case&, std::size_t) { return true; };
  const auto last = [](const Case& c, const Words& types) {
    std::size_t found = 0;  // one behind it
    for (std::size_t t = 0; t < c.size(); ++t)
      if (among(type_of(c.labels[t]), types)) found = t + 1;
    return found;
  };
  const auto first = [](const Case& c, const Words& types) {
    std::size_t t = 0;
    while (t < c.size() && !among(type_of(c.labels[t]), types)) ++t;
    return t;
  };
  const auto lengths = [](auto right) {
    return [=](const Case& c, bool chunks) {
      return std::ranges::all_of(segments_of(c.labels, chunks),
                                 [&](const Segment& s) { return s.type != "X" || right(s.end - s.begin); });
    };
  };
  return {
      {"word pp, Vol in X", each_token(
                                [](const Case& c, std::size_t t) {
                                  return among(c.words[t], {"pp", "Vol"});
                                },
                                is("X"))},
      {"word PP, vol in X ignoring case", each_token(
                                              [](const Case& c, std::size_t t) {
                                                return among(c.words[t], {"pp", "Vol"});
                                              },
                                              is("X"))},
      {"word pp not in X, O", each_token([](const Case& c, std::size_t t) { return c.words[t] == "pp"; },
                                         [](const auto& y) { return y == "Y"; })},
      {"word \"pp 12\" in Y", each_token(
                                  [](const Case& c, std::size_t t) {
                                    return (c.words[t] == "pp" && t + 1 < c.size() &&
                                            c.words[t + 1] == "12") ||
                                           (c.words[t] == "12" && t > 0 && c.words[t - 1] == "pp");
                                  },
                                  is("Y"))},
      {"pattern /^1/ in X, Y", each_token([](const Case& c, std::size_t t) { return c.words[t][0] == '1'; },
                                          [](const auto& y) { return y != "O"; })},
      {"number and not after word pp in X",
       each_token([](const Case& c,
                     std::size_t t) { return c.words[t] == "12" && !(t > 0 && c.words[t - 1] == "pp"); },
                  is("X"))},
      {"column 2 equals N in X",
       each_token([](const Case& c, std::size_t t) { return c.tags[t] == "N"; }, is("X"))},
      {"column 2 matches /^[NV]$/ and capitalised in X",
       each_token(
           [](const Case& c, std::size_t t) {
             return among(c.tags[t], {"N", "V"}) && c.words[t] == "Vol";
           },
           is("X"))},
      {"first token in X", each_token([](const Case&, std::size_t t) { return t == 0; }, is("X"))},
      {"last token in X, O", each_token([](const Case& c, std::size_t t) { return t + 1 == c.size(); },
                                        [](const auto& y) { return y != "Y"; })},
      {"last 2 tokens or first token in Y",
       each_token([](const Case& c, std::size_t t) { return t + 2 >= c.size() || t == 0; }, is("Y"))},
      {"before word pp in O",
       each_token([](const Case& c, std::size_t t) { return t + 1 < c.size() && c.words[t + 1] == "pp"; },
                  is("O"))},
      {"transition only at punctuation", each_pair(not_mark, any, any)},
      {"transition only at word \".\" or number",
       each_pair([](const Case& c, std::size_t t) { return c.words[t] != "." && c.words[t] != "12"; }, any,
                 any)},
      {"transition only before word pp",
       each_pair([](const Case& c, std::size_t t) { return c.words[t + 1] != "pp"; }, any, any)},
      {"transition from X only at punctuation", each_pair(not_mark, is("X"), any)},
      {"transition to Y only at punctuation", each_pair(not_mark, any, is("Y"))},
      {"no transition from X to Y", each_pair(all, is("X"), is("Y"))},
      {"no transition at word pp",
       each_pair([](const Case& c, std::size_t t) { return c.words[t] == "pp"; }, any, any)},
      {"transition from X only to Y", each_pair(all, is("X"), [](const auto& y) { return y != "Y"; })},
      {"each X is one contiguous segment",
       whole([](const Case& c, bool chunks) { return segments_in(c, chunks, {"X"}) <= 1; })},
      {"each label is one contiguous segment",
       [](const Case& c, bool chunks, Tally& tally) {
         for (const char* type : {"X", "Y"}) tally.add(segments_in(c, chunks, {type}) <= 1);
       }},
      {"each X, Y at most 2 segments per example",
       [](const Case& c, bool chunks, Tally& tally) {
         for (const char* type : {"X", "Y"}) tally.add(segments_in(c, chunks, {type}) <= 2);
       }},
      {"X, Y at most 3 segments per example", whole([](const Case& c, bool chunks) {
         return segments_in(c, chunks, {"X", "Y"}) <= 3;
       })},
      {"X, O exactly 2 segments per example", whole([](const Case& c, bool chunks) {
         return segments_in(c, chunks, {"X", "O"}) == 2;
       })},
      {"O at most 1 segment",
       whole([](const Case& c, bool chunks) { return segments_in(c, chunks, {"O"}) <= 1; })},
      {"X at least 2 segments per example",
       whole([](const Case& c, bool chunks) { return segments_in(c, chunks, {"X"}) >= 2; })},
      {"X at most 2 tokens per example", whole([](const Case& c, bool) { return tokens_in(c, {"X"}) <= 2; })},
      {"X, Y at least 3 tokens per example", whole([](const Case& c, bool) {
         return tokens_in(c, {"X", "Y"}) >= 3;
       })},
      {"X exactly 0 tokens", whole([](const Case& c, bool) { return tokens_in(c, {"X"}) == 0; })},
      {"X at least 0 tokens", whole([](const Case&, bool) { return true; })},
      {"each X segment at most 2 tokens", whole(lengths([](std::size_t n) { return n <= 2; }))},
      {"each X segment at least 2 tokens", whole(lengths([](std::size_t n) { return n >= 2; }))},
      {"each X segment exactly 2 tokens", whole(lengths([](std::size_t n) { return n == 2; }))},
      {"each X segment begins with word pp, Vol",
       [](const Case& c, bool chunks, Tally& tally) {
         for (std::size_t t = 0; t < c.size(); ++t)
           if (!among(c.words[t], {"pp", "Vol"}))
             tally.add(std::ranges::none_of(segments_of(c.labels, chunks),
                                            [&](const Segment& s) { return s.type == "X" && s.begin == t; }));
       }},
      {"each X, Y segment ends with punctuation",
       [=](const Case& c, bool chunks, Tally& tally) {
         for (const char* type : {"X", "Y"})
           for (std::size_t t = 0; t < c.size(); ++t)
             if (not_mark(c, t))
               tally.add(std::ranges::none_of(segments_of(c.labels, chunks), [&](const Segment& s) {
                 return s.type == type && s.end == t + 1;
               }));
       }},
      {"number and within 2 tokens after word pp in X", each_token(
                                                            [](const Case& c, std::size_t t) {
                                                              return c.words[t] == "12" &&
                                                                     ((t > 0 && c.words[t - 1] == "pp") ||
                                                                      (t > 1 && c.words[t - 2] == "pp"));
                                                            },
                                                            is("X"))},
      {"within 2 tokens before word pp in X", each_token(
                                                  [](const Case& c, std::size_t t) {
                                                    return (t + 1 < c.size() && c.words[t + 1] == "pp") ||
                                                           (t + 2 < c.size() && c.words[t + 2] == "pp");
                                                  },
                                                  is("X"))},
      {"fraction of examples with X about 0.5 over the sample",
       whole([](const Case& c, bool) { return tokens_in(c, {"X"}) > 0; })},
      {"X before Y", whole([=](const Case& c, bool) { return last(c, {"X"}) <= first(c, {"Y"}); })},
      {"X excludes Y",
       whole([](const Case& c, bool) { return tokens_in(c, {"X"}) == 0 || tokens_in(c, {"Y"}) == 0; })},
      {"X needs Y",
       whole([](const Case& c, bool) { return tokens_in(c, {"X"}) == 0 || tokens_in(c, {"Y"}) > 0; })},
      {"fraction of X about 0.5 over the sample", each_token(all, is("X"))},
      {"fraction of X among word pp at least 20% over the sample",
       each_token([](const Case& c, std::size_t t) { return c.words[t] == "pp"; }, is("X"))},
  };
}

std::vector<Case> draw_cases(const Words& labels, std::size_t count, std::mt19937& random) {
  const Words words = {"pp", "Vol", "12", "1a", ".", ",", "x"}, tags = {"N", "V", "P"};
  const auto one_of = [&](const Words& texts) { return texts[random() % texts.size()]; };
  std::vector<Case> cases(count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t t = 0; t < 1 + i % 9; ++t) {
      cases[i].words.push_back(one_of(words));
      cases[i].tags.push_back(one_of(tags));
      // Runs, so that rules about segments hold sometimes.
      cases[i].labels.push_back(t > 0 && random() % 2 == 0 ? cases[i].labels.back() : one_of(labels));
    }
  return cases;
}

void expect_laws(const Words& names, bool chunks) {
  std::mt19937 random(7);
  const std::vector<Case> cases = draw_cases(names, 400, random);
  const TokenTexts texts = texts_of(cases);
  const LabelSegments labels(names);
  for (const Law& law : laws()) {
    const Rules rules = parse_rules(law.rule, "r");
    const Knowledge knowledge = compile_rules(rules, labels, texts);
    ASSERT_EQ(knowledge.rules.size(), 1u);
    Tally all;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Labels y;
      for (const std::string& label : cases[i].labels)
        y.push_back(static_cast<int>(std::ranges::find(names, label) - names.begin()));
      Tally plain, compiled;
      law.plain(cases[i], chunks, plain);
      for_features(knowledge, i, y, [&](const RuleFeature& feature) { compiled.add(feature.holds); });
      EXPECT_EQ(plain.applies, compiled.applies) << law.rule << ", example " << i;
      EXPECT_EQ(plain.holds, compiled.holds) << law.rule << ", example " << i;
      all.applies += plain.applies;
      all.holds += plain.holds;
    }
    EXPECT_GT(all.holds, 0u) << law.rule;
    const bool empty = law.rule == "X at least 0 tokens";  // holds always
    EXPECT_EQ(all.holds == all.applies, empty) << law.rule;
  }
}

TEST(CompileRules, JudgesAsPlainCodeDoes) { expect_laws({"O", "X", "Y"}, false); }

TEST(CompileRules, JudgesChunksAsPlainCodeDoes) { expect_laws({"B-X", "I-X", "O", "B-Y", "I-Y"}, true); }

// Rules with pieces taken out, doubled, swapped or from elsewhere end in a sentence, or can be judged.
TEST(CompileRules, RefusesOrServesWhatIsLikeRules) {
  std::mt19937 random(5);
  const Words names = {"B-X", "I-X", "O", "B-Y", "I-Y"};
  const std::vector<Case> cases = draw_cases(names, 6, random);
  const TokenTexts texts = texts_of(cases);
  const LabelSegments labels(names);
  std::vector<Words> lines;
  Words all = {"(",          ")",          "\"", "/",    "#",           "\n",     "\n  ",
               "labels are", "tokens t =", "t",  "hard", "ignore case", "weight", "é"};
  for (const Law& law : laws()) {
    Words pieces;
    for (std::size_t begin = 0; begin < law.rule.size();) {
      const std::size_t end = std::min(law.rule.find(' ', begin), law.rule.size());
      pieces.push_back(law.rule.substr(begin, end - begin));
      begin = end + 1;
    }
    all.insert(all.end(), pieces.begin(), pieces.end());
    lines.push_back(std::move(pieces));
  }
  std::size_t served = 0, refused = 0;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    Words pieces = lines[random() % lines.size()];
    for (std::size_t edits = 1 + random() % 3; edits > 0 && !pieces.empty(); --edits) {
      const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(random() % pieces.size());
      switch (random() % 4) {
        case 0:
          pieces.erase(at);
          break;
        case 1:
          pieces.insert(at, all[random() % all.size()]);
          break;
        case 2:
          std::iter_swap(at, pieces.begin());
          break;
        default:
          *at = all[random() % all.size()];
      }
    }
    std::string text;
    for (const std::string& piece : pieces) text.append(piece).append(" ");
    try {
      const Knowledge knowledge = compile_rules(parse_rules(text, "r"), labels, texts);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const Labels y(cases[i].size(), static_cast<int>(random() % names.size()));
        for_features(knowledge, i, y, [&](const RuleFeature& f) { served += f.holds ? 1 : 0; });
        contradiction(knowledge, i, y.size(), names.size());
      }
    } catch (const InputError& error) {
      ++refused;
      EXPECT_TRUE(std::string(error.what()).starts_with("r:")) << text << "\n" << error.what();
      EXPECT_TRUE(std::string(error.what()).ends_with('.')) << text << "\n" << error.what();
    }
  }
  EXPECT_GT(served, 500u);
  EXPECT_GT(refused, 1000u);
}

TEST(CompileRules, MakesSmallAutomata) {
  const LabelSegments plain({"a", "b", "c", "d"});
  const LabelFlags a = *plain.named("a");
  using C = Rule::Comparison;
  EXPECT_EQ(count_automaton(plain, a, Rule::Unit::segments, C::at_most, 1).states(),
            4u);  // not yet, in, after, broken
  EXPECT_EQ(count_automaton(plain, a, Rule::Unit::tokens, C::at_most, 5).states(), 7u);
  EXPECT_EQ(count_automaton(plain, a, Rule::Unit::tokens, C::at_least, 5).states(), 6u);
  EXPECT_EQ(order_automaton(plain, a, *plain.named("b")).states(), 3u);
}

TEST(CompileRules, RefusesWhatThereIsNot) {
  const TokenTexts texts = texts_of({{{"pp", "12"}, {"N", "V"}, {"X", "Y"}}});
  const LabelSegments labels({"author", "pages", "B"});
  const auto said = [&](const std::string& rule, const TokenTexts& of) {
    return complaint([&] { compile_rules(parse_rules(rule, "r"), labels, of); });
  };
  EXPECT_EQ(said("word pp in pagse", texts), "r:1:12: there is no label 'pagse': write 'pages'.");
  EXPECT_EQ(said("word pp in pages, zzz", texts),
            "r:1:19: there is no label 'zzz': there are author, pages, B.");
  EXPECT_EQ(said("column 3 equals x in pages", texts),
            "r:1:8: there is no column '3': the data has 2 beside the label.");
  EXPECT_EQ(said("column upos equals x in pages", texts),
            "r:1:8: 'upos' is no column: write its number from 1; only CoNLL-U has names for them.");
  EXPECT_EQ(said("attribute x in pages", texts),
            "r:1:1: this data has columns and no attributes: write word or column.");
  TokenTexts attributes = texts;
  attributes.kind = TokenTexts::Kind::attributes;
  EXPECT_EQ(said("pattern /x/ in pages", attributes),
            "r:1:1: this data has attributes and no columns: write attribute.");
  EXPECT_EQ(said("attribute N in pages", attributes), "no complaint");
  TokenTexts bare = texts;
  bare.kind = TokenTexts::Kind::none;
  EXPECT_EQ(said("word x in pages", bare),
            "r:1:1: this data has neither words nor attributes that a rule could look at: leave it out.");
  EXPECT_EQ(said("first token in pages", bare), "no complaint");
  bare.ordered = false;
  EXPECT_EQ(said("fraction of pages about 0.3", bare), "no complaint");
  EXPECT_NE(said("first token in pages", bare), "no complaint");
  EXPECT_NE(said("author before pages", bare), "no complaint");
  EXPECT_NE(said("transition only at punctuation", texts), said("each pages at most 1000 segments", bare));
  TokenTexts universal = texts;
  universal.names = {"form", "upos"};
  universal.label_column = 1;
  EXPECT_EQ(said("column upos equals x in pages", universal),
            "r:1:8: the column 'upos' is the label, which no rule can look at: name another.");
  EXPECT_EQ(said("column form equals x in pages", universal), "no complaint");
}

TEST(CompileRules, NotesWordsThatNoTokenIs) {
  const TokenTexts texts = texts_of({{{"pp", "12", "to", "be"}, {"N", "V", "N", "N"}, {"X", "Y", "X", "X"}}});
  const LabelSegments labels({"X", "Y"});
  std::vector<std::string> notes;
  const Rules rules = parse_rules("word pp, \"to be\", \"to do\", vol in X\nword zz in Y\n", "r");
  const Knowledge knowledge = compile_rules(rules, labels, texts, &notes);
  EXPECT_EQ(notes, (std::vector<std::string>{"r:1:19: no token of the data is 'to do' or 'vol'.",
                                             "r:2:6: no token of the data is 'zz'."}));
  EXPECT_EQ(count_features(knowledge), (std::vector<std::size_t>{3, 0}));
  EXPECT_EQ(complaint([&] { refuse_idle_rules(rules, knowledge); }),
            "r:2:1: nothing in the data is what 'word zz in Y' is about: mend it, or take it out.");
}

TEST(CompileRules, LeavesOutLabelsThatAreOnlyNamed) {
  const TokenTexts texts = texts_of({{{"pp", "12"}, {"N", "V"}, {"X", "Y"}}});
  const LabelSegments labels({"X", "Y"});
  std::vector<std::string> notes;
  const Rules rules = parse_rules(
      "labels are X, Y, Z\nword pp in Z\nword pp in X, Z\neach Y, Z is one contiguous segment\nZ before X\n"
      "each label at most 1 token\n",
      "r");
  EXPECT_EQ(declared_labels(rules), (Words{"X", "Y", "Z"}));
  const Knowledge knowledge = compile_rules(rules, labels, texts, &notes);
  EXPECT_EQ(count_features(knowledge), (std::vector<std::size_t>{0, 1, 1, 0, 2}));
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes.at(0), "r:2: there are no such labels here, and the rule says nothing: word pp in Z.");
}

TEST(CompileRules, KnowsTypesOfLabelsThatAreOnlyNamed) {
  const TokenTexts texts = texts_of({{{"pp", "12"}, {"N", "V"}, {"X", "Y"}}});
  const Rules rules = parse_rules("labels are B-Y, I-Y\nword pp in Y\nword pp in X, Y\n", "r");
  EXPECT_EQ(count_features(compile_rules(rules, LabelSegments({"B-X", "I-X", "O"}), texts)),
            (std::vector<std::size_t>{0, 1}));
}

// All labellings of an example: does one keep every hard rule of the subset?
bool possible(const Knowledge& knowledge, const std::vector<char>& chosen, std::size_t length,
              std::size_t labels) {
  Labels y(length, 0);
  for (;;) {
    bool kept = true;
    for_features(knowledge, 0, y, [&](const RuleFeature& f) { kept &= f.holds || chosen[f.rule] == 0; });
    if (kept) return true;
    std::size_t t = 0;
    while (t < length && ++y[t] == static_cast<int>(labels)) y[t++] = 0;
    if (t == length) return false;
  }
}

TEST(Contradictions, AreThoseThatEnumerationFindsAndNoRuleTooMany) {
  std::mt19937 random(3);
  const std::vector<Law> some = laws();
  const Words names = {"O", "X", "Y"};
  const LabelSegments labels(names);
  std::size_t found = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::vector<Case> cases = {draw_cases(names, 5, random)[static_cast<std::size_t>(repeat) % 5]};
    std::string text;
    for (int k = 0; k < 7; ++k)
      if (const std::string& rule = some[random() % some.size()].rule; !rule.starts_with("fraction"))
        text += rule + " hard\n";
    if (text.empty()) continue;
    const Knowledge knowledge = compile_rules(parse_rules(text, "r"), labels, texts_of(cases));
    const std::vector<std::size_t> guilty = contradiction(knowledge, 0, cases[0].size(), names.size());
    const std::size_t rules = knowledge.rules.size();
    EXPECT_EQ(guilty.empty(), possible(knowledge, std::vector<char>(rules, 1), cases[0].size(), names.size()))
        << text;
    if (guilty.empty()) continue;
    ++found;
    std::vector<char> chosen(rules, 0);
    for (const std::size_t k : guilty) chosen[k] = 1;
    EXPECT_FALSE(possible(knowledge, chosen, cases[0].size(), names.size())) << text;
    for (const std::size_t k : guilty) {
      chosen[k] = 0;
      EXPECT_TRUE(possible(knowledge, chosen, cases[0].size(), names.size())) << text;
      chosen[k] = 1;
    }
  }
  EXPECT_GT(found, 50u);
}

TEST(Contradictions, AreNamed) {
  const TokenTexts texts = texts_of({{{"x"}, {"N"}, {"X"}}, {{"x", "pp"}, {"N", "N"}, {"X", "X"}}});
  const LabelSegments labels({"X", "Y"});
  const auto said = [&](const std::string& text) {
    const Rules rules = parse_rules(text, "r");
    const Knowledge knowledge = compile_rules(rules, labels, texts);
    return complaint([&] { refuse_contradictions(rules, knowledge, texts, labels.size()); });
  };
  EXPECT_EQ(said("word x in X hard\nword pp in X hard\nlast token in Y\nX before Y hard\n"), "no complaint");
  EXPECT_EQ(said("word pp in X hard\nX before Y hard\nlast token and after word x in Y hard\n"),
            "r:1: hard rules contradict each other: no labelling of the example at f:1 keeps line 1 (word pp "
            "in X hard) and line 3 "
            "(last token and after word x in Y hard): make one of them soft, or change it.");
  EXPECT_EQ(said("X at least 2 tokens hard"),
            "r:1: no labelling keeps the hard rule 'X at least 2 tokens hard' in the example of 1 token at "
            "f:1: make it soft, or "
            "change it.");
}

}  // namespace
}  // namespace hinge
