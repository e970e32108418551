// What sequence tasks of every order share: all that looks at one position at a time.
//
//     Σ_t emission(x, t, y_t) [+ start(y_0) + stop(y_{T-1})]
//
// Weights stand in this order: emissions (emissions.h or packed_emissions.h), those of neighbouring labels, K
// starts, K stops.
//
// With S > 1 states a label, all of this is over K = labels · S states, which training data does not tell: a
// path consists of states, state s is one of label s / S, and a known label admits all of its own.
#pragma once

#include <concepts>
#include <optional>

#include "hinge/inference/path_counts.h"
#include "hinge/tasks/hamming.h"
#include "hinge/tasks/sequence/packed_emissions.h"

namespace hinge {

template <class E>
class PositionParts {
 public:
  using Input = typename E::Input;
  using Label = Labels;
  using Structure = Path;

  // `transitions` is how many weights neighbouring labels have; `width` is K.
  PositionParts(E emissions, std::size_t width, std::size_t transitions, bool boundaries, Hamming hamming)
      : emissions_(std::move(emissions)), width_(width), hamming_(std::move(hamming)) {
    auto block = [next = static_cast<Index>(emissions_.size())](std::size_t count) mutable {
      const Index first = next;
      next += static_cast<Index>(count);
      return first;
    };
    transitions_ = block(transitions);
    start_ = block(boundaries ? width : 0);
    stop_ = block(boundaries ? width : 0);
    dimension_ = block(0);
  }

  Index dimension() const { return dimension_; }
  std::size_t width() const { return width_; }
  std::size_t states() const { return static_cast<std::size_t>(hamming_.states); }
  const E& emissions() const { return emissions_; }
  bool has_transitions() const { return start_ > transitions_; }
  bool has_boundaries() const { return stop_ > start_; }
  Index transitions() const { return transitions_; }  // where each block begins
  Index start() const { return start_; }
  Index stop() const { return stop_; }

  // Of a task over packed emissions: its form of an input, and where the weights of the task that was widened
  // stand.
  Input widen(const Sequence& x) const { return emissions_.pack(x); }
  std::vector<Index> places() const {
    std::vector<Index> places = emissions_.places();
    for (Index j = transitions_; j < dimension_; ++j) places.push_back(j);
    return places;
  }

  double loss(const Labels& y, const Path& path) const { return hamming_(y, path); }
  bool determined(const Labels& y) const { return states() == 1 && fully_known(y); }
  const Path& structure(const Labels& y) const { return y; }  // of a label that is determined

  template <class Scores>
  void add_loss(const Labels& y, double weight, Scores& scores) const {
    hamming_.add(y, weight, [&](std::size_t t) { return std::span(scores.node(t), width_); });
  }

  template <class Scores>
  void forbid(const Labels& y, Scores& scores) const {
    hamming_.forbid_others(y, [&](std::size_t t) { return std::span(scores.node(t), width_); });
  }

 protected:
  // make(packed emissions) where only observed emissions have weights.
  template <class Make>
  auto over_packed(Make&& make) const -> std::optional<decltype(make(std::declval<PackedEmissions>()))> {
    if constexpr (std::same_as<E, Emissions>)
      if (PackedEmissions::packs(emissions_)) return make(PackedEmissions(emissions_));
    return std::nullopt;
  }

  const Hamming& hamming() const { return hamming_; }

  template <class Scores>
  void score_positions(const Input& x, Weights w, Scores& scores) const {
    for (std::size_t t = 0; t < x.length(); ++t) emissions_.score(x, t, w, scores.node(t));
    if (!has_boundaries() || x.length() == 0) return;
    for (std::size_t k = 0; k < width_; ++k) {
      scores.node(0)[k] += w[start_ + k];
      scores.node(x.length() - 1)[k] += w[stop_ + k];
    }
  }

  // The adjoint of score_positions, in two halves around the weights of neighbours, so that a hard answer
  // pours its features in ascending blocks.
  template <class Sink>
  void emission_features(const Input& x, const PathCounts& counts, Sink& sink) const {
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
  void boundary_features(const Input& x, const PathCounts& counts, Sink& sink) const {
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
  double work_with(const Input& x, std::size_t rows) const {
    const double attributes = static_cast<double>(x.attribute.size());
    return (attributes + static_cast<double>(rows)) * static_cast<double>(width_) / 8 + 2 * attributes;
  }

 private:
  E emissions_;
  std::size_t width_;
  Hamming hamming_;
  Index transitions_, start_, stop_, dimension_;
};

}  // namespace hinge
