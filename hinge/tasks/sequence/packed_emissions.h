// Observed emissions (emissions.h) laid out for passes over all sequences. An attribute with many labels
// becomes a row with a weight for every label, any other a pair of its own for each of its labels:
//
//     score[t][k] = Σ over rows r at t of value · w[r · width + k]
//                 + Σ over pairs p at t with label k of value · w[rows · width + p]
//
// A position is then a few contiguous rows and one flat list: no inner loop of two or three turns, whose end
// the processor would guess wrong each time. The weights that a row has beyond the observed ones are padding.
#pragma once

#include "hinge/tasks/sequence/emissions.h"

namespace hinge {

class PackedEmissions {
 public:
  explicit PackedEmissions(const Emissions& observed);  // not dense

  std::size_t size() const { return rows_ * width_ + label_.size(); }
  // Where each weight of the observed emissions stands among these.
  const std::vector<Index>& places() const { return places_; }
  // The sequence with rows and pairs, rows + p, as its attributes: rows come first at each position.
  Sequence pack(const Sequence& x) const;

  // out[k] += the score of position t for label k; out is padded to width
  void score(const Sequence& x, std::size_t t, Weights w, double* out) const {
    const auto attributes = x.attributes(t);
    const float* value = x.values(t);
    const std::size_t rows = count_rows(attributes);
    kernels::add_rows(out, width_, attributes.data(), value, rows, w.data());
    for (std::size_t a = rows; a < attributes.size(); ++a)
      out[label_of(attributes[a])] += (value == nullptr ? 1 : value[a]) * w[weight_of(attributes[a])];
  }

  // Pours amount · the features of label k at position t.
  template <class Sink>
  void features(const Sequence& x, std::size_t t, Index k, double amount, Sink& sink) const {
    for (std::size_t a = x.start[t]; a < x.start[t + 1]; ++a) {
      const Index attribute = x.attribute[a];
      const double value = amount * x.value_of(a);
      if (attribute < rows_)
        sink.add(static_cast<Index>(attribute * width_ + k), value);
      else if (label_of(attribute) == k)
        sink.add(weight_of(attribute), value);
    }
  }

  // Pours amounts[k] · the features of every label k at position t; amounts are padded to width.
  template <class Sink>
  void features(const Sequence& x, std::size_t t, const double* amounts, Sink& sink) const {
    const auto attributes = x.attributes(t);
    const float* value = x.values(t);
    const std::size_t rows = count_rows(attributes);
    sink.add_rows(attributes.first(rows), value, {amounts, width_});
    for (std::size_t a = rows; a < attributes.size(); ++a)
      sink.add(weight_of(attributes[a]),
               (value == nullptr ? 1 : value[a]) * amounts[label_of(attributes[a])]);
  }

 private:
  std::size_t count_rows(std::span<const Index> attributes) const {
    std::size_t count = 0;
    while (count < attributes.size() && attributes[count] < rows_) ++count;
    return count;
  }
  Index label_of(Index attribute) const { return label_[attribute - rows_]; }
  Index weight_of(Index attribute) const {
    return static_cast<Index>(attribute + rows_ * (width_ - 1));  // rows · width + p, where it is rows + p
  }

  static constexpr Index kNone = static_cast<Index>(-1);

  std::size_t rows_ = 0, width_;
  std::vector<Index> label_;  // of each pair
  std::vector<Index> row_;    // of each observed attribute, or kNone
  std::vector<Index> pair_;   // the first of each observed attribute, and the end
  std::vector<Index> places_;
};

}  // namespace hinge
