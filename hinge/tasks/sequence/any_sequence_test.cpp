#include "hinge/tasks/sequence/any_sequence.h"

#include <nlohmann/json.hpp>

#include "tests/support/any_task.h"
#include "tests/support/records.h"

namespace hinge {
namespace {

class AnySequence : public AdapterTest {
 protected:
  AnySequence() : AdapterTest(make_sequence()) { set(task_->options(), "format", std::string("crfsuite")); }

  // The scores of the only labelling of one position, by weights that are 1 for the bias and 0 for the rest.
  std::string score_by_bias() {
    const auto data = train("A\tx\n\nB\ty\n\n");
    for (Index j = 0; j < task_->dimension(); ++j)
      w_[j] = task_->feature_name(j).starts_with("__bias__ -> A") ? 1 : 0;
    set(task_->predict_options(), "scores", true);
    return predict(*task_, *data);
  }
};

TEST_F(AnySequence, BiasIsTheValueOfOneMoreAttribute) {
  set(task_->options(), "bias", 0.25);
  const std::string text = score_by_bias();
  EXPECT_NE(text.find("0.25"), std::string::npos) << text;
  set(task_->options(), "bias", 0.0);
  train("A\tx\n\nB\ty\n\n");
  EXPECT_EQ(task_->dimension(), 2u * 2 + 4);
}

TEST_F(AnySequence, BiasOfEarlierModelsWasASwitch) {
  set(task_->options(), "bias", 1.0);
  const std::string before = score_by_bias();
  Archive archive;
  task_->save(archive);
  EXPECT_EQ(archive.header["sequence"]["bias"], 1.0);
  archive.header["sequence"]["bias"] = true;
  const auto loaded = make_sequence();
  loaded->load(archive);
  set(loaded->predict_options(), "scores", true);
  EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("train")})), before);
  archive.header["sequence"]["bias"] = false;
  loaded->load(archive);
  EXPECT_EQ(predict(*loaded, *loaded->read({folder_.path("train")})).find("1.0"), std::string::npos);
}

TEST(SequenceRecordsTest, AreAsGoodAsAFile) {
  const SequenceRecords records = {[](CorpusBuilder& builder) {
    builder.attribute("x", 2);
    builder.attribute("y");
    builder.token("A");
    builder.attribute("z");
    builder.token(std::nullopt);
    builder.end_sequence();
    builder.attribute("y");
    builder.token("B");
    builder.attribute("x");
    builder.token("A");
    builder.end_sequence();
  }};
  for (const int order : {1, 2})
    expect_same_bits(
        make_sequence,
        [&](AnyTask& task) {
          set(task.options(), "format", std::string("crfsuite"));
          set(task.options(), "order", order);
          set(task.options(), "bias", 1.0);
        },
        "A\tx:2\ty\n?\tz\n\nB\ty\nA\tx\n\n", records, "hcrf");
}

TEST(SequenceRecordsTest, HaveAnyTextForALabelAndMayBeSelected) {
  const auto fill = [](CorpusBuilder& builder) {
    for (const char* label : {"?", "A", "B"}) {
      builder.attribute(label);
      builder.token(label);
      builder.end_sequence();
    }
  };
  auto task = make_sequence();
  const auto all = task->train_on({fill});
  EXPECT_EQ(all->facts()["labels"], 3);
  EXPECT_FALSE(all->facts().contains("tokens_without_a_label"));
  const auto two = task->train_on({fill, Selection({true, false, true})});
  EXPECT_EQ(two->size(), 2u);
  EXPECT_EQ(two->facts()["attributes"], 2);
  expect_input_error([&] { task->train_on({[](CorpusBuilder& builder) { builder.token(std::nullopt); }}); },
                     "no position has a label");
}

}  // namespace
}  // namespace hinge
