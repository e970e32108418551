#include "hinge/tasks/sequence/reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

TEST(SequenceReader, IsChosenByFormat) {
  SequenceSchema conll, crfsuite, svmhmm;
  read_text(*make_sequence_reader({}), "w X\n", conll);
  EXPECT_EQ(conll.columns, 2u);
  read_text(*make_sequence_reader({.format = "crfsuite"}), "X\tw\n", crfsuite);
  EXPECT_EQ(crfsuite.attributes.text(0), "w");
  read_text(*make_sequence_reader({.format = "svmhmm"}), "X qid:1 5:1\n", svmhmm);
  EXPECT_EQ(svmhmm.attributes.text(0), "5");
}

TEST(SequenceReader, RefusesContradictingOptions) {
  expect_input_error([] { make_sequence_reader({.format = "xml"}); }, "xml");
  expect_input_error([] { make_sequence_reader({.format = "conll", .folds = "0"}); },
                     "`folds` 0 belongs to `format` letter");
  expect_input_error([] { make_sequence_reader({.format = "svmhmm", .templates = "t.txt"}); },
                     "`template` t.txt belongs to `format` conll");
  expect_input_error([] { make_sequence_reader({.format = "conll", .label = "xpos"}); },
                     "`label` xpos belongs to `format` conllu");
}

TEST(SequenceReader, ReadsSeveralFilesAsOne) {
  const TextFile first("a X\n"), second("b Y\nc X"), empty("\n");
  const auto reader = make_sequence_reader({});
  SequenceSchema schema;
  const SequenceCorpus corpus = reader->read_training({first.path(), second.path()}, schema);
  EXPECT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.tokens, 3u);
  EXPECT_EQ(corpus.text(1, 1), "c X ");
  expect_input_error(
      [&] {
        reader->read({first.path(), empty.path()}, schema);
      },
      empty.path() + ": holds no sequence");
  expect_input_error([&] { reader->read({"."}, schema); }, "is a directory");
}

TEST(SequenceReader, KeepsNoTextWhereNoneIsAskedFor) {
  const TextFile file("# one of them\na X\nb Y\n");
  SequenceSchema schema;
  CorpusBuilder builder(schema);
  builder.keep_text(false);
  make_sequence_reader({})->fill({file.path()}, builder);
  const SequenceCorpus corpus = std::move(builder).finish();
  EXPECT_EQ(corpus.tokens, 2u);
  EXPECT_EQ(corpus.lines.bytes, "");
  EXPECT_TRUE(corpus.lines.end.empty());
  EXPECT_EQ(corpus.above(0), "");
}

TEST(SequenceReader, NeedsALabelToTrain) {
  SequenceSchema schema;
  expect_input_error([&] { read_text(*make_sequence_reader({.format = "crfsuite"}), "?\tw\n", schema); },
                     "no label is known");
}

TEST(SequenceSchema, RefusesADamagedArchive) {
  SequenceSchema schema;
  expect_input_error([&] { schema.load(Archive{}); }, "the model has no");
  Archive archive;
  schema.save(archive);
  archive.header["sequence_schema"]["columns"] = "two";
  expect_input_error([&] { schema.load(archive); }, "'columns' is \"two\"");
}

}  // namespace
}  // namespace hinge
