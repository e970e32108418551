#include "hinge/inference/single_chain.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "hinge/core/clones.h"

// g++ 12 takes arrays of vectors in a cloned function for uninitialised.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Rows of scores and counts stand close together, K ≥ 8 numbers each, and are read and written in lanes of eight: the last
// lane ends with the row and repeats some of the one before (`place`). Rows of the rooms are S numbers, a multiple of eight,
// and aligned; what stands behind the last label is 0.

namespace hinge {
namespace {

using single::at;
using single::kLane;
using SingleLane = single::Lane;
// In rooms: at an address that is a multiple of the lane's size.
using WholeLane __attribute__((vector_size(kLane * sizeof(float)), may_alias)) = float;

[[gnu::always_inline]] inline WholeLane& whole(float* place) { return *reinterpret_cast<WholeLane*>(place); }
[[gnu::always_inline]] inline const WholeLane& whole(const float* place) {
  return *reinterpret_cast<const WholeLane*>(place);
}
constexpr std::size_t whole_lanes(std::size_t labels) { return (labels + kLane - 1) / kLane * kLane; }

[[gnu::always_inline]] inline std::size_t place(std::size_t k, std::size_t size) {
  return k + kLane <= size ? k : size - kLane;
}
// 1 for what the last lane of a row has alone, where lanes are summed.
[[gnu::always_inline]] inline void mark_fresh(std::size_t size, SingleLane& fresh) {
  const std::size_t again = (kLane - size % kLane) % kLane;
  for (std::size_t k = 0; k < kLane; ++k) fresh[k] = k < again ? 0.0f : 1.0f;
}
// 1 for the labels in the last lane of a row of a room.
[[gnu::always_inline]] inline void mark_labels(std::size_t labels, SingleLane& there) {
  const std::size_t last = labels - (whole_lanes(labels) - kLane);
  for (std::size_t k = 0; k < kLane; ++k) there[k] = k < last ? 1.0f : 0.0f;
}

// finish(k, x) for the lanes x of Σ_a in[a] · matrix[a], which begin at k; in several sums, since one would wait for
// each addition before the next.
template <std::size_t Lanes, class Finish>
[[gnu::always_inline]] inline void lane_columns(const float* in, const float* matrix, std::size_t labels,
                                                std::size_t stride, std::size_t first, const Finish& finish) {
  constexpr std::size_t kSums = Lanes == 4 ? 2 : 4;  // as registers allow
  SingleLane sums[kSums][Lanes];
  for (std::size_t s = 0; s < kSums; ++s)
    for (std::size_t b = 0; b < Lanes; ++b) sums[s][b] = SingleLane{};
  const float* row = matrix + first;
  std::size_t a = 0;
  for (; a + kSums <= labels; a += kSums, row += kSums * stride)
    for (std::size_t s = 0; s < kSums; ++s)
      for (std::size_t b = 0; b < Lanes; ++b) sums[s][b] += in[a + s] * whole(row + s * stride + b * kLane);
  for (; a < labels; ++a, row += stride)
    for (std::size_t b = 0; b < Lanes; ++b) sums[0][b] += in[a] * whole(row + b * kLane);
  for (std::size_t b = 0; b < Lanes; ++b) {
    for (std::size_t s = kSums / 2; s > 0; s /= 2)
      for (std::size_t k = 0; k < s; ++k) sums[k][b] += sums[k + s][b];
    finish(first + b * kLane, sums[0][b]);
  }
}
template <class Finish>
[[gnu::always_inline]] inline void lane_multiply(const float* in, const float* matrix, std::size_t labels,
                                                 std::size_t stride, const Finish& finish) {
  std::size_t first = 0;
  for (; first + 4 * kLane < stride; first += 4 * kLane)
    lane_columns<4>(in, matrix, labels, stride, first, finish);
  switch ((stride - first) / kLane) {
    case 4:
      return lane_columns<4>(in, matrix, labels, stride, first, finish);
    case 3:
      return lane_columns<3>(in, matrix, labels, stride, first, finish);
    case 2:
      return lane_columns<2>(in, matrix, labels, stride, first, finish);
    case 1:
      return lane_columns<1>(in, matrix, labels, stride, first, finish);
  }
}

// room[a] = factor[a] ∘ Σ_t scale[t] · left[t][a] · right[t] of Rows rows, over Lanes lanes
template <std::size_t Lanes, std::size_t Rows>
[[gnu::always_inline]] inline void lane_products(float* room, const float* factor, const float* scale,
                                                 const float* left, const float* right, std::size_t length,
                                                 std::size_t stride) {
  SingleLane sum[Rows][Lanes];
  for (std::size_t a = 0; a < Rows; ++a)
    for (std::size_t b = 0; b < Lanes; ++b) sum[a][b] = SingleLane{};
  for (std::size_t t = 0; t < length; ++t, left += stride, right += stride) {
    const float over = scale[t];
    for (std::size_t a = 0; a < Rows; ++a) {
      const float amount = left[a] * over;
      for (std::size_t b = 0; b < Lanes; ++b) sum[a][b] += amount * whole(right + b * kLane);
    }
  }
  for (std::size_t a = 0; a < Rows; ++a)
    for (std::size_t b = 0; b < Lanes; ++b)
      whole(room + a * stride + b * kLane) = sum[a][b] * whole(factor + a * stride + b * kLane);
}
template <std::size_t Rows>
[[gnu::always_inline]] inline void lane_rows(float* room, const float* factor, const float* scale,
                                             const float* left, const float* right, std::size_t length,
                                             std::size_t stride) {
  std::size_t first = 0;
  for (; first + 3 * kLane < stride; first += 3 * kLane)
    lane_products<3, Rows>(room + first, factor + first, scale, left, right + first, length, stride);
  switch ((stride - first) / kLane) {
    case 3:
      return lane_products<3, Rows>(room + first, factor + first, scale, left, right + first, length, stride);
    case 2:
      return lane_products<2, Rows>(room + first, factor + first, scale, left, right + first, length, stride);
    case 1:
      return lane_products<1, Rows>(room + first, factor + first, scale, left, right + first, length, stride);
  }
}

// exponential = exp((pairs − top) / τ) and its transpose, in rows of S. Returns top; NaN where the scores are too far
// apart.
HINGE_CLONES float lane_edges(const float* pairs, std::size_t labels, float temperature, float* exponential,
                              float* transposed) {
  constexpr float kFarthest = 60;
  const std::size_t size = labels * labels, stride = whole_lanes(labels);
  SingleLane above = at(pairs), below = -above;
  for (std::size_t p = kLane; p < size; p += kLane) {
    const SingleLane& here = at(pairs + place(p, size));
    single::raise(above, here);
    single::raise(below, -here);
  }
  const float high = single::largest(above), low = -single::largest(below), inverse = 1 / temperature;
  if (!(high - low <= kFarthest * temperature)) return NAN;
  SingleLane there;
  mark_labels(labels, there);
  const std::size_t last = stride - kLane;
  for (std::size_t a = 0; a < labels; ++a) {
    const float* from = pairs + a * labels;
    float* row = exponential + a * stride;
    for (std::size_t k = 0; k < last; k += kLane) {
      SingleLane x = inverse * (at(from + k) - high);
      single::exponentiate(x);
      whole(row + k) = x;
    }
    SingleLane x = {};
    if (a + 1 < labels)
      x = at(from + last);
    else
      for (std::size_t k = last; k < labels; ++k) x[k - last] = from[k];
    x = inverse * (x - high);
    single::exponentiate(x);
    whole(row + last) = x * there;
  }
  std::fill(exponential + labels * stride, exponential + stride * stride, 0.0f);
  for (std::size_t a = 0; a < stride; a += kLane)
    for (std::size_t b = 0; b < stride; b += kLane)
      single::transpose(exponential + a * stride + b, stride, transposed + b * stride + a, stride);
  return high;
}

// emission[t] = exp((node[t] − top[t]) / τ), top[t] the best label of the position. False where there is none.
HINGE_CLONES bool lane_emissions(const float* node, std::size_t length, std::size_t labels, float temperature,
                                 float* emission, float* top) {
  constexpr float kNone = -1e29f;
  const float inverse = 1 / temperature;
  const std::size_t stride = whole_lanes(labels), last = stride - kLane, rest = labels - last;
  SingleLane there;
  mark_labels(labels, there);
  for (std::size_t t = 0; t < length; ++t, node += labels, emission += stride) {
    SingleLane above = at(node);
    for (std::size_t k = kLane; k < labels; k += kLane) single::raise(above, at(node + place(k, labels)));
    const float best = top[t] = single::largest(above);
    if (!(best > kNone)) return false;
    for (std::size_t k = 0; k < last; k += kLane) {
      SingleLane x = inverse * (at(node + k) - best);
      single::exponentiate(x);
      whole(emission + k) = x;
    }
    SingleLane x = {};
    if (t + 1 < length)  // what is read beyond the row is the next one's
      x = at(node + last);
    else
      for (std::size_t k = 0; k < rest; ++k) x[k] = node[last + k];
    x = inverse * (x - best);
    single::exponentiate(x);
    whole(emission + last) = x * there;
  }
  return true;
}

// forward[t][b] ∝ Σ over paths up to t that end in b. Each row is divided by the sum of the one before, which is
// known while it is made; over[t] is 1 / the sum of row t. Returns the logarithm of the product of all sums.
HINGE_CLONES double lane_forward(std::size_t length, std::size_t labels, const float* exponential,
                                 const float* emission, float* forward, float* over) {
  constexpr std::size_t kAtOnce = 8;  // sums are at least e^-60: so many have a product
  const std::size_t stride = whole_lanes(labels);
  double logarithm = 0, product = 1;
  for (std::size_t t = 0; t < length; ++t) {
    const float* e = emission + t * stride;
    float* row = forward + t * stride;
    SingleLane sums = {};
    const float before = t > 0 ? over[t - 1] : 1;
    const auto finish = [&](std::size_t k, SingleLane & x) __attribute__((always_inline)) {
      x *= whole(e + k) * before;
      whole(row + k) = x;
      sums += x;
    };
    if (t > 0)
      lane_multiply(row - stride, exponential, labels, stride, finish);
    else
      for (std::size_t k = 0; k < stride; k += kLane) {
        SingleLane one = SingleLane{} + 1;
        finish(k, one);
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

// forward[t] ∘ beta[t] replaces emission[t]: marginals, which sum to the same at all t up to rounding; over[t] becomes
// 1 / that sum, which takes the rounding away. backward[t] = emission[t] ∘ beta[t] over the sum of forward's row before.
HINGE_CLONES void lane_backward(std::size_t length, std::size_t labels, const float* transposed,
                                const float* forward, float* emission, float* backward, float* over) {
  const std::size_t stride = whole_lanes(labels);
  for (std::size_t t = length; t-- > 0;) {
    const float* alpha = forward + t * stride;
    float *into = backward + t * stride, *e = emission + t * stride;
    SingleLane sums = {};
    const float before = t > 0 ? over[t - 1] : 1;
    const auto finish = [&](std::size_t k, SingleLane & beta) __attribute__((always_inline)) {
      const SingleLane both = whole(alpha + k) * beta;
      whole(into + k) = whole(e + k) * beta * before;
      whole(e + k) = both;
      sums += both;
    };
    if (t + 1 < length)
      lane_multiply(into + stride, transposed, labels, stride, finish);
    else
      for (std::size_t k = 0; k < stride; k += kLane) {
        SingleLane one = SingleLane{} + 1;
        finish(k, one);
      }
    over[t] = 1 / single::sum(sums);
  }
}

// Rows of a room, times over[t] each (null: 1), become rows that stand close together. Returns Σ_t <row, score[t] − top[t]>.
HINGE_CLONES double lane_counts(std::size_t length, std::size_t labels, const float* room, const float* over,
                                const float* score, const float* top, std::size_t top_step, float* counts) {
  const std::size_t stride = whole_lanes(labels), last = stride - kLane;
  double above = 0;
  for (std::size_t t = 0; t < length; ++t, room += stride, score += labels, counts += labels) {
    const float scale = over == nullptr ? 1 : over[t], best = top[t * top_step];
    SingleLane higher = {};
    for (std::size_t k = 0; k < last; k += kLane) {
      const SingleLane amount = whole(room + k) * scale;
      at(counts + k) = amount;
      higher += amount * (at(score + k) - best);
    }
    const SingleLane amount = whole(room + last) * scale;
    if (t + 1 < length) {  // the next row is written later, and its scores meet amounts of 0
      at(counts + last) = amount;
      higher += amount * (at(score + last) - best);
    } else {
      for (std::size_t k = last; k < labels; ++k) {
        counts[k] = amount[k - last];
        higher[k - last] += amount[k - last] * (score[k] - best);
      }
    }
    above += static_cast<double>(single::sum(higher));
  }
  return above;
}

// room = Σ_t over[t] · forward[t] ⊗ backward[t + 1] ∘ exponential
HINGE_CLONES void lane_pairs(std::size_t length, std::size_t labels, const float* exponential,
                             const float* forward, const float* backward, const float* over, float* room) {
  const std::size_t stride = whole_lanes(labels);
  const auto rows = [&]<std::size_t Rows>(std::size_t a) __attribute__((always_inline)) {
    lane_rows<Rows>(room + a * stride, exponential + a * stride, over, forward + a, backward + stride,
                    length - 1, stride);
  };
  std::size_t a = 0;
  for (; a + 4 <= labels; a += 4) rows.template operator()<4>(a);
  for (; a < labels; ++a) rows.template operator()<1>(a);
}

HINGE_CLONES void lane_odds(const float* node, const int* path, std::size_t length, std::size_t labels,
                            float temperature, float* out) {
  const float inverse = 1 / temperature;
  const SingleLane most = SingleLane{} + 60.0f;
  SingleLane fresh;
  mark_fresh(labels, fresh);
  for (std::size_t t = 0; t < length; ++t, node += labels) {
    const float own = node[path[t]];
    SingleLane sums = {};
    for (std::size_t k = 0; k < labels; k += kLane) {
      const std::size_t here = place(k, labels);
      SingleLane x = inverse * (at(node + here) - own);
      x = x < most ? x : most;
      single::exponentiate(x);
      if (k == here)
        sums += x;
      else
        sums += x * fresh;
    }
    out[t] = single::sum(sums) - 1;
    if (out[t] < 0) out[t] = 0;
  }
}

}  // namespace

void SingleChain::odds(std::span<const float> nodes, std::span<const int> path, std::size_t labels,
                       double temperature, std::span<float> out) {
  lane_odds(nodes.data(), path.data(), path.size(), labels, static_cast<float>(temperature), out.data());
}

bool SingleChain::solve(std::span<const float> scores, std::size_t length, std::size_t labels,
                        double temperature, std::span<float> counts, SoftValue& out) {
  assert(labels >= kLeastLabels);
  out = {};
  if (length == 0) return true;
  const std::size_t stride = whole_lanes(labels), nodes = length * labels;
  const auto tau = static_cast<float>(temperature);
  for (Room* room : {&forward_, &backward_, &emission_})
    if (room->size() < length * stride) room->resize(length * stride);
  for (Room* room : {&exponential_, &transposed_})
    if (room->size() < stride * stride) room->resize(stride * stride);
  for (Room* room : {&top_, &over_})
    if (room->size() < length) room->resize(length);
  float shift = 0;
  if (length > 1) shift = lane_edges(&scores[nodes], labels, tau, exponential_.data(), transposed_.data());
  if (std::isnan(shift)) return false;
  if (!lane_emissions(scores.data(), length, labels, tau, emission_.data(), top_.data())) return false;
  const double logarithm =
      lane_forward(length, labels, exponential_.data(), emission_.data(), forward_.data(), over_.data());
  lane_backward(length, labels, transposed_.data(), forward_.data(), emission_.data(), backward_.data(),
                over_.data());
  double above = lane_counts(length, labels, emission_.data(), over_.data(), scores.data(), top_.data(), 1,
                             counts.data());
  if (length > 1) {
    lane_pairs(length, labels, exponential_.data(), forward_.data(), backward_.data(), over_.data(),
               transposed_.data());
    above +=
        lane_counts(labels, labels, transposed_.data(), nullptr, &scores[nodes], &shift, 0, &counts[nodes]);
  }
  double tops = static_cast<double>(length - 1) * static_cast<double>(shift);
  for (std::size_t t = 0; t < length; ++t) tops += static_cast<double>(top_[t]);
  out.value = temperature * logarithm + tops;
  out.entropy = temperature * logarithm - above;
  // Sums of what comes behind grow with the pair scores' range to the power of two: they may leave what numbers hold.
  bool sound = std::isfinite(out.value) && std::isfinite(out.entropy);
  for (std::size_t t = 0; t < length; ++t) sound = sound && over_[t] > 0 && std::isfinite(over_[t]);
  return sound;
}

}  // namespace hinge
