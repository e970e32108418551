// Sequence labelling with a first-order chain:
//
//     <w, φ(x, y)> = Σ over positions (see position_parts.h) + Σ_{t>0} transition(y_{t-1}, y_t)
#pragma once

#include <fmt/format.h>

#include "hinge/inference/chain.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/sequence/position_parts.h"
#include "hinge/tasks/sequence/single_sequence_parts.h"
#include "hinge/tasks/sequence/transitions.h"

namespace hinge {

template <class E>
class SequenceTaskOver : public PositionParts<E> {
 public:
  using typename PositionParts<E>::Input;
  using Engine = Chain;

  SequenceTaskOver(E emissions, std::size_t width, Transitions pairs, bool boundaries, Hamming hamming)
      : PositionParts<E>(std::move(emissions), width, pairs.size(), boundaries, std::move(hamming)),
        pairs_(std::move(pairs)) {}

  std::optional<SequenceTaskOver<PackedEmissions>> widened() const {
    return this->over_packed([&](PackedEmissions packed) {
      return SequenceTaskOver<PackedEmissions>(std::move(packed), this->width(), pairs_,
                                               this->has_boundaries(), this->hamming());
    });
  }

  void shape(const Input& x, ChainScores& scores) const { scores.shape(x.length(), this->width()); }
  void score(const Input& x, Weights w, ChainScores& scores) const {
    shape(x, scores);
    this->score_positions(x, w, scores);
    pairs_.score(w.data() + this->transitions(), scores);
  }

  template <class Sink>
  void features(const Input& x, const ChainCounts& counts, Sink& sink) const {
    this->emission_features(x, counts, sink);
    pairs_.features(counts, this->transitions(), sink);
    this->boundary_features(x, counts, sink);
  }

  // Positions without a label are hidden, and so are the states of a label.
  void hide(const Labels& y, ChainScores& scores) const {
    scores.share_labels(this->states());
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] < 0) scores.hide(t);
  }

  // Slack rescaling searches over levels of the loss, which label costs would make uncountable. A sum over
  // labels of sums over their states at another temperature has no recursion; a maximum is searched for.
  std::string refusal(const Query& query) const {
    if (this->states() > 1 && query.side == Side::free && query.output_temperature > 0 &&
        query.output_temperature != query.latent_temperature)
      return fmt::format(
          "{} hidden states a label need one temperature for labels and states, or 0 for labels: use mssvm, "
          "lssvm, hcrf, softmax-margin or epsilon, or `states` 1.",
          this->states());
    if (query.rescaling == Rescaling::slack && !this->hamming().label_cost.empty())
      return "slack rescaling needs a loss that counts errors: leave out `label_costs`, or use margin "
             "rescaling.";
    return {};
  }

  // In single precision; see single_sequence_parts.h.
  std::unique_ptr<SingleParts> single_parts(std::span<const Example<SequenceTaskOver>> examples,
                                            const Query& query, AnswerNote note) const {
    if (this->width() < SingleChain::kLeastLabels) return nullptr;
    return std::make_unique<SingleSequenceParts<SequenceTaskOver>>(*this, examples, query, std::move(note));
  }
  const Transitions& pairs() const { return pairs_; }

  double work(const Input& x) const { return this->work_with(x, x.length() * this->width()); }

 private:
  Transitions pairs_;
};

using SequenceTask = SequenceTaskOver<Emissions>;
static_assert(HidingTask<SequenceTask>);

}  // namespace hinge
