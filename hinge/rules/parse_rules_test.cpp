#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/rules/rules.h"
#include "tests/support/complaint.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

Rule one(const std::string& text) {
  const Rules rules = parse_rules(text, "r");
  EXPECT_EQ(rules.rules.size(), 1u);
  return rules.rules.at(0);
}

std::string complaint_about(const std::string& text) {
  return complaint([&] { parse_rules(text, "r"); });
}

std::vector<std::string> texts(const std::vector<RuleName>& names) {
  std::vector<std::string> result;
  for (const RuleName& name : names) result.push_back(name.text);
  return result;
}
using Texts = std::vector<std::string>;

TEST(ParseRules, ReadsEveryKindOfTheManual) {
  using K = Rule::Kind;
  const std::vector<std::pair<std::string, K>> kinds = {
      {"word pp., pages in pages", K::tokens},
      {"word pp not in date", K::tokens},
      {"pattern /^19\\d\\d$/ in date", K::tokens},
      {"column 2 equals CD, NN in date, volume", K::tokens},
      {"column upos matches /^N/ in name", K::tokens},
      {"attribute w=the in O", K::tokens},
      {"attribute matches /^w=/ in O", K::tokens},
      {"first token in author or editor", K::tokens},
      {"last 2 tokens not in author", K::tokens},
      {"after word to comes note", K::tokens},
      {"(word a or number) and not first token in x", K::tokens},
      {"not punctuation in x", K::tokens},
      {"capitalised and before punctuation in x", K::tokens},
      {"transition only at punctuation", K::transition},
      {"transition only at punctuation or newline", K::transition},
      {"transition only at punctuation, newline", K::transition},
      {"transition from a to b, c only before word x", K::transition},
      {"no transition from a to b", K::transition},
      {"no transition to a, b from c before number", K::transition},
      {"no transition to a at number", K::transition},
      {"transition from a only to b", K::next},
      {"each author is one contiguous segment", K::contiguous},
      {"each author, title are one contiguous segment", K::contiguous},
      {"each label is one contiguous segment", K::contiguous},
      {"each phone segment at most 4 tokens", K::segment_length},
      {"each price segment begins with number", K::segment_edge},
      {"each price, phone segment ends with number or punctuation", K::segment_edge},
      {"number and within 3 tokens after word tel in phone", K::tokens},
      {"fraction of examples with price at least 80% over the sample", K::examples},
      {"author at most 3 tokens per example", K::count},
      {"author at least 1 segment", K::count},
      {"each label at most 2 segments per example", K::count},
      {"journal, booktitle exactly one segment per example", K::count},
      {"author before title", K::before},
      {"author or editor before title, date", K::before},
      {"journal excludes booktitle", K::excludes},
      {"editor needs booktitle", K::needs},
      {"fraction of title about 0.3 over the sample", K::fraction},
      {"fraction of B-NP, I-NP among word the at least 90% over the sample", K::fraction},
      {"fraction of title at most 1", K::fraction},
  };
  for (const auto& [text, kind] : kinds) {
    EXPECT_EQ(one(text).kind, kind) << text;
    EXPECT_EQ(one(text).text, text);
    EXPECT_EQ(one("  " + text + "   # why").text, text);
    if (kind == K::fraction || kind == K::examples) continue;
    EXPECT_TRUE(one(text + " hard").hard) << text;
    EXPECT_TRUE(one(text + ", hard").hard) << text;
    EXPECT_TRUE(one("hard " + text).hard) << text;
    EXPECT_TRUE(one("hard: " + text).hard) << text;
    const Rule weighted = one(text + ", soft, weight 2.5");
    EXPECT_FALSE(weighted.hard);
    EXPECT_EQ(weighted.weight, 2.5) << text;
    EXPECT_EQ(texts(weighted.labels), texts(one(text).labels)) << text;
  }
}

