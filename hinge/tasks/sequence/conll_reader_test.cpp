#include "hinge/tasks/sequence/conll_reader.h"

#include <gtest/gtest.h>

#include "hinge/tasks/sequence/writer.h"
#include "tests/support/data.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

using Names = std::vector<std::string>;

const std::string kTwoSentences =
    "He PRP B-NP\n"
    "ran VBD B-VP\n"
    "\n"
    "Go VB B-VP\n";

TEST(ConllReader, ExpandsTemplates) {
  const TextFile templates("# words\nU00:%x[0,0]\nU01:%x[-1,0]/%x[0,0]/%x[2,1]\n\nU02:%i[1,1]\nB\n");
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(ConllReader(templates.path()), kTwoSentences, schema);
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(attributes_of(corpus, schema, 0, 0), (Names{"U00:He", "U01:_B-1/He/_B+1", "U02:VBD"}));
  EXPECT_EQ(attributes_of(corpus, schema, 0, 1), (Names{"U00:ran", "U01:He/ran/_B+2"}));
  EXPECT_EQ(attributes_of(corpus, schema, 1, 0), (Names{"U00:Go", "U01:_B-1/Go/_B+2"}));
  EXPECT_EQ(corpus.labels[0], (Labels{0, 1}));
  EXPECT_EQ(corpus.labels[1], (Labels{1}));
  EXPECT_TRUE(schema.transitions);
  EXPECT_EQ(schema.columns, 3u);
}

TEST(ConllReader, TakesCrlfTabsMissingLastNewlineAndExtraBlankLines) {
  SequenceSchema plain, other;
  const ConllReader reader("default");
  const SequenceCorpus a = read_text(reader, kTwoSentences, plain);
  const SequenceCorpus b =
      read_text(reader, "\r\nHe\tPRP\tB-NP\r\nran  VBD B-VP \r\n \r\n\r\nGo VB B-VP", other);
  ASSERT_EQ(b.inputs.size(), 2u);
  EXPECT_EQ(a.labels, b.labels);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(a.inputs[i].attribute, b.inputs[i].attribute);
  EXPECT_EQ(b.text(0, 0), "He\tPRP\tB-NP\t");
  EXPECT_EQ(b.above(0), "\n");
  EXPECT_EQ(b.above(1), "\n");
}

TEST(ConllReader, CountsWhatTrainingHasNotSeen) {
  const TextFile templates("U:%x[0,0]\n");
  const ConllReader reader(templates.path());
  SequenceSchema schema;
  read_text(reader, "a X\nb Y\n", schema);
  EXPECT_FALSE(schema.transitions);
  const SequenceCorpus corpus = read_fixed(reader, "a Z\nc ?\n\nb W\nb Z\n", schema);
  EXPECT_EQ(corpus.unseen_attributes, 1u);
  EXPECT_EQ(corpus.unseen_label_tokens, 3u);
  EXPECT_EQ(corpus.unlabelled_tokens, 1u);
  EXPECT_EQ(corpus.labels[0], (Labels{kUnseen, kUnknown}));
  EXPECT_EQ(corpus.labels[1], (Labels{kUnseen - 1, kUnseen}));
  EXPECT_EQ(corpus.label_name(schema, kUnseen - 1), "W");
  EXPECT_EQ(schema.labels.size(), 2u);
}

TEST(ConllReader, ReadsDataWithoutLabels) {
  const TextFile templates("U:%x[0,0]\n");
  const ConllReader reader(templates.path());
  SequenceSchema schema;
  read_text(reader, "a N X\nb N Y\n", schema);
  const SequenceCorpus corpus = read_fixed(reader, "a N\nb M\n", schema);
  EXPECT_EQ(corpus.unlabelled_tokens, 2u);
  EXPECT_EQ(corpus.unlabelled_file.line, 1u);
  EXPECT_EQ(corpus.unlabelled_file.columns, 2u);
  EXPECT_EQ(corpus.inputs[0].attribute, (std::vector<Index>{0, 1}));
}

TEST(ConllReader, TellsCommentsFromTokens) {
  const TextFile templates("U:%x[0,0]\n");
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(ConllReader(templates.path()),
                                          "# a long comment here\n# # X\n5 CD X\n\n# 2\n# # X\n", schema);
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.inputs[0].length(), 2u);
  EXPECT_EQ(corpus.above(0), "# a long comment here\n");
  EXPECT_EQ(corpus.above(1), "# 2\n");
}

