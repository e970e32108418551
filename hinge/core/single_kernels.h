// What kernels.h has for rows of weights, in single precision.
#pragma once

#include <cstddef>

#include "hinge/core/vector.h"

namespace hinge::kernels {

// out[k] += Σ_a value[a] · w[row[a] · labels + k]; a null `value` means ones.
void add_rows(float* out, std::size_t labels, const Index* row, const float* value, std::size_t rows,
              const float* w);

// Its adjoint, where weights have shares of what they are given (null: 1, but 0 of a weight that is −0): with
// v = factor · value[a] · in[k], w += share · v. Returns Σ v (2 w + share · v), w before each addition.
double move_rows(float* w, const float* share, std::size_t labels, const Index* row, const float* value,
                 std::size_t rows, const float* in, float factor);

}  // namespace hinge::kernels