TEST(ParseRules, ReadsWhatIsSaid) {
  const Rule words = one("word pp., \"to appear\", in, hard, \"C#\", B#x in pages, \"odd, label\" # comment");
  EXPECT_EQ(texts(words.tokens->words->all), (Texts{"pp.", "to appear", "in", "hard", "C#", "B#x"}));
  EXPECT_EQ(words.tokens->words->phrases, (std::vector<Texts>{{"to", "appear"}}));
  EXPECT_EQ(texts(words.labels), (Texts{"pages", "odd, label"}));
  EXPECT_EQ(words.labels[1].place.column, 54u);

  const Rule count = one("a, b at least 12 segments per example");
  EXPECT_EQ(count.comparison, Rule::Comparison::at_least);
  EXPECT_EQ(count.unit, Rule::Unit::segments);
  EXPECT_EQ(count.count, 12u);
  EXPECT_EQ(texts(count.labels), (Texts{"a", "b"}));

  EXPECT_DOUBLE_EQ(one("fraction of a about 12.5%").target, 0.125);
  EXPECT_TRUE(one("pattern /a\\/b/ in x").tokens->pattern->in("za/bz"));
  EXPECT_TRUE(one("pattern /ab/i in x").tokens->pattern->in("zAbz"));
  EXPECT_FALSE(one("pattern /ab/ in x").tokens->pattern->in("zAbz"));
  EXPECT_TRUE(one("pattern /ab/ in x ignoring case").tokens->pattern->in("zAbz"));
  EXPECT_TRUE(one("word AB ignoring case in x").tokens->words->single.contains("ab"));
  EXPECT_TRUE(one("ignore case\nword AB in x").tokens->words->single.contains("ab"));
  for (const char* mark : {".", ",", "``", "''", "-", "(", "…", "“", "$"})
    EXPECT_TRUE(one("punctuation in x").tokens->pattern->in(mark)) << mark;
  for (const char* word : {"a", "1", "a.", "é"})
    EXPECT_FALSE(one("punctuation in x").tokens->pattern->in(word)) << word;
  for (const char* line : {"\\n", "<br>", "*NEWLINE*", "<nl>"})
    EXPECT_TRUE(one("newline in x").tokens->pattern->in(line)) << line;
  EXPECT_FALSE(one("newline in x").tokens->pattern->in("n"));
}

TEST(ParseRules, GoesOnWithLinesThatBeginFurtherRight) {
  const Rules rules =
      parse_rules("# head\r\n\n  word a,\n     b,   # more\n\n     c in x\n  word d in y\n", "r");
  ASSERT_EQ(rules.rules.size(), 2u);
  EXPECT_EQ(rules.rules[0].text, "word a, b, c in x");
  EXPECT_EQ(rules.rules[0].place.line, 3u);
  EXPECT_EQ(rules.rules[1].place.line, 7u);
  EXPECT_EQ(rules.rules[1].place.column, 3u);
  EXPECT_EQ(rules.rules[0].tokens->words->all[2].place.line, 6u);
}

TEST(ParseRules, KnowsNames) {
  const Rules rules = parse_rules(
      "labels venue = journal, booktitle\ntokens month = word Jan, Feb ignoring case\n"
      "after month or month in date, venue\nvenue before date\n",
      "r");
  EXPECT_EQ(rules.rules.size(), 2u);
  EXPECT_EQ(texts(rules.rules[0].labels), (Texts{"date", "journal", "booktitle"}));
  EXPECT_EQ(rules.rules[0].tokens->kind, TokenClass::Kind::either);
  EXPECT_TRUE(rules.rules[0].tokens->parts[1].words->single.contains("jan"));
  EXPECT_EQ(texts(rules.rules[1].labels), (Texts{"journal", "booktitle"}));
}

TEST(ParseRules, ReadsListsOfWordsBesideTheFile) {
  const TemporaryFolder folder;
  folder.write("months.txt", "# months\nJan\n\n Feb \nnew  year\n");
  const Rules rules = read_rules(folder.write("r.rules", "wordlist months.txt in date\n"));
  EXPECT_EQ(texts(rules.rules[0].tokens->words->all), (Texts{"Jan", "Feb", "new year"}));
  EXPECT_EQ(rules.rules[0].tokens->words->phrases.size(), 1u);
  folder.write("r.rules", "wordlist " + folder.path("months.txt") + " in date\n");
  EXPECT_EQ(texts(read_rules(folder.path("r.rules")).rules[0].tokens->words->all),
            (Texts{"Jan", "Feb", "new year"}));
  folder.write("r.rules", "word a in b\nwordlist weeks.txt in date\n");
  EXPECT_NE(complaint([&] {
              read_rules(folder.path("r.rules"));
            }).find("r.rules:2:10: found 'weeks.txt': there is no file"),
            std::string::npos);
}

