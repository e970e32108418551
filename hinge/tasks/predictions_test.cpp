// Predictions as numbers say what predictions as text say, and given labels condition the others.
#include "hinge/tasks/predictions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "hinge/tasks/powers.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

struct OneLabel {
  std::string task, data, values;  // values: the option that writes a row of them
  Asked::What what;
};

class PredictionsOf : public AdapterTest {
 protected:
  PredictionsOf() : AdapterTest(nullptr) {}
  Predictions told(const Data& data, Asked asked) {
    return power<Answering>(*task_)->predictions(data, w_, asked, *make_executor(2));
  }
};

TEST_F(PredictionsOf, OneLabelAreWhatIsWritten) {
  const std::string rows = "1 1:1 2:0.5\n-1 2:1\n-1 1:0.3 3:1\n1 3:2\n-1 1:1 3:1\n";
  const std::string frames = "wave 3\n1 0\n0.5 1\n-1 2\n\nstop 2\n0 1\n-0.5 -1\n\nturn 2\n1 1\n2 0\n";
  const std::vector<OneLabel> all = {
      {"multiclass", "a 1:1 2:0.5\nb 2:1\nc 1:0.3 3:1\na 3:2\n", "marginals", Asked::marginals},
      {"multiclass", "a 1:1 2:0.5\nb 2:1\nc 1:0.3 3:1\na 3:2\n", "scores", Asked::scores},
      {"taxonomy", "a.x 1:1 2:0.5\na.y 2:1\nb 1:0.3 3:1\na.x 3:2\n", "marginals", Asked::marginals},
      {"taxonomy", "a.x 1:1 2:0.5\na.y 2:1\nb 1:0.3 3:1\na.x 3:2\n", "scores", Asked::scores},
      {"sequence-class", frames, "marginals", Asked::marginals},
      {"sequence-class", frames, "scores", Asked::scores},
      {"binary", rows, "scores", Asked::scores},
  };
  for (const OneLabel& each : all) {
    SCOPED_TRACE(each.task + " " + each.values);
    task_ = make_task(each.task);
    const auto data = train(each.data);
    const Predictions predictions = told(*data, {each.what});
    const std::vector<std::string> names = power<Answering>(*task_)->answer_names();
    set(task_->predict_options(), each.values, true);
    std::istringstream lines(predict(*task_, *data));
    std::size_t item = 0;
    for (std::string line; std::getline(lines, line); ++item) {
      ASSERT_LT(item, predictions.label.size());
      std::istringstream fields(line);
      std::string field;
      fields >> field;
      EXPECT_EQ(field, names[static_cast<std::size_t>(predictions.label[item])]);
      for (std::size_t k = 0; k < predictions.width; ++k) {
        fields >> field;
        const double written = std::stod(field.substr(field.find(':') + 1));  // all of it without a colon
        EXPECT_NEAR(predictions.value[item * predictions.width + k], written, 1e-5 * (1 + std::abs(written)));
      }
    }
    EXPECT_EQ(item, predictions.label.size());
    EXPECT_EQ(predictions.first.back(), item);
  }
}

TEST_F(PredictionsOf, SetsAreWhatIsWritten) {
  task_ = make_task("multilabel");
  const auto data = train("a,b 1:1 2:0.5\nb 2:1\n1:0.3 3:1\na,c 3:2\n");
  const Predictions predictions = told(*data, {Asked::marginals});
  set(task_->predict_options(), "marginals", true);
  std::istringstream lines(predict(*task_, *data));
  const std::vector<std::string> names = power<Answering>(*task_)->answer_names();
  std::size_t item = 0;
  for (std::string line; std::getline(lines, line);) {
    std::string expected;
    for (std::size_t l = 0; l < names.size(); ++l)
      if (predictions.label[item + l] == 1) expected += (expected.empty() ? "" : ",") + names[l];
    for (std::size_t l = 0; l < names.size(); ++l)
      expected += fmt::format(" {}:{:g}", names[l], predictions.value[item + l]);
    EXPECT_EQ(line, expected);
    item += names.size();
  }
  EXPECT_EQ(item, predictions.label.size());
  // What a label is worth is above 0 where it is predicted.
  const Predictions worth = told(*data, {Asked::scores});
  ASSERT_EQ(worth.value.size(), predictions.label.size());
  for (std::size_t l = 0; l < worth.value.size(); ++l)
    EXPECT_EQ(worth.value[l] > 0, predictions.label[l] == 1);
}

