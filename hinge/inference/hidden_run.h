// A run of hidden positions of a chain, summed out at temperature τ into a table from what stands before it
// (a row) to the label after it (a column):
//
//     arrive_0[r][k]   = edge[r][k], or 0 in a single row where nothing stands before it
//     arrive_j+1[r][b] = T_τ over k of ( arrive_j[r][k] + node_j[k] + edge[k][b] )
//
// The table is the last arrival. Time K² a position and row, by products of exponentials where the caller
// knows them to be safe (see Chain), else by smooth_max of the scores themselves.
#pragma once

#include <span>

#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"

namespace hinge {

// Pair scores, rows of K numbers of stride S, in the direction of the run.
struct RunEdges {
  std::size_t labels = 0, stride = 0;
  const double* scores = nullptr;
  // exp((scores − shift) / τ) and its transpose; null where products are not safe.
  const double* exponential = nullptr;
  const double* transposed = nullptr;
  double shift = 0;
};

class HiddenRun {
 public:
  enum class Before { label, nothing };

  // `nodes` holds the row of scores of each hidden position, in order. All must stay for add_counts and
  // table, which need `keep`.
  void sum_out(std::span<const double* const> nodes, Before before, const RunEdges& edges, double temperature,
               bool keep);

  // Rows of the edges' stride, one after the other.
  const double* table() const { return table_.data(); }
  double entry(std::size_t row, std::size_t b) const {
    const std::size_t k = row * edges_.stride + b;
    return by_products_ ? scale_[row] + temperature_ * std::log(last_[k]) : last_[k];
  }
  // to[b] = max over r of (from[r] + table[r][b])
  void maximise(const double* from, double* to);

  // Adds how often each label and pair of the run is used when table[r][b] is, weight[r][b] times. `weight`
  // is overwritten; node_counts[j] is the row of position j.
  void add_counts(double* weight, std::span<double* const> node_counts, double* edge_counts);

 private:
  bool multiply_out();
  void maximise_out();
  double* arrival(std::size_t j) { return arrivals_.data() + (keep_ ? j : j % 2) * rows_ * edges_.stride; }
  double* used(std::size_t j) { return used_.data() + (keep_ ? j : 0) * rows_ * edges_.stride; }
  void divide_back(double* weight, std::span<double* const> node_counts, double* edge_counts);
  void trace_back(double* weight, std::span<double* const> node_counts, double* edge_counts);

  std::span<const double* const> nodes_;
  RunEdges edges_;
  double temperature_ = 0;
  std::size_t rows_ = 0;
  bool keep_ = false, by_products_ = false, from_labels_ = false;
  Vector arrivals_;  // of each position, and the last
  Vector used_;      // by products: arrival ∘ exp(node), each row scaled to sum 1
  const double* last_ = nullptr;
  Vector table_, scale_, emission_, terms_, work_;
};

}  // namespace hinge
