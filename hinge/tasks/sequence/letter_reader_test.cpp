#include "hinge/tasks/sequence/letter_reader.h"

#include <gtest/gtest.h>

#include "tests/support/data.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

std::string letter_line(const std::string& id, const std::string& letter, const std::string& next,
                        const std::string& word, const std::string& fold, std::size_t lit) {
  std::string line = id + "\t" + letter + "\t" + next + "\t" + word + "\t1\t" + fold;
  for (std::size_t k = 0; k < 128; ++k) line += k == lit ? "\t1" : "\t0";
  return line + "\n";
}

TEST(LetterReader, ReadsWordsPixelsAndBias) {
  const TextFile file(letter_line("7", "a", "8", "3", "0", 5) + letter_line("8", "b", "-1", "3", "0", 0) +
                      letter_line("9", "a", "-1", "4", "1", 127));
  SequenceSchema schema;
  const SequenceCorpus corpus = LetterReader("").read_training({file.path()}, schema);
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.tokens, 3u);
  EXPECT_EQ(attributes_of(corpus, schema, 0, 0), (std::vector<std::string>{"p5", "bias"}));
  EXPECT_EQ(attributes_of(corpus, schema, 0, 1), (std::vector<std::string>{"bias", "p0"}));
  EXPECT_EQ(corpus.labels[0], (Labels{0, 1}));
  EXPECT_EQ(corpus.labels[1], (Labels{0}));
  EXPECT_EQ(corpus.text(1, 0), "9\t");

  SequenceSchema first;
  EXPECT_EQ(LetterReader("0").read_training({file.path()}, first).inputs.size(), 1u);
  const SequenceCorpus other = LetterReader("1").read({file.path()}, first);
  EXPECT_EQ(other.unseen_attributes, 1u);  // p127
  EXPECT_EQ(other.inputs[0].length(), 1u);
}

TEST(LetterReader, RefusesBadLines) {
  SequenceSchema schema;
  expect_input_error([&] { read_text(LetterReader(""), "1\ta\t-1\n", schema); }, ":1: has 3 columns");
  expect_input_error([&] { read_text(LetterReader(""), letter_line("1", "a", "-1", "1", "x", 0), schema); },
                     "the fold 'x'");
  std::string line = letter_line("1", "a", "-1", "1", "0", 0);
  line[line.size() - 2] = '3';
  expect_input_error([&] { read_text(LetterReader(""), line, schema); }, "the pixel '3' (column 134)");
  expect_input_error([&] { read_text(LetterReader(""), "", schema); }, "holds no sequence");
  expect_input_error([&] { read_text(LetterReader("5"), letter_line("1", "a", "-1", "1", "0", 0), schema); },
                     "holds no word of `folds` 5");
  for (const char* folds : {"x", "1-", "-1", "3-1", "1..2", ","})
    expect_input_error([&] { LetterReader{folds}; }, "`folds`");
}

TEST(LetterReader, ReadsTheOcrFile) {
  const auto file = data_file("ocr/letter.data");
  if (!file) GTEST_SKIP() << "skipped: no data";
  SequenceSchema schema;
  const SequenceCorpus all = LetterReader("0-9").read_training({*file}, schema);
  EXPECT_EQ(all.inputs.size(), 6877u);
  EXPECT_EQ(all.tokens, 52152u);
  EXPECT_EQ(schema.labels.size(), 26u);
  EXPECT_EQ(schema.attributes.size(), 129u);
  EXPECT_EQ(LetterReader("0").read({*file}, schema).inputs.size(), 626u);
  EXPECT_EQ(LetterReader("1-8,9").read({*file}, schema).inputs.size(), 6251u);
}

}  // namespace
}  // namespace hinge
