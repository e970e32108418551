// Sequence labelling with a first-order chain:
//
//     <w, φ(x, y)> = Σ over positions (see position_parts.h) + Σ_{t>0} transition(y_{t-1}, y_t)
#pragma once

#include "hinge/inference/chain.h"
#include "hinge/oracle/query.h"
#include "hinge/tasks/sequence/position_parts.h"
#include "hinge/tasks/sequence/transitions.h"

namespace hinge {

class SequenceTask : public PositionParts {
 public:
  using Engine = Chain;

  SequenceTask(Emissions emissions, std::size_t labels, Transitions pairs, bool boundaries, Hamming hamming)
      : PositionParts(std::move(emissions), labels, pairs.size(), boundaries, std::move(hamming)),
        pairs_(std::move(pairs)) {}

  void score(const Sequence& x, Weights w, ChainScores& scores) const {
    scores.shape(x.length(), labels());
    score_positions(x, w, scores);
    pairs_.score(w.data() + transitions(), scores);
  }

  template <class Sink>
  void features(const Sequence& x, const ChainCounts& counts, Sink& sink) const {
    emission_features(x, counts, sink);
    pairs_.features(counts, transitions(), sink);
    boundary_features(x, counts, sink);
  }

  // Slack rescaling searches over levels of the loss, which label costs would make uncountable.
  std::string refusal(const Query& query) const {
    if (query.rescaling == Rescaling::slack && !hamming().label_cost.empty())
      return "slack rescaling needs a loss that counts errors: leave out --label-costs, or use margin "
             "rescaling.";
    return {};
  }

  double work(const Sequence& x) const { return work_with(x, x.length() * labels()); }

 private:
  Transitions pairs_;
};

}  // namespace hinge
