// Which (attribute, label) pairs have a weight, and where.
//
//     score[t][k] = Σ over attributes a at t of value · w[index(a, k)]
//
// With all pairs, index(a, k) = a · K + k and a position is a sum of contiguous rows. With observed pairs
// only, the labels of attribute a are a short list.
#pragma once

#include <span>
#include <vector>

#include "hinge/core/archive.h"
#include "hinge/core/kernels.h"
#include "hinge/tasks/sequence/sequence.h"

namespace hinge {

class Emissions {
 public:
  static Emissions all(std::size_t attributes, std::size_t labels);
  // The pairs that occur in the data. With several states a label, `labels` counts states, and an attribute
  // occurs with all states of a label.
  static Emissions observed(std::size_t attributes, std::size_t labels, std::span<const Sequence> inputs,
                            std::span<const Labels> labelled, std::size_t states = 1);

  std::size_t size() const { return dense() ? attributes_ * labels_ : label_.size(); }
  bool dense() const { return first_.empty(); }
  std::size_t attributes() const { return attributes_; }
  std::size_t labels() const { return labels_; }
  // The labels of an attribute that have a weight; only when not dense.
  std::span<const Index> labels_of(Index attribute) const {
    return {label_.data() + first_[attribute], first_[attribute + 1] - first_[attribute]};
  }
  // The attribute and label of a weight.
  std::pair<Index, Index> pair(Index weight) const;

  // out[k] += the score of position t for label k
  void score(const Sequence& x, std::size_t t, Weights w, double* out) const {
    if (dense()) {
      const auto rows = x.attributes(t);
      kernels::add_rows(out, labels_, rows.data(), x.values(t), rows.size(), w.data());
      return;
    }
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const double value = x.value_of(a);
      for (Index j = first_[x.attribute[a]]; j < first_[x.attribute[a] + 1]; ++j)
        out[label_[j]] += value * w[j];
    }
  }

  // Pours amount · the features of label k at position t.
  template <class Sink>
  void features(const Sequence& x, std::size_t t, Index k, double amount, Sink& sink) const {
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const Index attribute = x.attribute[a];
      const double value = amount * x.value_of(a);
      if (dense()) {
        sink.add(static_cast<Index>(attribute * labels_ + k), value);
      } else {
        for (Index j = first_[attribute]; j < first_[attribute + 1]; ++j)
          if (label_[j] == k) sink.add(j, value);
      }
    }
  }

  // Pours amounts[k] · the features of every label k at position t.
  template <class Sink>
  void features(const Sequence& x, std::size_t t, const double* amounts, Sink& sink) const {
    if (dense()) {
      sink.add_rows(x.attributes(t), x.values(t), {amounts, labels_});
      return;
    }
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const double value = x.value_of(a);
      for (Index j = first_[x.attribute[a]]; j < first_[x.attribute[a] + 1]; ++j)
        sink.add(j, value * amounts[label_[j]]);
    }
  }

  void save(Archive& archive) const;
  // Throws InputError when the archive's are of other numbers of attributes and labels.
  static Emissions load(const Archive& archive, std::size_t attributes, std::size_t labels);

 private:
  std::size_t attributes_ = 0, labels_ = 0;
  std::vector<Index> first_;  // of each attribute in label_, and the end; empty when all pairs have a weight
  std::vector<Index> label_;  // of each weight
};

}  // namespace hinge
