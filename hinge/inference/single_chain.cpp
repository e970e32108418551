#include "hinge/inference/single_chain.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hinge/core/clones.h"

// g++ 12 takes arrays of vectors in a cloned function for uninitialised.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// A row of K ≥ 8 numbers is read and written in lanes of eight without padding: the last lane ends with the row and
// repeats some of the one before. Where lanes are summed, `fresh` is 1 for what the last one has alone.

namespace hinge {
namespace {

using single::at;
using single::kLane;
using SingleLane = single::Lane;

[[gnu::always_inline]] inline std::size_t place(std::size_t k, std::size_t size) {
  return k + kLane <= size ? k : size - kLane;
}
[[gnu::always_inline]] inline void mark_fresh(std::size_t size, SingleLane& fresh) {
  const std::size_t again = (kLane - size % kLane) % kLane;
  for (std::size_t k = 0; k < kLane; ++k) fresh[k] = k < again ? 0.0f : 1.0f;
}

// finish(k, x, last) for the lanes x of Σ_a in[a] · matrix[a], which begin at k; in two sums, since one would wait for
// each addition before the next.
template <std::size_t Lanes, class Finish>
[[gnu::always_inline]] inline void lane_columns(const float* in, const float* matrix, std::size_t labels,
                                                std::size_t first, std::size_t last, const Finish& finish) {
  SingleLane even[Lanes], odd[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) even[b] = odd[b] = SingleLane{};
  const auto add = [&](SingleLane * sums, std::size_t a) __attribute__((always_inline)) {
    const float* row = matrix + a * labels;
    for (std::size_t b = 0; b + 1 < Lanes; ++b) sums[b] += in[a] * at(row + first + b * kLane);
    sums[Lanes - 1] += in[a] * at(row + last);
  };
  std::size_t a = 0;
  for (; a + 2 <= labels; a += 2) {
    add(even, a);
    add(odd, a + 1);
  }
  if (a < labels) add(even, a);
  for (std::size_t b = 0; b + 1 < Lanes; ++b) finish(first + b * kLane, even[b] += odd[b], false);
  finish(last, even[Lanes - 1] += odd[Lanes - 1], last + kLane == labels);
}
template <class Finish>
[[gnu::always_inline]] inline void lane_multiply(const float* in, const float* matrix, std::size_t labels,
                                                 const Finish& finish) {
  const std::size_t last = labels - kLane;
  std::size_t first = 0;
  for (; first + 4 * kLane < labels; first += 4 * kLane)
    lane_columns<4>(in, matrix, labels, first, first + 3 * kLane, finish);
  switch ((labels - first + kLane - 1) / kLane) {
    case 4:
      return lane_columns<4>(in, matrix, labels, first, last, finish);
    case 3:
      return lane_columns<3>(in, matrix, labels, first, last, finish);
    case 2:
      return lane_columns<2>(in, matrix, labels, first, last, finish);
    case 1:
      return lane_columns<1>(in, matrix, labels, first, last, finish);
  }
}

// out[a] = factor[a] ∘ Σ_t scale[t] · left[t][a] · right[t] of the rows a and a + Next, over Lanes lanes
template <std::size_t Lanes, std::size_t Next>
[[gnu::always_inline]] inline void lane_products(float* out, const float* factor, const float* scale,
                                                 const float* left, const float* right, std::size_t rows,
                                                 std::size_t labels, std::size_t first, std::size_t last) {
  SingleLane one[Lanes], two[Lanes];
  for (std::size_t b = 0; b < Lanes; ++b) one[b] = two[b] = SingleLane{};
  for (std::size_t t = 0; t < rows; ++t) {
    const float *l = left + t * labels, *r = right + t * labels;
    const float here = l[0] * scale[t], next = l[Next] * scale[t];
    for (std::size_t b = 0; b < Lanes; ++b) {
      const SingleLane& value = at(r + (b + 1 < Lanes ? first + b * kLane : last));
      one[b] += here * value;
      if (Next > 0) two[b] += next * value;
    }
  }
  for (std::size_t b = 0; b < Lanes; ++b) {
    const std::size_t k = b + 1 < Lanes ? first + b * kLane : last;
    at(out + k) = one[b] * at(factor + k);
    if (Next > 0) at(out + Next * labels + k) = two[b] * at(factor + Next * labels + k);
  }
}
template <std::size_t Next>
[[gnu::always_inline]] inline void lane_rows(float* out, const float* factor, const float* scale,
                                             const float* left, const float* right, std::size_t rows,
                                             std::size_t labels) {
  const std::size_t last = labels - kLane;
  std::size_t first = 0;
  for (; first + 4 * kLane < labels; first += 4 * kLane)
    lane_products<4, Next>(out, factor, scale, left, right, rows, labels, first, first + 3 * kLane);
  switch ((labels - first + kLane - 1) / kLane) {
    case 4:
      return lane_products<4, Next>(out, factor, scale, left, right, rows, labels, first, last);
    case 3:
      return lane_products<3, Next>(out, factor, scale, left, right, rows, labels, first, last);
    case 2:
      return lane_products<2, Next>(out, factor, scale, left, right, rows, labels, first, last);
    case 1:
      return lane_products<1, Next>(out, factor, scale, left, right, rows, labels, first, last);
  }
}

// exponential = exp((pairs − top) / τ) and its transpose. Returns top; NaN where the scores are too far apart.
HINGE_CLONES float lane_edges(const float* pairs, std::size_t labels, float temperature, float* exponential,
                              float* transposed) {
  constexpr float kFarthest = 60;
  const std::size_t size = labels * labels;
  SingleLane above = at(pairs), below = -above;
  for (std::size_t p = kLane; p < size; p += kLane) {
    const SingleLane& here = at(pairs + place(p, size));
    single::raise(above, here);
    single::raise(below, -here);
  }
  const float high = single::largest(above), low = -single::largest(below), inverse = 1 / temperature;
  if (!(high - low <= kFarthest * temperature)) return NAN;
  for (std::size_t p = 0; p < size; p += kLane) {
    const std::size_t k = place(p, size);
    SingleLane x = inverse * (at(pairs + k) - high);
    single::exponentiate(x);
    at(exponential + k) = x;
  }
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) transposed[b * labels + a] = exponential[a * labels + b];
  return high;
}

// emission[t] = exp((node[t] − top[t]) / τ), top[t] the best label of the position. False where there is none.
HINGE_CLONES bool lane_emissions(const float* node, std::size_t length, std::size_t labels, float temperature,
                                 float* emission, float* top) {
  constexpr float kNone = -1e29f;
  const float inverse = 1 / temperature;
  for (std::size_t t = 0; t < length; ++t, node += labels, emission += labels) {
    SingleLane above = at(node);
    for (std::size_t k = kLane; k < labels; k += kLane) single::raise(above, at(node + place(k, labels)));
    const float best = top[t] = single::largest(above);
    if (!(best > kNone)) return false;
    for (std::size_t k = 0; k < labels; k += kLane) {
      const std::size_t here = place(k, labels);
      SingleLane x = inverse * (at(node + here) - best);
      single::exponentiate(x);
      at(emission + here) = x;
    }
  }
  return true;
}

// forward[t][b] ∝ Σ over paths up to t that end in b. Each row is divided by the sum of the one before, which is
// known while it is made; over[t] is 1 / the sum of row t. Returns the logarithm of the product of all sums.
HINGE_CLONES double lane_forward(std::size_t length, std::size_t labels, const float* exponential,
                                 const float* emission, float* forward, float* over) {
  constexpr std::size_t kAtOnce = 8;  // sums are at least e^-60: so many have a product
  SingleLane fresh;
  mark_fresh(labels, fresh);
  double logarithm = 0, product = 1;
  for (std::size_t t = 0; t < length; ++t) {
    const float* e = emission + t * labels;
    float* row = forward + t * labels;
    SingleLane sums = {};
    const float before = t > 0 ? over[t - 1] : 1;
    const auto finish = [&](std::size_t k, SingleLane & x, bool last) __attribute__((always_inline)) {
      x *= at(e + k) * before;
      at(row + k) = x;
      if (last)
        sums += x * fresh;
      else
        sums += x;
    };
    if (t > 0)
      lane_multiply(row - labels, exponential, labels, finish);
    else
      for (std::size_t k = 0; k < labels; k += kLane) {
        SingleLane one = SingleLane{} + 1;
        finish(place(k, labels), one, k + kLane >= labels);
      }
    const float sum = single::sum(sums);
    over[t] = 1 / sum;
    product *= static_cast<double>(sum);
    if (t % kAtOnce == kAtOnce - 1) {
      logarithm += std::log(product);
      product = 1;
    }
  }
  return logarithm + std::log(product);
}

// Marginals of positions become node. backward[t] = emission[t] ∘ beta[t] over the sum of forward's row before; then
// forward[t] ∘ beta[t] sum to the same at all t, up to rounding, which over[t], 1 / that sum, takes away. Returns
// Σ_t <node[t], score[t] − top[t]>.
HINGE_CLONES double lane_backward(std::size_t length, std::size_t labels, const float* transposed,
                                  const float* forward, const float* emission, const float* score,
                                  const float* top, float* backward, float* room, float* over, float* node) {
  SingleLane fresh;
  mark_fresh(labels, fresh);
  double above = 0;
  for (std::size_t t = length; t-- > 0;) {
    const float *alpha = forward + t * labels, *e = emission + t * labels;
    float* into = backward + t * labels;
    SingleLane sums = {};
    const float before = t > 0 ? over[t - 1] : 1;
    const auto finish = [&](std::size_t k, SingleLane & beta, bool last) __attribute__((always_inline)) {
      const SingleLane both = at(alpha + k) * beta;
      at(room + k) = both;
      at(into + k) = at(e + k) * beta * before;
      if (last)
        sums += both * fresh;
      else
        sums += both;
    };
    if (t + 1 < length)
      lane_multiply(into + labels, transposed, labels, finish);
    else
      for (std::size_t k = 0; k < labels; k += kLane) {
        SingleLane one = SingleLane{} + 1;
        finish(place(k, labels), one, k + kLane >= labels);
      }
    over[t] = 1 / single::sum(sums);
    const float* s = score + t * labels;
    float* marginal = node + t * labels;
    SingleLane higher = {};
    for (std::size_t k = 0; k < labels; k += kLane) {
      const std::size_t here = place(k, labels);
      const SingleLane amount = at(room + here) * over[t];
      at(marginal + here) = amount;
      const SingleLane difference = amount * (at(s + here) - top[t]);
      if (k == here)
        higher += difference;
      else
        higher += difference * fresh;
    }
    above += static_cast<double>(single::sum(higher));
  }
  return above;
}

// pairs = Σ_t over[t] · forward[t] ⊗ backward[t + 1] ∘ exponential. Returns <pairs, score − top>.
HINGE_CLONES double lane_pairs(std::size_t length, std::size_t labels, const float* exponential,
                               const float* forward, const float* backward, const float* over,
                               const float* score, float top, float* pairs) {
  std::size_t a = 0;
  for (; a + 2 <= labels; a += 2)
    lane_rows<1>(pairs + a * labels, exponential + a * labels, over, forward + a, backward + labels,
                 length - 1, labels);
  if (a < labels)
    lane_rows<0>(pairs + a * labels, exponential + a * labels, over, forward + a, backward + labels,
                 length - 1, labels);
  SingleLane fresh, higher = {};
  const std::size_t size = labels * labels;
  mark_fresh(size, fresh);
  for (std::size_t p = 0; p < size; p += kLane) {
    const std::size_t k = place(p, size);
    const SingleLane difference = at(pairs + k) * (at(score + k) - top);
    if (k == p)
      higher += difference;
    else
      higher += difference * fresh;
  }
  return static_cast<double>(single::sum(higher));
}

}  // namespace

