#include "hinge/tasks/rank/any_rank.h"

#include <nlohmann/json.hpp>

#include "tests/support/any_task.h"
#include "tests/support/data.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

class Rank : public AdapterTest {
 protected:
  Rank() : AdapterTest(make_task("rank")) {}
  nlohmann::json evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset = {}) {
    return task_->evaluate(data, w, subset, *make_executor(2));
  }
};

const std::string kTrain =
    "2 qid:1 3:1 #docid = a\n0 qid:1 7:1 #docid = b\n? qid:1 3:2 #docid = c\n1 qid:1 3:-1\n"
    "0 qid:2 3:1\n1 qid:2 7:2\n"
    "0 qid:3 7:1\n0 qid:3 7:2\n";

TEST_F(Rank, CountsWhatItReads) {
  const auto data = train(kTrain);
  EXPECT_EQ(data->facts(), nlohmann::json::parse(R"({"queries":3,"documents":8,"documents_without_a_grade":1,
      "features":2,"queries_that_teach_nothing":1,"unseen_features":0})"));
  EXPECT_EQ(task_->dimension(), 2u);
  EXPECT_EQ(task_->feature_name(1), "7");
  EXPECT_EQ(data->oracle().weight(0), 1.0 / 3);  // of three pairs
  const auto later = task_->read({folder_.write("later", "1 qid:1 3:1 8:1\n")});
  EXPECT_EQ(later->facts()["unseen_features"], 1);
}

TEST_F(Rank, IsSoundForEveryLoss) {
  for (const char* loss : {"pairs", "listwise", "relevance", "precision", "ndcg", "map"}) {
    set(task_->options(), "loss", std::string(loss));
    set(task_->options(), "at", 2);
    const auto data = train(kTrain);
    EXPECT_TRUE(task_->check(*data, {}).passed()) << loss;
    EXPECT_EQ(task_->dimension(), std::string(loss) == "relevance" ? 3u : 2u);
  }
  set(task_->options(), "loss", std::string("relevance"));
  train(kTrain);
  EXPECT_EQ(task_->feature_name(2), "bias");
}

TEST_F(Rank, EvaluatesGradedDocuments) {
  const auto data = train(kTrain);
  const Vector w = {1, 0};  // query 1: a, b, the last; query 2: bad first; query 3: nothing relevant
  const auto all = evaluate(*data, w);
  EXPECT_EQ(all["queries"], 3);
  EXPECT_DOUBLE_EQ(all["accuracy"].get<double>(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(all["map"].get<double>(), ((1 + 2.0 / 3) / 2 + 1.0 / 2) / 3);
  EXPECT_DOUBLE_EQ(all["loss"].get<double>(), (1.0 / 3 + 1) / 3);
  EXPECT_EQ(evaluate(*data, w, {0})["precision@1"], 1.0);
  EXPECT_NE(task_->report(all).find("1 of them have no relevant document"), std::string::npos);
  const auto ungraded = task_->read({folder_.write("later", "? qid:1 3:1\n")});
  expect_input_error([&] { evaluate(*ungraded, w); }, "no document has a grade");
}

TEST_F(Rank, WritesScoresOrARun) {
  const auto data = train(kTrain);
  w_ = {1.5, 0.25};
  EXPECT_EQ(predict(*task_, *data), "1.5\n0.25\n3\n-1.5\n1.5\n0.5\n0.25\n0.5\n");
  EXPECT_EQ(predict(*task_, *data, 7), predict(*task_, *data));
  set(task_->predict_options(), "format", std::string("trec"));
  EXPECT_EQ(predict(*task_, *data),
            "1 Q0 c 1 3 hinge\n1 Q0 a 2 1.5 hinge\n1 Q0 b 3 0.25 hinge\n1 Q0 4 4 -1.5 hinge\n"
            "2 Q0 1 1 1.5 hinge\n2 Q0 2 2 0.5 hinge\n3 Q0 2 1 0.5 hinge\n3 Q0 1 2 0.25 hinge\n");
}

TEST_F(Rank, ComesBackFromAnArchive) {
  set(task_->options(), "loss", std::string("relevance"));
  set(task_->options(), "relevant", 2.0);
  set(task_->options(), "at", 3);
  const auto data = train(kTrain);
  const auto metrics = evaluate(*data, w_);
  Archive archive;
  task_->save(archive);
  const auto loaded = make_task("rank");
  loaded->load(archive);
  EXPECT_EQ(loaded->dimension(), 3u);
  const auto again = loaded->read({folder_.path("train")});
  EXPECT_EQ(loaded->evaluate(*again, w_, {}, *make_executor(1)), metrics);
  EXPECT_EQ(predict(*loaded, *again), predict(*task_, *data));
  archive.arrays["features"] = std::vector<Index>{7, 3};
  expect_input_error([&] { make_task("rank")->load(archive); }, "do not fit together");
  archive.header["rank"]["loss"] = "recall";
  archive.arrays["features"] = std::vector<Index>{3, 7};
  expect_input_error([&] { make_task("rank")->load(archive); }, "`loss`");
}

TEST_F(Rank, RefusesDataThatTeachesNothing) {
  expect_input_error([&] { train("? qid:1 1:1\n"); }, "no document has a grade");
  expect_input_error([&] { train("1 qid:1\n0 qid:1\n"); }, "no document has a feature");
  expect_input_error([&] { train("1 qid:1 1:1\n1 qid:1 1:2\n0 qid:2 1:1\n"); },
                     "in every query all documents are alike to `loss` pairs");
  set(task_->options(), "loss", std::string("precision"));
  set(task_->options(), "relevant", 3.0);
  expect_input_error([&] { train(kTrain); }, "check `relevant` 3");
}

TEST_F(Rank, ReadsOhsumed) {
  const auto file = data_file("letor_ohsumed/S1.txt");
  if (!file) GTEST_SKIP() << "skipped: no data";
  for (const char* loss : {"pairs", "precision", "ndcg", "map"}) {
    set(task_->options(), "loss", std::string(loss));
    const auto data = task_->read_training({*file});
    EXPECT_EQ(data->facts()["documents"], 2570);
    EXPECT_TRUE(task_->check(*data, {}).passed()) << loss;
  }
}

TEST(RankRecordsTest, AreAsGoodAsAFile) {
  RankRecords records;
  records.add(
      {1, {{{{3}, {1}}, 2, "a"}, {{{7}, {1}}, 0, "b"}, {{{3}, {2}}, std::nullopt, "c"}, {{{3}, {-1}}, 1}}});
  records.add({2, {{{{3}, {1}}, 0}, {{{7}, {2}}, 1}}});
  records.add({3, {{{{7}, {1}}, 0}, {{{7}, {2}}, 0}}});
  for (const char* loss : {"pairs", "listwise", "map"})
    expect_same_bits(
        make_rank, [&](AnyTask& task) { set(task.options(), "loss", std::string(loss)); }, kTrain, records,
        "ssvm");
  expect_input_error(
      [&] {
        records.add({4, {{{{1}, {1}}, 101}}});
      },
      "document 0 of query 4 has the grade 101");
}

}  // namespace
}  // namespace hinge
