// The few inner loops that everything else waits for. Each is compiled for x86-64-v3 (AVX2, FMA) and for the
// baseline (clones.h), so that a portable build is a fast one.
//
// A row of per-label numbers is contiguous. `stride`, a multiple of kLane, is the distance between rows of a
// matrix, and rows are written up to it: what stands behind the last label is padding.
#pragma once

#include <cstddef>

#include "hinge/core/vector.h"

namespace hinge::kernels {

inline constexpr std::size_t kLane = 4;
inline std::size_t padded(std::size_t labels) { return (labels + kLane - 1) / kLane * kLane; }

// out[k] += Σ_a value[a] · w[row[a] · labels + k]; a null `value` means ones.
void add_rows(double* out, std::size_t labels, const Index* row, const float* value, std::size_t rows,
              const double* w);

// Its adjoint: w[row[a] · labels + k] += factor · value[a] · in[k]
void add_to_rows(double* w, std::size_t labels, const Index* row, const float* value, std::size_t rows,
                 const double* in, double factor);

// The same where weights have shares of what they are given (null: 1, but 0 of a weight that is −0): with
// v = factor · value[a] · in[k], w += share · v. Returns Σ v (2 w + share · v), w before each addition.
double move_rows(double* w, const double* share, std::size_t labels, const Index* row, const float* value,
                 std::size_t rows, const double* in, double factor);

// out[k] += Σ_a matrix[a][k], of rows of `stride` numbers
void add_rows(double* out, const double* matrix, std::size_t rows, std::size_t stride);

// out[k] *= Π_a matrix[a][k]
void multiply_rows(double* out, const double* matrix, std::size_t rows, std::size_t stride);

// out[b] = max_a (in[a] + matrix[a][b])
void max_plus(double* out, const double* in, const double* matrix, std::size_t labels, std::size_t stride);

// out[a][b] = max_c (left[a · row + c · column] + right[c][b]), over `inner` of c
void max_product(double* out, const double* left, std::size_t row, std::size_t column, const double* right,
                 std::size_t rows, std::size_t inner, std::size_t stride);

// out[b] = max_a (in[a] · matrix[a][b]), of numbers of 0 and more
void max_times(double* out, const double* in, const double* matrix, std::size_t labels, std::size_t stride);

// out[b] = Σ_a in[a] · matrix[a][b]
void multiply(double* out, const double* in, const double* matrix, std::size_t labels, std::size_t stride);

// out[b] becomes max(out[b], max_a matrix[a][b]), over those a where open[a][b] is 1, not 0
void merge_max(double* out, const double* matrix, const double* open, std::size_t rows, std::size_t stride);

// out[b] += Σ_a matrix[a][b] · open[a][b]
void merge_sum(double* out, const double* matrix, const double* open, std::size_t rows, std::size_t stride);

// out[a] = Σ_b matrix[a][b] · in[b] and sums[a][b] += left[a] · in[b], over `rows` rows; what stands behind
// the last label of `in` is 0.
void multiply_back(double* out, double* sums, const double* matrix, const double* left, const double* in,
                   std::size_t rows, std::size_t stride);

// matrix[a][b] += Σ_t left[t][a] · right[t][b], over `rows` rows of the same stride
void add_product(double* matrix, const double* left, const double* right, std::size_t rows,
                 std::size_t labels, std::size_t stride);

// out[k] = exp(factor · (in[k] − shift)), relative error below 2e-15; 0 below the normal range and for −∞.
// `count` is a multiple of kLane.
void exponential(double* out, const double* in, std::size_t count, double shift, double factor);

// out[k] = log(in[k]) of positive normal numbers, error below 1e-15 (1 + |log|). `count` is a multiple of
// kLane.
void logarithm(double* out, const double* in, std::size_t count);

// Σ_k value[k] · w[index[k]]
double sparse_dot(const Index* index, const double* value, std::size_t count, const double* w);
double sparse_dot(const Index* index, const float* value, std::size_t count, const double* w);

// out[r] = max_v table[v][r], over `rows` rows of `columns` numbers without padding
void column_maxima(double* out, const double* table, std::size_t rows, std::size_t columns);

// out[r] = T_τ over v of table[v][r], and each column becomes its softmax (all 0 where all are −∞; the
// first winner when τ = 0). The table has room for a whole number of lanes.
void soften_columns(double* out, double* table, std::size_t rows, std::size_t columns, double temperature);

// table[v][r] *= factor[r]; sums[v] = Σ_r table[v][r] after that
void scale_columns(double* table, const double* factor, double* sums, std::size_t rows, std::size_t columns);

// A message along an edge (see inference/belief_propagation.h). `in`, `belief` and the rows of `matrix` are
// padded; `scratch` has room for padded(rows) + stride numbers.
struct Passing {
  const double* belief;  // of the sender, over `rows` states
  double share;          // of the belief that the message takes
  const double* in;      // the message that came the other way
  const double* matrix;  // matrix[a][b], of the receiver's states b
  std::size_t rows, columns, stride;
  double* scratch;
};
// out[b] = max_a (share · belief[a] − in[a] + matrix[a][b]) − top, where top makes the largest 0 and is
// returned
double pass_maxima(double* out, const Passing& passing);
// out[b] = keep · out[b] + (1 − keep) · (τ log Σ_a exp((share · belief[a] − in[a]) / τ) · matrix[a][b] −
// top), where top makes the largest 0. Returns the largest change of out.
double pass_sums(double* out, const Passing& passing, double temperature, double keep);

// The same of exponentials: out[b] = keep · out[b] + (1 − keep) · Σ_a belief[a] / in[a] · matrix[a][b] / top.
// Returns the largest relative change.
double pass_products(double* out, const Passing& passing, double keep);

double maximum(const double* in, std::size_t count);

}  // namespace hinge::kernels
