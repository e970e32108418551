// What sequence tasks of every order share: all that looks at one position at a time.
//
//     Σ_t emission(x, t, y_t) [+ start(y_0) + stop(y_{T-1})]
//
// Weights stand in this order: emissions (see emissions.h), those of neighbouring labels, K starts, K stops.
#pragma once

#include "hinge/inference/path_counts.h"
#include "hinge/tasks/hamming.h"
#include "hinge/tasks/sequence/emissions.h"

namespace hinge {

class PositionParts {
 public:
  using Input = Sequence;
  using Label = Labels;
  using Structure = Path;

  // `transitions` is how many weights neighbouring labels have.
  PositionParts(Emissions emissions, std::size_t labels, std::size_t transitions, bool boundaries,
                Hamming hamming)
      : emissions_(std::move(emissions)), labels_(labels), hamming_(std::move(hamming)) {
    auto block = [next = static_cast<Index>(emissions_.size())](std::size_t count) mutable {
      const Index first = next;
      next += static_cast<Index>(count);
      return first;
    };
    transitions_ = block(transitions);
    start_ = block(boundaries ? labels : 0);
    stop_ = block(boundaries ? labels : 0);
    dimension_ = block(0);
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

  template <class Scores>
  void add_loss(const Labels& y, double weight, Scores& scores) const {
    hamming_.add(y, weight, [&](std::size_t t) { return std::span(scores.node(t), labels_); });
  }

  template <class Scores>
  void forbid(const Labels& y, Scores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      for (std::size_t k = 0; y[t] >= 0 && k < labels_; ++k)
        if (static_cast<int>(k) != y[t]) scores.node(t)[k] = kForbidden;
  }

 protected:
  const Hamming& hamming() const { return hamming_; }

  template <class Scores>
  void score_positions(const Sequence& x, Weights w, Scores& scores) const {
    for (std::size_t t = 0; t < x.length(); ++t) emissions_.score(x, t, w, scores.node(t));
    if (!has_boundaries() || x.length() == 0) return;
    for (std::size_t k = 0; k < labels_; ++k) {
      scores.node(0)[k] += w[start_ + k];
      scores.node(x.length() - 1)[k] += w[stop_ + k];
    }
  }

  // The adjoint of score_positions, in two halves around the weights of neighbours, so that a hard answer
  // pours its features in ascending blocks.
  template <class Sink>
  void emission_features(const Sequence& x, const PathCounts& counts, Sink& sink) const {
    const auto emit = [&](std::size_t t, int k, double amount) {
      emissions_.features(x, t, static_cast<Index>(k), amount, sink);
    };
    for (std::size_t t = 0; t < x.length(); ++t) {
      if (counts.hard())
        counts.node_at(t, emit);
      else
        emissions_.features(x, t, counts.node(t), sink);
    }
  }
  template <class Sink>
  void boundary_features(const Sequence& x, const PathCounts& counts, Sink& sink) const {
    if (!has_boundaries() || x.length() == 0) return;
    const auto pour = [&](std::size_t t, Index block) {
      counts.node_at(
          t, [&](std::size_t, int k, double amount) { sink.add(block + static_cast<Index>(k), amount); });
    };
    pour(0, start_);
    pour(x.length() - 1, stop_);
  }

  // Inference runs over contiguous rows, about eight times as fast as a sparse product; a plane is made entry
  // by entry. `rows` is how many rows of labels inference reads for neighbours.
  double work_with(const Sequence& x, std::size_t rows) const {
    const double attributes = static_cast<double>(x.attribute.size());
    return (attributes + static_cast<double>(rows)) * static_cast<double>(labels_) / 8 + 2 * attributes;
  }

 private:
  Emissions emissions_;
  std::size_t labels_;
  Hamming hamming_;
  Index transitions_, start_, stop_, dimension_;
};

}  // namespace hinge
