// Sequence labelling with a first-order chain:
//
//     <w, φ(x, y)> = Σ_t emission(x, t, y_t) + Σ_{t>0} transition(y_{t-1}, y_t) [+ start(y_0) +
//     stop(y_{T-1})]
//
// Weights stand in that order: emissions (see emissions.h), K² transitions from-major, K starts, K stops.
#pragma once

#include "hinge/inference/chain.h"
#include "hinge/oracle/query.h"
#include "hinge/tasks/sequence/emissions.h"
#include "hinge/tasks/sequence/hamming.h"

namespace hinge {

class SequenceTask {
 public:
  using Input = Sequence;
  using Label = Labels;
  using Structure = Path;
  using Engine = Chain;

  SequenceTask(Emissions emissions, std::size_t labels, bool transitions, bool boundaries, Hamming hamming)
      : emissions_(std::move(emissions)), labels_(labels), hamming_(std::move(hamming)) {
    auto block = [next = static_cast<Index>(emissions_.size())](bool wanted, std::size_t count) mutable {
      const Index first = next;
      if (wanted) next += static_cast<Index>(count);
      return first;
    };

    transitions_ = block(transitions, labels * labels);
    start_ = block(boundaries, labels);
    stop_ = block(boundaries, labels);
    dimension_ = block(false, 0);
  }

  Index dimension() const { return dimension_; }
  std::size_t labels() const { return labels_; }
  const Emissions& emissions() const { return emissions_; }
  bool has_transitions() const { return start_ > transitions_; }
  bool has_boundaries() const { return stop_ > start_; }
  Index transitions() const { return transitions_; }  // where each block begins
  Index start() const { return start_; }
  Index stop() const { return stop_; }

  double loss(const Labels& y, const Path& path) const { return hamming_(y, path); }
  bool determined(const Labels& y) const { return fully_known(y); }
  const Path& structure(const Labels& y) const { return y; }

  void score(const Sequence& x, Weights w, ChainScores& scores) const {
    scores.shape(x.length(), labels_);
    if (x.length() == 0) return;
    for (std::size_t t = 0; t < x.length(); ++t) emissions_.score(x, t, w, scores.node(t));
    if (has_transitions())
      for (std::size_t a = 0; a < labels_; ++a)
        std::copy_n(w.data() + transitions_ + a * labels_, labels_, scores.edge(a));
    if (has_boundaries())
      for (std::size_t k = 0; k < labels_; ++k) {
        scores.node(0)[k] += w[start_ + k];
        scores.node(x.length() - 1)[k] += w[stop_ + k];
      }
  }

  void add_loss(const Labels& y, double weight, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t) hamming_.add(y, t, weight, scores.node(t), labels_);
  }

  void forbid(const Labels& y, ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t) forbid_others(y[t], scores.node(t), labels_);
  }

  template <class Sink>
  void features(const Sequence& x, const ChainCounts& counts, Sink& sink) const {
    const auto emit = [&](std::size_t t, int k, double amount) {
      emissions_.features(x, t, static_cast<Index>(k), amount, sink);
    };
    for (std::size_t t = 0; t < x.length(); ++t) {
      if (counts.hard())
        counts.node_at(t, emit);
      else
        emissions_.features(x, t, counts.node(t), sink);
    }
    if (has_transitions())
      counts.for_each_edge([&](int from, int to, double amount) {
        sink.add(
            transitions_ + static_cast<Index>(from) * static_cast<Index>(labels_) + static_cast<Index>(to),
            amount);
      });
    if (has_boundaries() && x.length() > 0) {
      const auto pour = [&](std::size_t t, Index block) {
        counts.node_at(
            t, [&](std::size_t, int k, double amount) { sink.add(block + static_cast<Index>(k), amount); });
      };
      pour(0, start_);
      pour(x.length() - 1, stop_);
    }
  }

  // Slack rescaling searches over levels of the loss, which label costs would make uncountable.
  std::string refusal(const Query& query) const {
    if (query.rescaling == Rescaling::slack && !hamming_.label_cost.empty())
      return "slack rescaling needs a loss that counts errors: leave out --label-costs, or use margin "
             "rescaling.";
    return {};
  }

  // Inference runs over contiguous rows, about eight times as fast as a sparse product; a plane is made entry
  // by entry.
  double work(const Sequence& x) const {
    const double rows = static_cast<double>((x.attribute.size() + x.length() * labels_) * labels_);
    return rows / 8 + 2 * static_cast<double>(x.attribute.size());
  }

 private:
  Emissions emissions_;
  std::size_t labels_;
  Hamming hamming_;
  Index transitions_, start_, stop_, dimension_;
};

}  // namespace hinge
