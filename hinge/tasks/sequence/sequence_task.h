// Sequence labelling with a first-order chain:
//
//     <w, φ(x, y)> = Σ over positions (see position_parts.h) + Σ_{t>0} transition(y_{t-1}, y_t)
//
// The weights of neighbours are K² transitions, from-major.
#pragma once

#include "hinge/inference/chain.h"
#include "hinge/oracle/query.h"
#include "hinge/tasks/sequence/position_parts.h"

namespace hinge {

class SequenceTask : public PositionParts {
 public:
  using Engine = Chain;

  SequenceTask(Emissions emissions, std::size_t labels, bool transitions, bool boundaries, Hamming hamming)
      : PositionParts(std::move(emissions), labels, transitions ? labels * labels : 0, boundaries,
                      std::move(hamming)) {}

  void score(const Sequence& x, Weights w, ChainScores& scores) const {
    scores.shape(x.length(), labels());
    score_positions(x, w, scores);
    if (has_transitions())
      for (std::size_t a = 0; a < labels(); ++a)
        std::copy_n(w.data() + transitions() + a * labels(), labels(), scores.edge(a));
  }

  template <class Sink>
  void features(const Sequence& x, const ChainCounts& counts, Sink& sink) const {
    emission_features(x, counts, sink);
    if (has_transitions())
      counts.for_each_edge([&](int from, int to, double amount) {
        sink.add(
            transitions() + static_cast<Index>(from) * static_cast<Index>(labels()) + static_cast<Index>(to),
            amount);
      });
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
};

}  // namespace hinge
