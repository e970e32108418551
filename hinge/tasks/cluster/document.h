// What a task knows of a document: n items and the features of each pair. Pairs with the same features share
// a row, so that the hundred thousands of pairs of a large document cost one number each:
//
//     score of (i, j) = Σ_f x_row[f] w[f],     row = row_of[pair]
//
// Pairs stand as in inference/pair_scores.h: by their later items, then by their earlier ones.
#pragma once

#include "hinge/oracle/sink.h"
#include "hinge/tasks/feature_rows.h"

namespace hinge {

struct Document {
  std::size_t items = 0;
  FeatureRows rows;
  std::vector<Index> row_of;  // of each pair

  std::size_t bytes() const {
    return sizeof(Index) * (rows.start.capacity() + rows.attribute.capacity() + row_of.capacity()) +
           sizeof(float) * rows.value.capacity();
  }
};

// out[p] = the score of pair p
void score_pairs(const Document& x, Weights w, std::span<double> out);

// The adjoint: pours Σ_p amount_p x_p of the pairs that are added.
class PairFeatures {
 public:
  explicit PairFeatures(const Document& x) : x_(x), sums_(of_thread()) {
    sums_.rows.assign(x.rows.length(), 0.0);
  }
  void add(std::size_t pair, double amount) { sums_.rows[x_.row_of[pair]] += amount; }

  template <class Sink>
  void pour(Index dimension, Sink& sink) const {
    const std::span<const double> sums = add_up(dimension);
    if (!sums.empty()) return sink.add_row(0, sums, 1.0);
    for (std::size_t r = 0; r < x_.rows.length(); ++r)
      for (std::size_t k = x_.rows.start[r]; sums_.rows[r] != 0 && k < x_.rows.start[r + 1]; ++k)
        sink.add(x_.rows.attribute[k], sums_.rows[r] * x_.rows.value_of(k));
  }

 private:
  struct Sums {
    Vector rows, features;
  };
  static Sums& of_thread();  // whose storage is reused
  // The whole vector, where it is short enough; else nothing.
  std::span<const double> add_up(Index dimension) const;

  const Document& x_;
  Sums& sums_;
};

}  // namespace hinge
