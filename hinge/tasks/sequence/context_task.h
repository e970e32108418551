// Sequence labelling of higher order:
//
//     <w, φ(x, y)> = Σ over positions (see position_parts.h) + Σ_{t>0} Σ over the patterns that end at t
//
// Patterns are all pairs of labels and the longer n-grams of the graph, by default those seen in training;
// others have no weight but are allowed. The weights of neighbours are those of the patterns in the graph's
// order. Slack rescaling is not served.
#pragma once

#include "hinge/inference/context_chain.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/sequence/position_parts.h"

namespace hinge {

template <class E>
class ContextTaskOver : public PositionParts<E> {
 public:
  using typename PositionParts<E>::Input;
  using Engine = ContextChain;
  static constexpr const char* no_slack =
      "sequences of order 2 and 3 have no exact search for slack rescaling: use `order` 1, or `rescaling` "
      "margin.";

  // A beam keeps that many contexts at each position when maximising; 0 means all, which is exact.
  ContextTaskOver(E emissions, std::size_t labels, std::shared_ptr<const ContextGraph> graph, bool boundaries,
                  Hamming hamming, std::size_t beam = 0)
      : PositionParts<E>(std::move(emissions), labels, graph->patterns(), boundaries, std::move(hamming)),
        graph_(std::move(graph)),
        beam_(beam) {}

  std::optional<ContextTaskOver<PackedEmissions>> widened() const {
    return this->over_packed([&](PackedEmissions packed) {
      return ContextTaskOver<PackedEmissions>(std::move(packed), this->width(), graph_,
                                              this->has_boundaries(), this->hamming(), beam_);
    });
  }

  // What order-th order takes from training labels.
  static std::shared_ptr<const ContextGraph> seen_contexts(std::span<const Labels> labelled,
                                                           std::size_t labels, std::size_t order) {
    const std::vector<Path> paths(labelled.begin(), labelled.end());
    return std::make_shared<const ContextGraph>(labels, seen_ngrams(paths, order));
  }

  const std::shared_ptr<const ContextGraph>& graph() const { return graph_; }
  std::size_t beam() const { return beam_; }

  void score(const Input& x, Weights w, ContextScores& scores) const {
    scores.beam = beam_;
    scores.shape(x.length(), graph_);
    this->score_positions(x, w, scores);
    scores.set_patterns(w.data() + this->transitions());
  }

  template <class Sink>
  void features(const Input& x, const ContextCounts& counts, Sink& sink) const {
    this->emission_features(x, counts, sink);
    counts.for_each_pattern(
        [&](Index pattern, double amount) { sink.add(this->transitions() + pattern, amount); });
    this->boundary_features(x, counts, sink);
  }

  // Positions without a label are hidden.
  void hide(const Labels& y, ContextScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] < 0) scores.hide(t);
  }

  // Contexts reach over hidden positions, so that a sum over outputs of sums over what is hidden does not
  // fall apart: a maximum is searched for, other pairs of temperatures are not served. A label that leaves
  // nothing open is asked for its excess instead.
  std::string refusal(const Query& query) const {
    if (query.side == Side::free && query.output_temperature > 0 &&
        query.output_temperature != query.latent_temperature)
      return "positions without a label need one temperature for labels and hidden positions at order 2 and "
             "3, or 0 for labels: use mssvm, lssvm, hcrf, softmax-margin or epsilon, or `order` 1.";
    return {};
  }

  double work(const Input& x) const { return this->work_with(x, (x.length() + 1) * graph_->size()); }

 private:
  std::shared_ptr<const ContextGraph> graph_;
  std::size_t beam_;
};

using ContextTask = ContextTaskOver<Emissions>;
static_assert(HidingTask<ContextTask>);

}  // namespace hinge
