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
#include "hinge/tasks/sequence/packed_sequence.h"

namespace hinge {

class PackedEmissions {
 public:
  using Input = PackedSequence;

  explicit PackedEmissions(const Emissions& observed);  // that can be packed
  // Not where all pairs have weights, or numbers of pairs and labels do not share an Index.
  static bool packs(const Emissions& observed);

  std::size_t size() const { return rows_ * width_ + label_.size(); }
  // Where each weight of the observed emissions stands among these.
  const std::vector<Index>& places() const { return places_; }
  PackedSequence pack(const Sequence& x) const;

  // out[k] += the score of position t for label k; out is padded to width
  void score(const PackedSequence& x, std::size_t t, std::span<const double> w, double* out) const {
    const std::span<const Index> rows = x.rows(t), pairs = x.pairs(t);
    kernels::add_rows(out, width_, rows.data(), x.values(rows), rows.size(), w.data());
    if (const float* value = x.values(pairs); value == nullptr)
      for (const Index pair : pairs) out[label_of(pair)] += w[weight_of(pair)];
    else
      for (std::size_t a = 0; a < pairs.size(); ++a)
        out[label_of(pairs[a])] += value[a] * w[weight_of(pairs[a])];
  }
  // The same of all positions in single precision, into rows of `labels` numbers that stand close together; they are
  // written up to width, so that `out` has room behind the last.
  void score(const PackedSequence& x, std::span<const float> w, std::size_t labels, float* out) const;

  // Pours amount · the features of label k at position t.
  template <class Sink>
  void features(const PackedSequence& x, std::size_t t, Index k, double amount, Sink& sink) const {
    const std::span<const Index> rows = x.rows(t), pairs = x.pairs(t);
    for (std::size_t a = 0; a < rows.size(); ++a)
      sink.add(static_cast<Index>(rows[a] * width_ + k), amount * x.value_of(rows, a));
    for (std::size_t a = 0; a < pairs.size(); ++a)
      if (label_of(pairs[a]) == k)
        sink.add(static_cast<Index>(weight_of(pairs[a])), amount * x.value_of(pairs, a));
  }

  // Pours amounts[k] · the features of every label k at position t; amounts are padded to width.
  template <class Sink>
  void features(const PackedSequence& x, std::size_t t, const double* amounts, Sink& sink) const {
    const std::span<const Index> rows = x.rows(t), pairs = x.pairs(t);
    sink.add_rows(rows, x.values(rows), {amounts, width_});
    for (std::size_t a = 0; a < pairs.size(); ++a)
      sink.add(static_cast<Index>(weight_of(pairs[a])),
               static_cast<double>(x.value_of(pairs, a)) * amounts[label_of(pairs[a])]);
  }
  // Σ value² · share over the weights of label k at position t, with which its attributes were seen; null shares are ones
  double squared_norm(const PackedSequence& x, std::size_t t, Index k, const float* share) const {
    if (share == nullptr && x.value.empty()) {
      std::size_t count = x.rows(t).size();
      for (const Index pair : x.pairs(t)) count += label_of(pair) == k;
      return static_cast<double>(count);
    }
    struct {
      const float* share;
      double sum = 0;
      void add(Index j, double value) {
        sum += value * value * (share == nullptr ? 1.0 : static_cast<double>(share[j]));
      }
    } squares{share};
    features(x, t, k, 1, squares);
    return squares.sum;
  }

  // Moves weights by factor · the features of all positions in single precision, amounts as `score` wrote them, but
  // none behind the last. Returns by how much |w|² grows (MovingSinkOf in oracle/sink.h).
  double move(const PackedSequence& x, std::span<const float> amounts, std::size_t labels, float factor,
              std::span<float> w, const float* share) const;

 private:
  void spread_labels(std::span<Index> pairs) const;
  Index label_of(Index pair) const { return pair >> bits_; }
  std::size_t weight_of(Index pair) const { return pair & ((Index{1} << bits_) - 1); }

  static constexpr Index kNone = static_cast<Index>(-1);

  std::size_t rows_ = 0, width_;
  unsigned bits_;             // of the number of a weight
  std::vector<Index> label_;  // of each pair
  std::vector<Index> row_;    // of each observed attribute, or kNone
  std::vector<Index> pair_;   // the first of each observed attribute, and the end
  std::vector<Index> places_;
};

}  // namespace hinge
