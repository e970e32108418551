#include "hinge/tasks/sequence/svmhmm_reader.h"

#include <gtest/gtest.h>

#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

using Names = std::vector<std::string>;
const SvmhmmReader kReader;

TEST(SvmhmmReader, ReadsRunsOfEqualQueries) {
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(
      kReader, "# head\n3 qid:1 1:1 7:0.5 # the\r\n12 qid:1 9:2 1:1\n\n3 qid:2 2:1\n? qid:1 7:1", schema);
  ASSERT_EQ(corpus.inputs.size(), 3u);
  EXPECT_EQ(attributes_of(corpus, schema, 0, 0), (Names{"1", "7=0.5"}));
  EXPECT_EQ(attributes_of(corpus, schema, 0, 1), (Names{"1", "9=2"}));
  EXPECT_EQ(attributes_of(corpus, schema, 1, 0), (Names{"2"}));
  EXPECT_EQ(corpus.labels[0], (Labels{0, 1}));
  EXPECT_EQ(corpus.labels[2], (Labels{kUnknown}));
  EXPECT_EQ(schema.labels.text(1), "12");
}

TEST(SvmhmmReader, RefusesBadLines) {
  const auto refuses = [&](const std::string& content, const std::string& part) {
    SequenceSchema schema;
    expect_input_error([&] { read_text(kReader, content, schema); }, part);
  };
  refuses("", "holds no sequence");
  refuses("\n# only\n", "holds no sequence");
  refuses("1 qid:1 1:1\n2 1:1\n", ":2: has no qid:N");
  refuses("1 qid:1 0:1\n", "the index of '0:1' is outside");
  refuses("1 qid:1 -1:1\n", "-1:1");
  refuses("1 qid:1 4294967296:1\n", "4294967296:1");
  refuses("1 qid:1 2:nan\n", "2:nan");
  refuses("1 qid:1 2:x\n", "2:x");
  refuses("1 qid:1 2:1 2:3\n", "there twice");
  refuses("1 qid:1 cost:2 2:1\n", "has a cost");
}

}  // namespace
}  // namespace hinge