TEST(ParseRules, SaysWhereAndWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> wrongs = {
      {"", "r:1:1: there is no rule"},
      {"# nothing\n\n", "r:1:1: there is no rule"},
      {"word a in b\nwrod pp in pages", "r:2:1: found 'wrod': write 'word'"},
      {"frobnicate pp in pages", "r:1:1: found 'frobnicate': a rule begins with word, pattern"},
      {"word in pages", "r:1:9: found 'pages': write in or not in"},
      {"word pp pages in pages", "r:1:9: found 'pages': write in or not in"},
      {"word pp in", "r:1:11: the rule ends where this belongs: write a label here"},
      {"word pp in a,", "r:1:14: the rule ends where this belongs: write a label here"},
      {"word pp in a b", "r:1:14: found 'b': a rule ends here"},
      {"word \"pp in a", "r:1:6: the quotes do not end"},
      {"word \"\" in a", "r:1:6: there is nothing between the quotes"},
      {"pattern ab in x", "r:1:9: found 'ab': write a regular expression between slashes"},
      {"pattern /ab in x", "r:1:9: the pattern does not end"},
      {"pattern /a(b/ in x", "r:1:9: /a(b/ is no regular expression (missing ): a(b): mend it."},
      {"pattern /(a{1000}){1000}/ in x", "r:1:9: /(a{1000}){1000}/ is no regular expression"},
      {"pattern /a(?=b)/ in x", "r:1:9: /a(?=b)/ is no regular expression"},
      {"pattern /ab/x in x", "r:1:9: found the pattern /ab/: only i, to ignore case"},
      {"/ab/ in x", "r:1:1: found the pattern /ab/: write pattern in front of it"},
      {"column 0 equals a in x", "r:1:8: found '0': columns count from 1"},
      {"column 2 a in x", "r:1:10: found 'a': write equals V, matches /REGEX/ or wordlist FILE"},
      {"first in x", "r:1:7: found 'in': write a whole number"},
      {"transition at punctuation", "r:1:12: found 'at': write only at TOKENS"},
      {"no transition from a from b", "r:1:22: found 'from': this was said already"},
      {"transition only at", "r:1:19: the rule ends where this belongs: write which tokens"},
      {"transition only at punctation", "r:1:20: found 'punctation': write 'punctuation'"},
      {"each author is contiguous",
       "r:1:26: the rule ends where this belongs: write is one contiguous segment"},
      {"author at most three tokens", "r:1:16: found 'three': write a whole number from 0 to 1000"},
      {"author at most -3 tokens", "r:1:16: found '-3': write a whole number"},
      {"author at most 3 words", "r:1:18: found 'words': write tokens or segments"},
      {"author at moist 3 tokens", "r:1:11: found 'moist': write at most, at least or exactly"},
      {"author at most 3 tokens per sample", "r:1:29: found 'sample': write per example"},
      {"fraction of a about 1.5", "r:1:21: found '1.5': a fraction is between 0 and 1"},
      {"fraction of a about many", "r:1:21: found 'many': write a fraction between 0 and 1"},
      {"fraction of a exactly 0.5", "r:1:15: found 'exactly': write at most, at least or about"},
      {"fraction of a about 0.5 hard", "r:1:1: a fraction is about all examples together and cannot be hard"},
      {"word a in b weight -1", "r:1:20: found '-1': a weight is a number that is not negative"},
      {"word a in b weight nan", "r:1:20: found 'nan': a weight is a number"},
      {"word a in b weight 2 weight 3", "r:1:29: found '3': a weight was given already"},
      {"word a in b hard soft", "r:1:18: found 'soft': hard or soft was said already"},
      {"word a in b hard weight 2", "r:1:1: a hard rule is never broken"},
      {"each a segment begins number", "r:1:23: found 'number': write with and the tokens"},
      {"within 3 after word a in b", "r:1:10: found 'after': write within N tokens after"},
      {"fraction of examples with a about 0.5 hard", "r:1:1: a fraction is about all examples together"},
      {"label before a", "r:1:1: `label` stands for every label"},
      {"each label, a is one contiguous segment", "r:1:13: `label` stands for every label"},
      {"(word a in b", "r:1:9: found 'in': close the parenthesis"},
      {"wordlist x in b", "r:1:10: found 'x': these rules are in no folder"},
      {"tokens word = punctuation", "r:1:8: found 'word': this word has a meaning of its own"},
      {"word \"é\" in é x", "r:1:15: found 'x'"},
      {std::string(200, '(') + "word a" + std::string(200, ')') + " in x", "this is nested deeper than 100"},
  };
  for (const auto& [text, wanted] : wrongs) {
    EXPECT_NE(complaint_about(text).find(wanted), std::string::npos)
        << text << "\n  gives  " << complaint_about(text);
    EXPECT_TRUE(complaint_about(text).ends_with('.')) << complaint_about(text);
  }
}

}  // namespace
}  // namespace hinge
