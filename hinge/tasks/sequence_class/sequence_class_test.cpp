#include "hinge/tasks/sequence_class/sequence_class.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"

namespace hinge {
namespace {

using Examples = std::vector<Example<SequenceClassTask>>;

Examples random_examples(std::size_t count, bool hide) {
  Random random(7);
  Examples examples(count);
  for (auto& [x, y, weight] : examples) {
    x.channels = 2;
    y.length = 1 + random.below(4);
    for (std::size_t k = 0; k < 2 * y.length; ++k) x.values.push_back(static_cast<float>(random.normal()));
    y.value = hide && random.uniform() < 0.4 ? SequenceClass::kHidden : static_cast<int>(random.below(3));
  }
  return examples;
}

TEST(SequenceClassTask, IsSound) {
  for (bool own_states : {false, true})
    for (std::size_t states : {1u, 3u})
      for (bool hide : {false, true}) {
        const SequenceClassTask task({2, 3, states, own_states});
        const auto examples = random_examples(8, hide);
        const CheckReport report = check_task(task, examples);
        EXPECT_EQ(report.text(), "");
        EXPECT_GT(report.comparisons, 100u);
        EXPECT_EQ(task.determined({1, 3}), states == 1);
      }
}

// With one state of its own a class is a linear function of the summed frames, and of their number.
TEST(SequenceClassTask, OneStateIsALinearClassifierOfSums) {
  const SequenceClassTask task({2, 3, 1, true});
  const Frames x{2, {1, 2, 3, 4, 5, 6}};
  Vector w(task.dimension());
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = 0.1 * static_cast<double>(j * j);
  ClassScores scores;
  task.score(x, w, scores);
  for (Index c = 0; c < 3; ++c)
    EXPECT_NEAR(scores.of({c, {0, 0, 0}}), 9 * w[c] + 12 * w[3 + c] + 3 * w[6 + c] + 2 * w[9 + c], 1e-12);
}

TEST(SequenceClassTask, AnUnseenClassIsAnErrorWhateverIsAnswered) {
  const SequenceClassTask task({2, 3, 2, false});
  EXPECT_EQ(task.loss({5, 1}, {0, {0}}), 1);
  EXPECT_EQ(task.loss({SequenceClass::kHidden, 1}, {0, {0}}), 0);
  EXPECT_EQ(task.loss({2, 1}, {2, {1}}), 0);
}

}  // namespace
}  // namespace hinge
