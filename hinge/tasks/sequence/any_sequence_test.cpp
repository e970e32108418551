#include "hinge/tasks/sequence/any_sequence.h"

#include "tests/support/any_task.h"

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

}  // namespace
}  // namespace hinge