// However many words a comment has: in a file with tabs a line without one holds no columns.
TEST(ConllReader, CommentsInAFileWithTabsHaveNoTab) {
  const TextFile templates("U:%x[0,0]\n");
  SequenceSchema schema;
  const SequenceCorpus corpus =
      read_text(ConllReader(templates.path()),
                "# one X\n#\tX\na\tY\n# in between\nb\tX\n# below\n\n# next Z\nb\tY\n", schema);
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.labels[0], (Labels{0, 1, 0}));
  EXPECT_EQ(corpus.above(0), "# one X\n");
  EXPECT_EQ(corpus.text(0, 2), "# in between\nb\tX\t");
  EXPECT_EQ(corpus.above(1), "# below\n# next Z\n");
  EXPECT_EQ(schema.labels.size(), 2u);
}

TEST(ConllReader, WritesPredictionsBesideTheInput) {
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(ConllReader("default"), "# one\n" + kTwoSentences, schema);
  std::string out;
  const Tagging first[] = {{.labels = {1, 0}, .score = 2.5}};
  append_prediction(corpus, schema, 0, first, {}, false, out);
  const Tagging second[] = {{.labels = {1}, .score = 1}, {.labels = {0}, .score = -0.5}};
  const double marginals[] = {0.25, 0.75};
  append_prediction(corpus, schema, 1, second, marginals, false, out);
  EXPECT_EQ(out,
            "# one\nHe PRP B-NP B-VP\nran VBD B-VP B-NP\n\n"
            "# 0 1.000000\nGo VB B-VP B-VP B-NP:0.250000 B-VP:0.750000\n\n"
            "# 1 -0.500000\nGo VB B-VP B-NP B-NP:0.250000 B-VP:0.750000\n\n");
}

TEST(ConllReader, KeepsItsSchemaInAnArchive) {
  SequenceSchema schema, loaded;
  const ConllReader reader("default");
  read_text(reader, kTwoSentences, schema);
  Archive archive;
  schema.save(archive);
  loaded.load(archive);
  const SequenceCorpus a = read_fixed(reader, "He PRP B-NP\n", schema);
  const SequenceCorpus b = read_fixed(ConllReader("no longer there"), "He PRP B-NP\n", loaded);
  EXPECT_EQ(a.inputs[0].attribute, b.inputs[0].attribute);
  EXPECT_EQ(a.labels, b.labels);
}

TEST(ConllReader, RefusesBadFiles) {
  const ConllReader reader("default");
  const auto refuses = [&](const std::string& content, const std::string& part) {
    SequenceSchema schema;
    expect_input_error([&] { read_text(reader, content, schema); }, part);
  };
  refuses("", "holds no sequence");
  refuses("\n \n\r\n", "holds no sequence");
  refuses("a X\nb\n", ":2: has 1 column where 2 belong, as in the lines above: add what is missing");
  refuses("a X\nb Y Z\n",
          ":2: has 3 columns where 2 belong, as in the lines above: take out what is too much");
  refuses("a\nb\n", ":1: has 1 column where at least two belong");
  refuses("a ?\nb ?\n", "no label is known");
  SequenceSchema schema;
  read_text(reader, kTwoSentences, schema);
  expect_input_error([&] { read_fixed(reader, "a b c d\n", schema); }, ":1: has 4 columns where 3 belong");
  expect_input_error([&] { reader.read({"no/such/file"}, schema); }, "no/such/file: cannot be read");
}

TEST(ConllReader, ReadsConll2000WithTheFeaturesOfCrfsuite) {
  const auto train = data_file("conll2000/train.txt"), test = data_file("conll2000/test.txt");
  if (!train || !test) GTEST_SKIP() << "skipped: no data";
  const ConllReader reader("crfsuite");
  SequenceSchema schema;
  const SequenceCorpus corpus = reader.read_training({*train}, schema);
  EXPECT_EQ(corpus.inputs.size(), 8936u);
  EXPECT_EQ(corpus.tokens, 211727u);
  EXPECT_EQ(schema.labels.size(), 22u);
  EXPECT_EQ(schema.attributes.size(), 335674u);
  const SequenceCorpus held_out = reader.read({*test}, schema);
  EXPECT_EQ(held_out.inputs.size(), 2012u);
  EXPECT_EQ(held_out.tokens, 47377u);
}

}  // namespace
}  // namespace hinge
