#include "hinge/tasks/sequence_class/sequence_class.h"

#include "hinge/core/workspace.h"

#include <algorithm>
#include <numeric>

namespace hinge {

SequenceClassTask::SequenceClassTask(const Shape& shape) : shape_(shape), rows_(shape.channels) {
  std::iota(rows_.begin(), rows_.end(), Index{0});
  const std::size_t pairs = shape.classes * shape.states;
  class_states_ = static_cast<Index>(shape.channels * shape.columns());
  transitions_ = class_states_ + static_cast<Index>(pairs);
  dimension_ = transitions_ + static_cast<Index>(pairs * shape.states);
}

void SequenceClassTask::score(const Frames& x, Weights w, ClassScores& scores) const {
  const std::size_t T = x.length(), C = shape_.classes, H = shape_.states, columns = shape_.columns();
  Vector& row = scratch<Vector, struct SequenceClassRow>();
  scores.shape(C, T, H);
  for (std::size_t t = 0; t < T; ++t) {
    row.assign(columns, 0.0);
    kernels::add_rows(row.data(), columns, rows_.data(), x.frame(t), shape_.channels, w.data());
    for (std::size_t c = 0; c < C; ++c) {
      const double* own = row.data() + (shape_.own_states ? c * H : 0);
      const double* bias = w.data() + class_states_ + c * H;
      double* node = scores.chain(c).node(t);
      for (std::size_t h = 0; h < H; ++h) node[h] = own[h] + bias[h];
    }
  }
  const double* pairs = w.data() + transitions_;
  for (std::size_t c = 0; c < C; ++c)
    for (std::size_t a = 0; a < H; ++a) std::copy_n(pairs + (c * H + a) * H, H, scores.chain(c).edge(a));
}

void SequenceClassTask::channel_features(const Frames& x, const ClassCounts& counts, Vector& uses,
                                         Vector& sums) const {
  const std::size_t H = shape_.states, columns = shape_.columns();
  uses.assign(x.length() * columns, 0.0);
  counts.for_each_node([&](std::size_t c, std::size_t t, int h, double amount) {
    uses[t * columns + (shape_.own_states ? c * H : 0) + static_cast<std::size_t>(h)] += amount;
  });
  sums.assign(shape_.channels * columns, 0.0);
  for (std::size_t t = 0; t < x.length(); ++t)
    for (std::size_t d = 0; d < shape_.channels; ++d) {
      const double value = x.frame(t)[d];
      const double* __restrict from = uses.data() + t * columns;
      double* __restrict to = sums.data() + d * columns;
      for (std::size_t k = 0; k < columns; ++k) to[k] += value * from[k];
    }
}

void SequenceClassTask::class_features(const ClassCounts& counts, Vector& sums) const {
  const std::size_t H = shape_.states, first_pair = transitions_ - class_states_;
  sums.assign(dimension_ - class_states_, 0.0);
  counts.for_each_node([&](std::size_t c, std::size_t, int h, double amount) {
    sums[c * H + static_cast<std::size_t>(h)] += amount;
  });
  counts.for_each_edge([&](std::size_t c, int a, int b, double amount) {
    sums[first_pair + (c * H + static_cast<std::size_t>(a)) * H + static_cast<std::size_t>(b)] += amount;
  });
}

// Frames times weights and back, then the chains; contiguous, so that eight multiplications are one.
double SequenceClassTask::work(const Frames& x) const {
  const auto multiply = static_cast<double>(2 * shape_.channels * shape_.columns() +
                                            3 * shape_.classes * shape_.states * shape_.states);
  return static_cast<double>(x.length()) * multiply / 8 + 2 * static_cast<double>(dimension_);
}

}  // namespace hinge
