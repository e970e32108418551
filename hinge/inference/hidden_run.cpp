#include "hinge/inference/hidden_run.h"

#include <algorithm>

namespace hinge {

void HiddenRun::sum_out(std::span<const double* const> nodes, Before before, const RunEdges& edges,
                        double temperature, bool keep) {
  nodes_ = nodes;
  edges_ = edges;
  temperature_ = temperature;
  keep_ = keep;
  from_labels_ = before == Before::label;
  rows_ = from_labels_ ? edges.labels : 1;
  const std::size_t size = rows_ * edges.stride, levels = keep ? nodes_.size() + 1 : 2;
  if (arrivals_.size() < levels * size) arrivals_.resize(levels * size);
  terms_.resize(edges.labels);
  by_products_ = edges.exponential != nullptr && multiply_out();
  if (!by_products_) maximise_out();
  last_ = arrival(nodes_.size());
  if (!keep) return;
  table_.assign(last_, last_ + size);
  if (!by_products_) return;
  kernels::logarithm(table_.data(), last_, size);
  for (std::size_t k = 0; k < size; ++k) table_[k] = scale_[k / edges.stride] + temperature * table_[k];
}

// Each row stays within e^300 of its largest number, as in Chain::sum_by_products. False when a position
// forbids every label.
bool HiddenRun::multiply_out() {
  const std::size_t K = edges_.labels, S = edges_.stride, size = rows_ * S;
  if (const std::size_t levels = keep_ ? nodes_.size() : 1; used_.size() < levels * size)
    used_.resize(levels * size);
  emission_.resize(S);
  if (from_labels_)
    std::copy_n(edges_.exponential, size, arrival(0));
  else
    std::fill_n(arrival(0), size, 1.0);
  scale_.assign(rows_, from_labels_ ? edges_.shift : 0.0);
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    const double top = kernels::maximum(nodes_[j], K);
    if (top == kForbidden) return false;
    kernels::exponential(emission_.data(), nodes_[j], S, top, 1 / temperature_);
    std::fill(emission_.begin() + static_cast<std::ptrdiff_t>(K), emission_.end(), 0.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      const double* in = arrival(j) + r * S;
      double* row = used(j) + r * S;
      double lane[kernels::kLane] = {};
      for (std::size_t k = 0; k < S; k += kernels::kLane)
        for (std::size_t l = 0; l < kernels::kLane; ++l) lane[l] += row[k + l] = in[k + l] * emission_[k + l];
      const double sum = (lane[0] + lane[1]) + (lane[2] + lane[3]), inverse = 1 / sum;
      for (std::size_t k = 0; k < S; ++k) row[k] *= inverse;
      scale_[r] += temperature_ * std::log(sum) + top + edges_.shift;
      kernels::multiply(arrival(j + 1) + r * S, row, edges_.exponential, K, S);
    }
  }
  return true;
}

void HiddenRun::maximise_out() {
  const std::size_t K = edges_.labels, S = edges_.stride, size = rows_ * S;
  if (from_labels_)
    std::copy_n(edges_.scores, size, arrival(0));
  else
    std::fill_n(arrival(0), size, 0.0);
  for (std::size_t j = 0; j < nodes_.size(); ++j)
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t b = 0; b < K; ++b) {
        for (std::size_t k = 0; k < K; ++k)
          terms_[k] = arrival(j)[r * S + k] + nodes_[j][k] + edges_.scores[k * S + b];
        arrival(j + 1)[r * S + b] = smooth_max(terms_, temperature_);
      }
}

// By products too: a row more than e^708 below the highest cannot win, since each stays within e^300.
void HiddenRun::maximise(const double* from, double* to) {
  const std::size_t K = edges_.labels, S = edges_.stride;
  if (!by_products_) return kernels::max_plus(to, from, last_, K, S);
  work_.assign(S, kForbidden);
  for (std::size_t r = 0; r < K; ++r) work_[r] = from[r] + scale_[r];
  const double top = kernels::maximum(work_.data(), K);
  if (top == kForbidden) {
    std::fill_n(to, K, kForbidden);
    return;
  }
  kernels::exponential(work_.data(), work_.data(), S, top, 1 / temperature_);
  kernels::max_times(to, work_.data(), last_, K, S);
  for (std::size_t b = 0; b < K; ++b) to[b] = top + temperature_ * std::log(to[b]);
}

void HiddenRun::add_counts(double* weight, std::span<double* const> node_counts, double* edge_counts) {
  if (by_products_)
    divide_back(weight, node_counts, edge_counts);
  else
    trace_back(weight, node_counts, edge_counts);
  if (from_labels_)
    for (std::size_t k = 0; k < rows_ * edges_.stride; ++k) edge_counts[k] += weight[k];
}

// weight / arrival, once more times the exponentials, is the gradient one position earlier.
void HiddenRun::divide_back(double* weight, std::span<double* const> node_counts, double* edge_counts) {
  const std::size_t K = edges_.labels, S = edges_.stride;
  for (std::size_t j = nodes_.size(); j-- > 0;) {
    for (std::size_t r = 0; r < rows_; ++r) {
      double* row = weight + r * S;
      for (std::size_t b = 0; b < K; ++b) row[b] /= arrival(j + 1)[r * S + b];
      std::fill(row + K, row + S, 0.0);
    }
    work_.assign(K * S, 0.0);
    kernels::add_product(work_.data(), used(j), weight, rows_, K, S);
    for (std::size_t k = 0; k < K * S; ++k) edge_counts[k] += work_[k] * edges_.exponential[k];
    for (std::size_t r = 0; r < rows_; ++r) {
      kernels::multiply(emission_.data(), weight + r * S, edges_.transposed, K, S);
      for (std::size_t k = 0; k < S; ++k)
        node_counts[j][k] += weight[r * S + k] = used(j)[r * S + k] * emission_[k];
    }
  }
}

void HiddenRun::trace_back(double* weight, std::span<double* const> node_counts, double* edge_counts) {
  const std::size_t K = edges_.labels, S = edges_.stride;
  for (std::size_t j = nodes_.size(); j-- > 0;) {
    work_.assign(rows_ * S, 0.0);
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t b = 0; b < K; ++b) {
        const double amount = weight[r * S + b];
        if (amount == 0) continue;
        for (std::size_t k = 0; k < K; ++k)
          terms_[k] = arrival(j)[r * S + k] + nodes_[j][k] + edges_.scores[k * S + b];
        smooth_max(terms_, temperature_, terms_);
        for (std::size_t k = 0; k < K; ++k) {
          work_[r * S + k] += amount * terms_[k];
          node_counts[j][k] += amount * terms_[k];
          edge_counts[k * S + b] += amount * terms_[k];
        }
      }
    std::ranges::copy(work_, weight);
  }
}

}  // namespace hinge
