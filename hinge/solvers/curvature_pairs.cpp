#include "hinge/solvers/curvature_pairs.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace hinge {
namespace {

using Lane = double __attribute__((vector_size(32)));
using HalfLane = float __attribute__((vector_size(16)));
constexpr std::size_t kLane = 4;

void load(const float* from, Lane& lane) {
  HalfLane half;
  std::memcpy(&half, from, sizeof half);
  lane = __builtin_convertvector(half, Lane);
}

void load(const double* from, Lane& lane) { std::memcpy(&lane, from, sizeof lane); }

// <s, g>, <y, g>, <s, z>, <y, z>
using Products = std::array<double, 4>;

Products products(const float* s, const float* y, const double* g, const float* z, std::size_t count) {
  Lane sum[4] = {};
  std::size_t j = 0;
  for (; j + kLane <= count; j += kLane) {
    Lane sj, yj, gj, zj;
    load(s + j, sj);
    load(y + j, yj);
    load(g + j, gj);
    load(z + j, zj);
    sum[0] += sj * gj;
    sum[1] += yj * gj;
    sum[2] += sj * zj;
    sum[3] += yj * zj;
  }
  Products out;
  for (std::size_t k = 0; k < 4; ++k) out[k] = (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
  for (; j < count; ++j) {
    const double sj = s[j], yj = y[j];
    out[0] += sj * g[j];
    out[1] += yj * g[j];
    out[2] += sj * z[j];
    out[3] += yj * z[j];
  }
  return out;
}

}  // namespace

CurvaturePairs::CurvaturePairs(std::size_t capacity, const WeightShares& shares)
    : shares_(shares), slots_(capacity) {
  for (Pair& pair : slots_) {
    pair.s_y.resize(capacity);
    pair.y_y.resize(capacity);
  }
}

double CurvaturePairs::direction(const Step* step, Weights gradient, std::span<double> direction) {
  assert(gradient.size() == shares_.size() && (step != nullptr || empty()));
  if (step != nullptr) {
    make_room();
    take_products(*step, gradient);
    const auto curvature = [&] { return slots_[order_.back()].s_y[order_.back()]; };
    if (!(curvature() > 0)) order_.pop_back();
    if (!empty()) weigh_pairs(curvature() / slots_[order_.back()].y_y[order_.back()]);
  }
  return combine_pairs(gradient, direction);
}

void CurvaturePairs::make_room() {
  std::size_t slot = order_.size();
  if (slot == slots_.size()) {
    slot = order_.front();
    order_.erase(order_.begin());
  }
  order_.push_back(slot);
  slots_[slot].s.resize(shares_.size());
  slots_[slot].y.resize(shares_.size());
}

void CurvaturePairs::take_products(const Step& step, Weights gradient) {
  const std::size_t last = order_.back();
  Pair& newest = slots_[last];
  Vector sums(4 * order_.size());
  shares_.sum(sums, [&](std::size_t begin, std::size_t end, std::span<double> sum) {
    for (std::size_t j = begin; j < end; ++j) {
      newest.s[j] = static_cast<float>(step.to[j] - step.from[j]);
      newest.y[j] = static_cast<float>(step.gradient_to[j] - step.gradient_from[j]);
    }
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Pair& pair = slots_[order_[k]];
      const Products block =
          products(&pair.s[begin], &pair.y[begin], &gradient[begin], &newest.y[begin], end - begin);
      for (std::size_t n = 0; n < block.size(); ++n) sum[4 * k + n] += block[n];
    }
  });
  for (std::size_t k = 0; k < order_.size(); ++k) {
    Pair& pair = slots_[order_[k]];
    pair.s_g = sums[4 * k];
    pair.y_g = sums[4 * k + 1];
    pair.s_y[last] = sums[4 * k + 2];
    pair.y_y[last] = sums[4 * k + 3];
  }
  for (const std::size_t k : order_) newest.y_y[k] = slots_[k].y_y[last];
}

// The two-loop recursion
//
//     q ← g;   newest to oldest:  α_k ← <s_k, q> / <s_k, y_k>;   q ← q − α_k y_k
//     r ← γ q; oldest to newest:  β ← <y_k, r> / <s_k, y_k>;     r ← r + (α_k − β) s_k
//
// where q = g − Σ α_k y_k and r = γ q + Σ (α_k − β_k) s_k are known by their coefficients. It asks for <s_k,
// y_l> of an older k and a newer l only, which is why no product with a new s is taken.
void CurvaturePairs::weigh_pairs(double gamma) {
  gamma_ = gamma;
  const auto at = [&](std::size_t position) -> Pair& { return slots_[order_[position]]; };
  for (std::size_t k = order_.size(); k-- > 0;) {
    double product = at(k).s_g;
    for (std::size_t l = k + 1; l < order_.size(); ++l) product += at(l).y_weight * at(k).s_y[order_[l]];
    at(k).y_weight = -product / at(k).s_y[order_[k]];
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    double product = gamma * at(k).y_g;
    for (std::size_t l = 0; l < order_.size(); ++l) product += gamma * at(l).y_weight * at(k).y_y[order_[l]];
    for (std::size_t l = 0; l < k; ++l) product += at(l).s_weight * at(l).s_y[order_[k]];
    at(k).s_weight = -at(k).y_weight - product / at(k).s_y[order_[k]];
  }
}

// direction = −(γ (g + Σ y_weight y) + Σ s_weight s)
double CurvaturePairs::combine_pairs(Weights gradient, std::span<double> direction) const {
  const double gamma = empty() ? 1 : gamma_;
  double slope;
  shares_.sum({&slope, 1}, [&](std::size_t begin, std::size_t end, std::span<double> sum) {
    for (std::size_t j = begin; j < end; ++j) direction[j] = -gamma * gradient[j];
    for (const std::size_t k : order_) {
      const Pair& pair = slots_[k];
      const double by_s = -pair.s_weight, by_y = -gamma * pair.y_weight;
      const float* s = pair.s.data();
      const float* y = pair.y.data();
      double* p = direction.data();
      for (std::size_t j = begin; j < end; ++j) p[j] += by_s * s[j] + by_y * y[j];
    }
    sum[0] += dot(gradient.subspan(begin, end - begin), direction.subspan(begin, end - begin));
  });
  return slope;
}

}  // namespace hinge
