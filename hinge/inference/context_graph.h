// Contexts of label sequences: what of the labels so far decides the score of the next one.
//
//     score of label c after the labels h = Σ of the weights of all patterns that end h·c
//
// Patterns are the K² pairs of labels and listed n-grams of three labels or more. Contexts are the K single
// labels and the beginnings (of two labels or more) of listed n-grams. The longest context s that ends h
// decides the score, since whatever a pattern has before c is a context; after c it is followed by
// next(s, c), the longest context that ends s·c (Aho & Corasick 1975).
//
// Contexts that agree on where every label leads form a group. A group has a child for each label that leads
// to a context longer by one label; every other label leads where its parent group leads.
#pragma once

#include <memory>
#include <span>

#include "hinge/core/archive.h"
#include "hinge/core/kernels.h"
#include "hinge/inference/path_counts.h"

namespace hinge {

class ContextGraph {
 public:
  static constexpr Index kNone = static_cast<Index>(-1);

  // n-grams of at least three labels each, in any order.
  ContextGraph(std::size_t labels, std::vector<Path> ngrams);

  std::size_t labels() const { return labels_; }
  std::size_t order() const { return order_; }  // the length of the longest context
  std::size_t size() const { return label_.size(); }
  std::size_t groups() const { return group_.size(); }

  // Pattern a K + b is the pair (a, b), pattern K² + i the i-th n-gram.
  std::size_t patterns() const { return labels_ * labels_ + ngrams_.size(); }
  const std::vector<Path>& ngrams() const { return ngrams_; }

  // Of a context: its last label, the longest context that ends it (a smaller number, kNone for single
  // labels), and what n-grams it begins.
  struct Step {
    Index label, to;
  };
  Index label(std::size_t context) const { return label_[context]; }
  Index suffix(std::size_t context) const { return suffix_[context]; }
  std::span<const Step> ngrams_of(std::size_t context) const {
    return {pattern_.data() + first_pattern_[context], pattern_.data() + first_pattern_[context + 1]};
  }
  Index single(std::size_t label) const { return child_[label].to; }
  Index next(std::size_t context, std::size_t label) const {
    return target_[of_group_[context] * labels_ + label];
  }
  // The groups whose members next() leads here by its last label.
  std::span<const Index> entering(std::size_t context) const {
    return {entering_.data() + first_entering_[context], entering_.data() + first_entering_[context + 1]};
  }

  // Of a group: its members [first, last), its parent (a smaller number), the groups [below, below_end) whose
  // parent it is, and its children. Group 0 has the single labels as children.
  struct Group {
    Index first = 0, last = 0, parent = 0, below = 0, below_end = 0, first_child = 0, last_child = 0;
    std::size_t size() const { return last - first; }
  };
  const Group& group(std::size_t g) const { return group_[g]; }
  std::span<const Step> children(std::size_t g) const {
    return {child_.data() + group_[g].first_child, child_.data() + group_[g].last_child};
  }

  // By label: 1 where the group leads where its parent leads, 0 where it has a child. Rows are padded to
  // kernels::kLane, with 0.
  const double* open(std::size_t g) const { return open_.data() + g * kernels::padded(labels_); }

  // f(pattern) for every pattern that ends context · label
  template <class F>
  void for_each_pattern(Index context, Index label, F&& f) const {
    for (; suffix_[context] != kNone; context = suffix_[context])
      for (const Step& step : ngrams_of(context))
        if (step.label == label) f(step.to);
    f(label_[context] * static_cast<Index>(labels_) + label);
  }

  // Only the n-grams are stored.
  void save(Archive& archive) const;
  static std::shared_ptr<const ContextGraph> load(std::size_t labels, const Archive& archive);

 private:
  void number_contexts();
  void connect_groups();

  std::size_t labels_, order_ = 1;
  std::vector<Path> ngrams_;
  std::vector<Index> label_, suffix_, of_group_;       // by context
  std::vector<Index> first_pattern_, first_entering_;  // by context, and the end
  std::vector<Step> pattern_, child_;
  std::vector<Group> group_;
  std::vector<Index> target_;  // group-major, by label
  std::vector<Index> entering_;
  Vector open_;
};

// The n-grams of 3 … order + 1 labels that occur in the sequences, where all their labels are known (≥ 0).
std::vector<Path> seen_ngrams(std::span<const Path> sequences, std::size_t order);

}  // namespace hinge
