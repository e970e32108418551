// Which pairs of neighbouring labels have a weight, and where: all K² of them, those seen in training, or
// none. A pair without a weight scores 0, one that is excluded −∞.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hinge/core/archive.h"
#include "hinge/core/smooth_max.h"
#include "hinge/tasks/sequence/sequence.h"

namespace hinge {

class Transitions {
 public:
  static Transitions none(std::size_t labels) { return Transitions(labels, {}); }
  static Transitions all(std::size_t labels) {
    return Transitions(labels, std::vector<bool>(labels * labels, true));
  }
  // With several states a label, `labels` counts states, and a pair of labels stands for all of theirs.
  static Transitions observed(std::size_t labels, std::span<const Labels> labelled, std::size_t states = 1) {
    std::vector<bool> seen(labels * labels);
    for (const Labels& y : labelled)
      for (std::size_t t = 1; t < y.size(); ++t)
        if (y[t - 1] >= 0 && y[t] >= 0)
          seen[static_cast<std::size_t>(y[t - 1]) * states * labels +
               static_cast<std::size_t>(y[t]) * states] = true;
    if (states > 1)
      for (std::size_t a = 0; a < labels; ++a)
        for (std::size_t b = 0; b < labels; ++b)
          seen[a * labels + b] = seen[(a - a % states) * labels + b - b % states];
    return Transitions(labels, seen);
  }

  // `excluded` is of pairs of labels, from · K + to, each of `states` states.
  void exclude(const std::vector<bool>& excluded, std::size_t states) {
    const std::size_t K = labels_ / states;
    for (std::size_t p = 0; p < labels_ * labels_; ++p)
      if (excluded[p / labels_ / states * K + p % labels_ / states])
        excluded_.push_back(static_cast<Index>(p));
  }

  std::size_t size() const { return pairs_.size(); }
  // The labels of a weight.
  std::pair<Index, Index> pair(std::size_t weight) const {
    return {static_cast<Index>(pairs_[weight] / labels_), static_cast<Index>(pairs_[weight] % labels_)};
  }

  // Sets the pair scores of a chain from the weights, which begin at w.
  template <class Real, class Scores>
  void score(const Real* w, Scores& scores) const {
    if (pairs_.size() == labels_ * labels_) {
      for (std::size_t a = 0; a < labels_; ++a) std::copy_n(w + a * labels_, labels_, scores.edge(a));
    } else {
      for (std::size_t j = 0; j < pairs_.size(); ++j)
        scores.edge(pairs_[j] / labels_)[pairs_[j] % labels_] = w[j];
    }
    for (const Index p : excluded_) scores.edge(p / labels_)[p % labels_] = kForbidden;
  }

  // Pours the pairs of the counts; the weights begin at `first`.
  template <class Counts, class Sink>
  void features(const Counts& counts, Index first, Sink& sink) const {
    if (pairs_.empty()) return;
    counts.for_each_edge([&](int from, int to, double amount) {
      const Index weight = weight_[static_cast<std::size_t>(from) * labels_ + static_cast<std::size_t>(to)];
      if (weight != kNone) sink.add(first + weight, amount);
    });
  }

  // The same of K² scores and amounts that stand close together; `room` is for those that have weights.
  void score(const float* w, std::span<float> scores, float excluded) const {
    if (pairs_.size() == scores.size()) {
      std::copy_n(w, scores.size(), scores.begin());
    } else {
      std::ranges::fill(scores, 0.0f);
      for (std::size_t j = 0; j < pairs_.size(); ++j) scores[pairs_[j]] = w[j];
    }
    for (const Index p : excluded_) scores[p] = excluded;
  }
  template <class Sink>
  void features(std::span<const float> amounts, Index first, Sink& sink, std::vector<float>& room) const {
    if (pairs_.size() == amounts.size()) return sink.add_row(first, amounts, 1);
    room.resize(pairs_.size());
    for (std::size_t j = 0; j < pairs_.size(); ++j) room[j] = amounts[pairs_[j]];
    sink.add_row(first, room, 1);
  }

  void save(Archive& archive) const { archive.arrays["transitions.pairs"] = pairs_; }
  static Transitions load(const Archive& archive, std::size_t labels) {
    std::vector<bool> seen(labels * labels);
    for (Index pair : archive.get<std::uint32_t>("transitions.pairs")) {
      if (pair >= seen.size()) fail("the model's table of transitions is damaged: train it again.");
      seen[pair] = true;
    }
    return Transitions(labels, seen);
  }

 private:
  static constexpr Index kNone = static_cast<Index>(-1);

  Transitions(std::size_t labels, const std::vector<bool>& seen)
      : labels_(labels), weight_(labels * labels, kNone) {
    for (std::size_t p = 0; p < seen.size(); ++p)
      if (seen[p]) {
        weight_[p] = static_cast<Index>(pairs_.size());
        pairs_.push_back(static_cast<Index>(p));
      }
  }

  std::size_t labels_;
  std::vector<Index> weight_;  // of from · K + to
  std::vector<Index> pairs_;   // those with a weight, ascending
  std::vector<Index> excluded_;
};

}  // namespace hinge
