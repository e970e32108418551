#include "hinge/tasks/sequence/metrics.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hinge/tasks/sequence/conll_reader.h"
#include "tests/support/sequence_files.h"

namespace hinge {
namespace {

// Reads test data with the labels O B-NP I-NP B-VP (0 to 3).
struct Tested {
  SequenceSchema schema;
  SequenceCorpus corpus;

  explicit Tested(const std::string& content, const std::string& training = "a O\nb B-NP\nc I-NP\nd B-VP\n") {
    const ConllReader reader("default");
    read_text(reader, training, schema);
    corpus = read_fixed(reader, content, schema);
  }
};

TEST(SequenceMetrics, CountsByHand) {
  const Tested data("a B-NP\nb I-NP\nc O\nd B-VP\n\na O\nb B-NP\n\nc B-VP\n");
  SequenceMetrics metrics(data.corpus, data.schema);
  metrics.add(0, {1, 2, 0, 1}, 1.5);  // VP taken for NP
  metrics.add(1, {0, 1}, 0);
  metrics.add(2, {0}, 3);
  const auto json = metrics.json();
  EXPECT_EQ(json["tokens"], 7);
  EXPECT_EQ(json["errors"], 2);
  EXPECT_DOUBLE_EQ(json["accuracy"], 5.0 / 7);
  EXPECT_DOUBLE_EQ(json["sentence_accuracy"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(json["loss"], 1.5);
  EXPECT_DOUBLE_EQ(json["precision"], 2.0 / 3);  // gold: NP VP, NP, VP; predicted: NP NP, NP, -
  EXPECT_DOUBLE_EQ(json["recall"], 2.0 / 4);
  EXPECT_DOUBLE_EQ(json["f1"], 4.0 / 7);
  EXPECT_EQ(json["chunk_scheme"], "IOB");
  ASSERT_EQ(json["chunks"].size(), 2u);
  EXPECT_EQ(json["chunks"][0]["type"], "NP");
  EXPECT_EQ(json["chunks"][0]["right"], 2);
  EXPECT_EQ(json["chunks"][0]["predicted"], 3);
  EXPECT_EQ(json["chunks"][1]["gold"], 2);
  EXPECT_EQ(json["labels"][3]["support"], 2);
  EXPECT_EQ(json["confusion"]["B-VP"]["B-NP"], 1);
  const std::string report = sequence_report(json);
  EXPECT_NE(report.find("token accuracy      71.43 %"), std::string::npos) << report;
  EXPECT_NE(report.find("57.14"), std::string::npos) << report;
}

TEST(SequenceMetrics, RefusesWhereNothingIsLabelled) {
  const Tested data("a ?\nb ?\n");
  SequenceMetrics metrics(data.corpus, data.schema);
  metrics.add(0, {1, 1}, 0);
  expect_input_error([&] { metrics.json(); }, "no token has a label");
}

TEST(SequenceMetrics, LeavesOutWhatIsNotLabelled) {
  const Tested data("a B-NP\nb ?\n\na O\n");
  SequenceMetrics metrics(data.corpus, data.schema);
  metrics.add(0, {1, 1}, 0);
  metrics.add(1, {0}, 0);
  const auto json = metrics.json();
  EXPECT_EQ(json["tokens"], 2);
  EXPECT_EQ(json["unlabelled_tokens"], 1);
  EXPECT_DOUBLE_EQ(json["accuracy"], 1);
  EXPECT_DOUBLE_EQ(json["sentence_accuracy"], 1);
  EXPECT_EQ(json["chunks"].size(), 0u);
  EXPECT_NE(sequence_report(json).find("1 tokens without a label"), std::string::npos);
}

TEST(SequenceMetrics, CountsUnseenLabelsAsErrors) {
  const Tested data("a B-PP\nb I-PP\nc B-XP\nd B-PP\n");
  SequenceMetrics metrics(data.corpus, data.schema);
  metrics.add(0, {1, 2, 0, 3}, 4);
  const auto json = metrics.json();
  EXPECT_EQ(json["errors"], 4);
  EXPECT_EQ(json["unseen_label_tokens"], 4);
  EXPECT_DOUBLE_EQ(json["f1"], 0);
  ASSERT_EQ(json["chunks"].size(), 4u);
  EXPECT_EQ(json["chunks"][1]["type"], "PP");
  EXPECT_EQ(json["chunks"][1]["gold"], 2);
  EXPECT_EQ(json["confusion"]["B-XP"]["O"], 1);
}

TEST(SequenceMetrics, ReportsNoChunksForOtherLabels) {
  const Tested data("a x\n", "a x\nb y\n");
  SequenceMetrics metrics(data.corpus, data.schema);
  metrics.add(0, {0}, 0);
  EXPECT_FALSE(metrics.json().contains("f1"));
  EXPECT_EQ(sequence_report(metrics.json()).find("chunk"), std::string::npos);
}

}  // namespace
}  // namespace hinge
