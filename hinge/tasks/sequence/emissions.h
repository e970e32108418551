// The weights of pairs of an attribute and a label (tasks/pair_index.h):
//
//     score[t][k] = Σ over attributes a at t of value · w[index(a, k)]
//
// With all pairs a position is a sum of contiguous rows.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hinge/core/archive.h"
#include "hinge/core/kernels.h"
#include "hinge/core/single_kernels.h"
#include "hinge/oracle/sink.h"
#include "hinge/tasks/pair_index.h"
#include "hinge/tasks/sequence/sequence.h"

namespace hinge {

class Emissions : public PairIndex {
 public:
  using Input = Sequence;

  static Emissions all(std::size_t attributes, std::size_t labels);
  // The pairs that occur in the data. With several states a label, `labels` counts states, and an attribute
  // occurs with all states of a label.
  static Emissions observed(std::size_t attributes, std::size_t labels, std::span<const Sequence> inputs,
                            std::span<const Labels> labelled, std::size_t states = 1);

  std::size_t attributes() const { return rows(); }
  std::size_t labels() const { return columns(); }

  // out[k] += the score of position t for label k
  template <class Real>
  void score(const Sequence& x, std::size_t t, std::span<const Real> w, Real* out) const {
    if (dense()) {
      const auto seen = x.attributes(t);
      kernels::add_rows(out, labels(), seen.data(), x.values(t), seen.size(), w.data());
      return;
    }
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const Real value = x.value_of(a);
      for (Index j = begin(x.attribute[a]); j < end(x.attribute[a]); ++j) out[column(j)] += value * w[j];
    }
  }

  // The same of all positions, into rows that stand close together.
  void score(const Sequence& x, std::span<const float> w, std::size_t labels, float* out) const {
    std::fill_n(out, x.length() * labels, 0.0f);
    for (std::size_t t = 0; t < x.length(); ++t) score(x, t, w, out + t * labels);
  }

  // Pours amount · the features of label k at position t.
  template <class Sink>
  void features(const Sequence& x, std::size_t t, Index k, double amount, Sink& sink) const {
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const Index attribute = x.attribute[a];
      const double value = amount * x.value_of(a);
      if (dense()) {
        sink.add(row(attribute) + k, value);
      } else {
        for (Index j = begin(attribute); j < end(attribute); ++j)
          if (column(j) == k) sink.add(j, value);
      }
    }
  }

  // Pours amounts[k] · the features of every label k at position t.
  template <class Real, class Sink>
  void features(const Sequence& x, std::size_t t, const Real* amounts, Sink& sink) const {
    if (dense()) {
      sink.add_rows(x.attributes(t), x.values(t), {amounts, labels()});
      return;
    }
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const Real value = x.value_of(a);
      for (Index j = begin(x.attribute[a]); j < end(x.attribute[a]); ++j)
        sink.add(j, value * amounts[column(j)]);
    }
  }

  // Σ value² · share over the weights of label k at position t; null shares are ones
  double squared_norm(const Sequence& x, std::size_t t, Index k, const float* share) const {
    double sum = 0;
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const double value = x.value_of(a);
      if (dense())
        sum += value * value * (share == nullptr ? 1.0 : static_cast<double>(share[row(x.attribute[a]) + k]));
      else
        for (Index j = begin(x.attribute[a]); j < end(x.attribute[a]); ++j)
          if (column(j) == k) sum += value * value * (share == nullptr ? 1.0 : static_cast<double>(share[j]));
    }
    return sum;
  }

  // Moves weights by factor · the features of all positions. Returns by how much |w|² grows.
  double move(const Sequence& x, std::span<const float> amounts, std::size_t labels, float factor,
              std::span<float> w, const float* share) const {
    MovingSinkOf<float> sink{w, share, factor};
    for (std::size_t t = 0; t < x.length(); ++t) features(x, t, amounts.data() + t * labels, sink);
    return sink.growth;
  }

  void save(Archive& archive) const;
  // Throws InputError when the archive's are of other numbers of attributes and labels.
  static Emissions load(const Archive& archive, std::size_t attributes, std::size_t labels);

 private:
  using PairIndex::PairIndex;
};

}  // namespace hinge
