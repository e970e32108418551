#include "hinge/tasks/sequence/tagger.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/inference/path_search.h"
#include "hinge/tasks/sequence/sequence_task.h"

namespace hinge {
namespace {

constexpr std::size_t kLabels = 2, kStates = 3, kAttributes = 4, kLength = 3;

TEST(Tagger, ScoresALabellingByAllItsStates) {
  Hamming hamming;
  hamming.states = kStates;
  constexpr std::size_t K = kLabels * kStates;
  const SequenceTask task(Emissions::all(kAttributes, K), K, Transitions::all(K), true, hamming);
  const Tagger tagger(task);
  Random random(2);
  Vector w;
  for (Index j = 0; j < task.dimension(); ++j) w.push_back(random.normal());
  Sequence x;
  for (std::size_t t = 0; t < kLength; ++t) {
    x.attribute.push_back(static_cast<Index>(t));
    x.attribute.push_back(3);
    x.start.push_back(static_cast<Index>(x.attribute.size()));
  }
  ChainScores scores;
  task.score(x, w, scores);
  double best_joint = kForbidden, best_marginal = kForbidden;
  for_each_path(kLength, kLabels, [&](const Path& labels) {
    Vector of_states;
    for_each_path(kLength, K, [&](const Path& path) {
      for (std::size_t t = 0; t < kLength; ++t)
        if (path[t] / static_cast<int>(kStates) != labels[t]) return;
      of_states.push_back(scores.of(path));
    });
    ASSERT_EQ(of_states.size(), 27u);
    for (double temperature : {0.0, 0.5, 1.0})
      EXPECT_NEAR(tagger.score(x, w, labels, temperature), smooth_max(of_states, temperature), 1e-12);
    best_joint = std::max(best_joint, smooth_max(of_states, 0));
    best_marginal = std::max(best_marginal, smooth_max(of_states, 0.5));
  });
  EXPECT_NEAR(tagger.score(x, w, tagger.best(x, w, {}), 0), best_joint, 1e-12);
  EXPECT_NEAR(tagger.score(x, w, tagger.best(x, w, {0.5, false}), 0.5), best_marginal, 1e-12);
}

}  // namespace
}  // namespace hinge
