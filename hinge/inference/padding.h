// Rows of `labels` numbers, one behind the other or `stride` apart with zeros between. Both return the end of
// what stands close together.
#pragma once

#include <algorithm>
#include <cstddef>

namespace hinge {

inline double* drop_padding(const double* in, std::size_t rows, std::size_t labels, std::size_t stride,
                            double* out) {
  for (std::size_t r = 0; r < rows; ++r, in += stride) out = std::copy_n(in, labels, out);
  return out;
}

inline const double* add_padding(const double* in, std::size_t rows, std::size_t labels, std::size_t stride,
                                 double* out) {
  for (std::size_t r = 0; r < rows; ++r, in += labels, out += stride)
    std::fill(std::copy_n(in, labels, out), out + stride, 0.0);
  return in;
}

}  // namespace hinge