TEST_F(PredictionsOf, RankingsAreTheirScores) {
  task_ = make_task("rank");
  const auto data = train("2 qid:1 1:1 2:0.5\n0 qid:1 1:0.2\n1 qid:1 2:1\n1 qid:2 1:0.4\n0 qid:2 2:0.3\n");
  const Predictions predictions = told(*data, {Asked::scores});
  std::string written;
  for (const double score : predictions.value) written += fmt::format("{}\n", score);
  EXPECT_EQ(predict(*task_, *data), written);
  EXPECT_EQ(predictions.first, (std::vector<std::size_t>{0, 3, 5}));
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      EXPECT_EQ(predictions.value[a] > predictions.value[b], predictions.label[a] < predictions.label[b]);
}

TEST_F(PredictionsOf, ClustersAreThoseWritten) {
  task_ = make_task("cluster");
  set(task_->options(), "comparators", std::vector<std::string>{"equal:text"});
  const auto data = train(R"({"items": ["Ann", "Bob", "Ann", "Bob"], "clusters": [[0, 2], [1, 3]]})"
                          "\n");
  w_.assign(w_.size(), 1);  // whoever is called alike is one
  EXPECT_EQ(told(*data, {}).label.size(), 4u);
  expect_input_error([&] { told(*data, {Asked::marginals}); }, "ask for labels");
}

TEST_F(PredictionsOf, MotifsHavePlaces) {
  task_ = make_task("motif");
  set(task_->options(), "length", std::vector<double>{3});
  set(task_->options(), "strands", std::string("both"));
  const auto data = train("a:1:1:ACGTTACA\nb:-1:1:CCCGT\nc:1:1:TTACNG\nd:-1:1:GGGGTA\n");
  const Predictions scores = told(*data, {Asked::scores}), marginals = told(*data, {Asked::marginals});
  set(task_->predict_options(), "marginals", true);
  std::istringstream lines(predict(*task_, *data));
  std::string line;
  std::getline(lines, line);  // the head
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    const double* const row = scores.value.data() + 3 * i;
    const std::string expected = fmt::format("{}\t{:g}\t{}\t{}\t", scores.label[i] == 1 ? "1" : "-1", row[0],
                                             row[1] + 1, row[2] == 1 ? '-' : '+');
    EXPECT_NE(line.find(expected), std::string::npos) << line << " lacks " << expected;
    EXPECT_TRUE(line.ends_with(fmt::format("\t{:g}", marginals.value[2 * i + 1]))) << line;
    EXPECT_NEAR(marginals.value[2 * i] + marginals.value[2 * i + 1], 1, 1e-12);
  }
}

// P(y | given) by listing every labelling.
TEST_F(PredictionsOf, GivenLabelsConditionSequences) {
  task_ = make_task("sequence");
  train("a p X\nb q Y\na q Z\n\nb p X\nc q Z\n\n");
  const auto later = task_->read({folder_.write("later", "a p ?\nc q Y\nb q ?\na p ?\n\n")});
  const std::size_t K = 3, T = 4;
  const auto names = power<Answering>(*task_)->answer_names();
  const auto all = power<ListsBest>(*task_)->best_labels(*later, w_, 81, false, *make_executor(1));
  ASSERT_EQ(all[0].size(), 81u);
  for (const bool given : {false, true}) {
    Vector expected(T * K, 0.0);
    double total = 0;
    const RankedLabels* best = nullptr;
    for (const RankedLabels& each : all[0]) {
      if (given && names[static_cast<std::size_t>(each.label[1])] != "Y") continue;
      if (best == nullptr) best = &each;
      total += std::exp(each.score);
      for (std::size_t t = 0; t < T; ++t)
        expected[t * K + static_cast<std::size_t>(each.label[t])] += std::exp(each.score);
    }
    const Predictions predictions = told(*later, {Asked::marginals, given});
    EXPECT_EQ(predictions.label, best->label);
    for (std::size_t k = 0; k < T * K; ++k) EXPECT_NEAR(predictions.value[k], expected[k] / total, 1e-12);
  }
}

TEST_F(PredictionsOf, GivenLabelsOfGraphsStay) {
  task_ = make_task("graph");
  const auto data =
      train(R"({"features": [[1, 0], [0, 1], [1, 1]], "labels": ["a", "b", "c"], "edges": [[0, 1], [1, 2]]})"
            "\n");
  const auto names = power<Answering>(*task_)->answer_names();
  const Predictions free = told(*data, {Asked::marginals}), given = told(*data, {Asked::marginals, true});
  EXPECT_NE(free.label, given.label);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(names[static_cast<std::size_t>(given.label[i])], std::string(1, "abc"[i]));
    EXPECT_EQ(given.value[i * 3 + static_cast<std::size_t>(given.label[i])], 1);
    EXPECT_NEAR(free.value[i * 3] + free.value[i * 3 + 1] + free.value[i * 3 + 2], 1, 1e-12);
  }
}

}  // namespace
}  // namespace hinge