bool SingleChain::solve(std::span<const float> scores, std::size_t length, std::size_t labels,
                        double temperature, std::span<float> counts, SoftValue& out) {
  assert(labels >= kLeastLabels);
  out = {};
  if (length == 0) return true;
  const std::size_t nodes = length * labels, pairs = labels * labels;
  const auto tau = static_cast<float>(temperature);
  for (Room* room : {&forward_, &backward_, &emission_})
    if (room->size() < nodes) room->resize(nodes);
  for (Room* room : {&exponential_, &transposed_})
    if (room->size() < pairs) room->resize(pairs);
  for (Room* room : {&top_, &over_})
    if (room->size() < length) room->resize(length);
  if (row_.size() < labels) row_.resize(labels);
  float shift = 0;
  if (length > 1) shift = lane_edges(&scores[nodes], labels, tau, exponential_.data(), transposed_.data());
  if (std::isnan(shift)) return false;
  if (!lane_emissions(scores.data(), length, labels, tau, emission_.data(), top_.data())) return false;
  const double logarithm =
      lane_forward(length, labels, exponential_.data(), emission_.data(), forward_.data(), over_.data());
  double above =
      lane_backward(length, labels, transposed_.data(), forward_.data(), emission_.data(), scores.data(),
                    top_.data(), backward_.data(), row_.data(), over_.data(), counts.data());
  if (length > 1)
    above += lane_pairs(length, labels, exponential_.data(), forward_.data(), backward_.data(), over_.data(),
                        &scores[nodes], shift, &counts[nodes]);
  double tops = static_cast<double>(length - 1) * static_cast<double>(shift);
  for (std::size_t t = 0; t < length; ++t) tops += static_cast<double>(top_[t]);
  out.value = temperature * logarithm + tops;
  out.entropy = temperature * logarithm - above;
  return true;
}

}  // namespace hinge
