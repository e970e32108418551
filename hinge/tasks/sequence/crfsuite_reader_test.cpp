#include "hinge/tasks/sequence/crfsuite_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hinge/tasks/sequence/writer.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

using Names = std::vector<std::string>;
const CrfsuiteReader kReader;

// Few attributes and many, which are sorted in two ways.
TEST(CrfsuiteReader, AddsValuesUpInAnOrderOfTheirOwn) {
  for (const int others : {0, 60}) {
    std::vector<float> values = {-1e8f, -3.5f, 1, 1e8f}, sums;
    do {
      std::string line = "A";
      for (const float value : values) line += fmt::format("\tn:{}", value);
      for (int k = 0; k < others; ++k) line += fmt::format("\tw={}", k * 7 % others);
      SequenceSchema schema;
      const SequenceCorpus corpus = read_text(kReader, line + "\n", schema);
      const Sequence& x = corpus.inputs[0];
      ASSERT_EQ(x.attribute.size(), static_cast<std::size_t>(others) + 1);
      for (std::size_t k = 0; k < x.attribute.size(); ++k) ASSERT_EQ(x.attribute[k], k);
      sums.push_back(x.value[0]);
    } while (std::ranges::next_permutation(values).found);
    EXPECT_EQ(sums, std::vector<float>(24, sums[0]));
  }
}

TEST(CrfsuiteReader, ReadsAttributesValuesAndEscapes) {
  SequenceSchema schema;
  const SequenceCorpus corpus =
      read_text(kReader, "A\tw=x\tn:2.5\ta\\:b\\\\:3\tn:0.5\nB\tw=x\n\n\nA:b\tw=y:\r\n?\tw=a b", schema);
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(attributes_of(corpus, schema, 0, 0), (Names{"w=x", "n=3", "a:b\\=3"}));
  EXPECT_EQ(attributes_of(corpus, schema, 0, 1), (Names{"w=x"}));
  EXPECT_EQ(attributes_of(corpus, schema, 1, 0), (Names{"w=y"}));
  EXPECT_EQ(attributes_of(corpus, schema, 1, 1), (Names{"w=a b"}));
  EXPECT_TRUE(corpus.inputs[1].value.empty());
  EXPECT_EQ(corpus.labels[1], (Labels{2, kUnknown}));
  EXPECT_EQ(schema.labels.text(2), "A:b");
  EXPECT_TRUE(corpus.weights.empty());
}

TEST(CrfsuiteReader, ReadsSetsOfLabels) {
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(kReader, "A\ta\n?B|A|B\ta\n?\ta\n?!\ta\n", schema);
  EXPECT_EQ(corpus.labels[0], (Labels{0, kUnknown, kUnknown, 2}));
  ASSERT_EQ(corpus.labels[0].one_of.size(), 1u);
  EXPECT_EQ(corpus.labels[0].one_of[0].position, 1u);
  EXPECT_EQ(corpus.labels[0].one_of[0].labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(schema.labels.text(2), "?!");
  // Later data: labels that training had not are no candidates.
  CorpusBuilder builder(std::as_const(schema));
  for (const char* text : {"?Z|A", "?Y|Z", "?A|B"}) {
    const auto label = builder.said(text);
    builder.token(label);
  }
  const SequenceCorpus later = std::move(builder).finish();
  EXPECT_EQ(later.labels[0], (Labels{kUnknown, kUnseen, kUnknown}));
  ASSERT_EQ(later.labels[0].one_of.size(), 2u);
  EXPECT_EQ(later.labels[0].one_of[0].labels, (std::vector<int>{0}));
  EXPECT_EQ(later.labels[0].one_of[1].labels, (std::vector<int>{0, 1}));
}

TEST(CrfsuiteReader, ReadsWeights) {
  SequenceSchema schema;
  const SequenceCorpus corpus =
      read_text(kReader, "A\ta\n\n@weight:2\nA\tb\n\nA\tc\n\n@weight:0.5\nB\td", schema);
  EXPECT_EQ(corpus.weights, (std::vector<double>{1, 2, 1, 0.5}));
}

TEST(CrfsuiteReader, WritesLabels) {
  SequenceSchema schema;
  const SequenceCorpus corpus = read_text(kReader, "A\ta\nB\tb\n\nA\tc\n", schema);
  std::string out;
  const Tagging first[] = {{.labels = {1, 1}, .score = 2}};
  append_prediction(corpus, schema, 0, first, {}, true, out);
  const Tagging second[] = {{.labels = {0}}};
  const double marginals[] = {0.5, 0.5};
  append_prediction(corpus, schema, 1, second, marginals, false, out);
  EXPECT_EQ(out, "# 0 2.000000\nB\nB\n\nA\tA:0.500000\tB:0.500000\n\n");
}

TEST(CrfsuiteReader, RefusesBadLines) {
  const auto refuses = [&](const std::string& content, const std::string& part) {
    SequenceSchema schema;
    expect_input_error([&] { read_text(kReader, content, schema); }, part);
  };
  refuses("", "holds no sequence");
  refuses("\n\n", "holds no sequence");
  refuses("A\ta\n\tb\n", ":2: begins with a tab");
  refuses("A\ta:x\n", ":1: 'a:x': the value 'x' is not a finite number");
  refuses("A\ta:nan\n", "not a finite number");
  refuses("A\ta:inf\n", "not a finite number");
  refuses("A\ta:1e300\n", "not a finite number");
  refuses("A\ta:1:2\n", "not a finite number");
  refuses("A\ta\n?A|\ta\n", ":2: '?A|' has '' among its labels");
  refuses("A\ta\n?|B\ta\n", ":2: '?|B' has '' among its labels");
  refuses("A\ta\n?A|?\ta\n", ":2: '?A|?' has '?' among its labels");
  refuses("@weight:-1\nA\ta\n", "a weight is a positive number");
}

}  // namespace
}  // namespace hinge
