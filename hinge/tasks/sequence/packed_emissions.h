// Observed emissions (emissions.h) laid out for passes over all sequences. An attribute with many labels
// becomes a row with a weight for every label, any other a pair of its own for each of its labels:
//
//     score[t][k] = Σ over rows r at t of value · w[r · width + k]
//                 + Σ over pairs p at t with label k of value · w[rows · width + p]
//
// A position is then a few contiguous rows and one flat list: no inner loop of two or three turns, whose end
// the processor would guess wrong each time. The weights that a row has beyond the observed ones are padding.
// Rows of attributes with the most labels, which are the most frequent, stand together; a pair's number in a packed
// sequence has its label in the bits above, so that nothing is looked up for it but its weight. Pairs of a position
// that have the same label stand apart, since an addition to a number waits for the one before.
#pragma once

#include "hinge/tasks/sequence/emissions.h"

namespace hinge {

class PackedEmissions {
 public:
  explicit PackedEmissions(const Emissions& observed);  // that can be packed
  // Not where all pairs have weights, or numbers of pairs and labels do not share an Index.
  static bool packs(const Emissions& observed);

  std::size_t size() const { return rows_ * width_ + label_.size(); }
  // Where each weight of the observed emissions stands among these.
  const std::vector<Index>& places() const { return places_; }
  // The sequence with rows and pairs, rows + (label, p), as its attributes: rows come first at each position.
  Sequence pack(const Sequence& x) const;

  // out[k] += the score of position t for label k; out is padded to width
  template <class Real>
  void score(const Sequence& x, std::size_t t, std::span<const Real> w, Real* out) const {
    const auto attributes = x.attributes(t);
    const float* value = x.values(t);
    const std::size_t rows = count_rows(attributes);
    kernels::add_rows(out, width_, attributes.data(), value, rows, w.data());
    if (value == nullptr)
      for (std::size_t a = rows; a < attributes.size(); ++a)
        out[label_of(attributes[a])] += w[weight_of(attributes[a])];
    else
      for (std::size_t a = rows; a < attributes.size(); ++a)
        out[label_of(attributes[a])] += value[a] * w[weight_of(attributes[a])];
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
        sink.add(static_cast<Index>(weight_of(attribute)), value);
    }
  }

  // Pours amounts[k] · the features of every label k at position t; amounts are padded to width.
  template <class Real, class Sink>
  void features(const Sequence& x, std::size_t t, const Real* amounts, Sink& sink) const {
    const auto attributes = x.attributes(t);
    const float* value = x.values(t);
    const std::size_t rows = count_rows(attributes);
    sink.add_rows(attributes.first(rows), value, {amounts, width_});
    for (std::size_t a = rows; a < attributes.size(); ++a)
      sink.add(static_cast<Index>(weight_of(attributes[a])),
               (value == nullptr ? 1.0f : value[a]) * amounts[label_of(attributes[a])]);
  }

 private:
  std::size_t count_rows(std::span<const Index> attributes) const {
    std::size_t count = 0;
    while (count < attributes.size() && attributes[count] < rows_) ++count;
    return count;
  }
  void spread_labels(Sequence& packed, std::size_t t) const;
  Index label_of(Index attribute) const { return static_cast<Index>((attribute - rows_) >> bits_); }
  std::size_t weight_of(Index attribute) const {  // rows · width + p
    return rows_ * width_ + ((attribute - rows_) & ((std::size_t{1} << bits_) - 1));
  }

  static constexpr Index kNone = static_cast<Index>(-1);

  std::size_t rows_ = 0, width_;
  unsigned bits_;             // of the number of a pair
  std::vector<Index> label_;  // of each pair
  std::vector<Index> row_;    // of each observed attribute, or kNone
  std::vector<Index> pair_;   // the first of each observed attribute, and the end
  std::vector<Index> places_;
};

}  // namespace hinge
