#include "hinge/tasks/sequence/rule_guide.h"

#include <cassert>
#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/guided_chain.h"

namespace hinge {
namespace {

struct Scratch {
  GuidedChain engine;
  GuidedScores scores;
  GuidedCounts counts;
};

}  // namespace

RuleGuide::RuleGuide(std::shared_ptr<const Knowledge> knowledge, std::vector<double> costs)
    : knowledge_(std::move(knowledge)), costs_(std::move(costs)), examples_(knowledge_->examples) {
  assert(costs_.size() == knowledge_->rules.size());
  const auto free = [&](const auto& feature) { return costs_[feature.rule] == 0; };
  for (Constraints& example : examples_) {
    std::erase_if(example.positions, free);
    std::erase_if(example.pairs, free);
    std::erase_if(example.wholes, free);
  }
}

Labels RuleGuide::best(const SequenceTask& task, const Sequence& x, Weights w, std::size_t i) const {
  auto& [engine, scores, counts] = scratch<Scratch>();
  const Constraints& example = examples_[i];
  task.score(x, w, scores.base);
  scores.guide(knowledge_->shared, example);
  std::size_t k = 0;
  const auto gain = [&](const auto& features) {
    for (const auto& feature : features) {
      if (const double cost = costs_[feature.rule]; std::isinf(cost))
        scores.require(k);
      else
        scores.gains()[k] = cost;
      ++k;
    }
  };
  gain(example.positions);
  gain(example.pairs);
  gain(example.wholes);
  // A narrow beam may lose every labelling that keeps the hard rules.
  for (engine.settings = {}; engine.settings.beam <= 12800; engine.settings.beam *= 4)
    if (engine.solve(scores, 0, 0, counts) != kForbidden) return counts.structure();
  fail("no labelling of example {} was found that keeps all hard rules: make one of them soft.", i + 1);
}

}  // namespace hinge
