#include "hinge/solvers/dual_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge/core/clones.h"
#include "hinge/solvers/apart.h"

namespace hinge {
namespace {

HINGE_CLONES void widen_row(const float* in, std::size_t size, double* out) {
  for (std::size_t p = 0; p < size; ++p) out[p] = in[p];
}
HINGE_CLONES void narrow_row(const double* in, std::size_t size, float* out) {
  for (std::size_t p = 0; p < size; ++p) out[p] = static_cast<float>(in[p]);
}
HINGE_CLONES void round_row(double* row, std::size_t size, float* out) {
  for (std::size_t p = 0; p < size; ++p) {
    out[p] = static_cast<float>(row[p]);
    row[p] = static_cast<double>(out[p]);
  }
}
HINGE_CLONES void round_difference(double* row, const double* label, std::size_t size, float* out) {
  for (std::size_t p = 0; p < size; ++p) {
    out[p] = static_cast<float>(label[p] - row[p]);
    row[p] = label[p] - static_cast<double>(out[p]);
  }
}
HINGE_CLONES void undo_difference(const float* in, const double* label, std::size_t size, double* out) {
  for (std::size_t p = 0; p < size; ++p) out[p] = label[p] - static_cast<double>(in[p]);
}
// out = from + step (to − from), in single precision
HINGE_CLONES void go(const double* from, const double* to, double step, std::size_t size, double* out) {
  for (std::size_t p = 0; p < size; ++p)
    out[p] = static_cast<double>(static_cast<float>(from[p] + step * (to[p] - from[p])));
}

struct Move {
  double ahead, behind;
};
// <s, to − from>, <θ, to − from>, and difference = placed − to
HINGE_CLONES Move compare(const double* s, const double* theta, const double* from, const double* to,
                          const double* placed, std::size_t size, double* difference) {
  double ahead[4] = {}, behind[4] = {};
  const std::size_t whole = size - size % 4;
  const auto add = [&](std::size_t p, std::size_t k) __attribute__((always_inline)) {
    const double d = to[p] - from[p];
    ahead[k] += s[p] * d;
    behind[k] += theta[p] * d;
    difference[p] = placed[p] - to[p];
  };
  for (std::size_t p = 0; p < whole; p += 4)
    for (std::size_t k = 0; k < 4; ++k) add(p + k, k);
  for (std::size_t p = whole; p < size; ++p) add(p, 0);
  return {(ahead[0] + ahead[1]) + (ahead[2] + ahead[3]), (behind[0] + behind[1]) + (behind[2] + behind[3])};
}

// The b with b = most (1 − p(b)), where a part of probability p has p(b) = p e^{b/τ} / (1 − p + p e^{b/τ}).
double own_share(double most, double probability, double temperature) {
  const double odds = std::max(1 - probability, 0.0) / std::max(probability, 1e-300);
  double low = 0, high = most;
  for (int k = 0; k < 30; ++k) {
    const double b = 0.5 * (low + high), against = odds * std::exp(-b / temperature);
    (b < most * against / (1 + against) ? low : high) = b;
    if (high - low < 0.1 * temperature) break;
  }
  return 0.5 * (low + high);
}

}  // namespace

void narrow(std::span<const double> from, std::vector<float>& out) {
  out.resize(from.size());
  narrow_row(from.data(), from.size(), out.data());
}
void widen(std::span<const float> from, Vector& out) {
  out.resize(from.size());
  widen_row(from.data(), from.size(), out.data());
}
void narrow_counts(Vector& counts, const Vector* label, std::vector<float>& out) {
  out.resize(counts.size());
  if (label == nullptr)
    round_row(counts.data(), counts.size(), out.data());
  else
    round_difference(counts.data(), label->data(), counts.size(), out.data());
}
void widen_counts(std::span<const float> from, const Vector* label, Vector& out) {
  if (label == nullptr) return widen(from, out);
  out.resize(from.size());
  undo_difference(from.data(), label->data(), from.size(), out.data());
}

void DualBlock::look(std::size_t i, Weights w) {
  example = i;
  s = parts->look(i, w);
  for (Vector* v : {&theta, &trial, &counts, &trial_counts, &label, &difference}) v->resize(size());
}

double DualBlock::solve(const Vector& at, Vector& out) {
  const double soft = parts->solve(at, out), score = dot(at, out), lost = parts->loss(out);
  magnitude = std::abs(soft) + std::abs(score);
  return soft - score + lost;
}

void DualBlock::attempt(double temperature) {
  if (curvature.empty() || step == 0) {
    go(theta.data(), s.data(), step, size(), trial.data());
  } else {
    for (std::size_t p = 0; p < size(); ++p) trial_counts[p] = s[p] + curvature[p] * counts[p];
    solve_apart(trial_counts, curvature, temperature, trial);
    for (double& v : trial) v = static_cast<double>(static_cast<float>(v));
  }
  value = solve(trial, trial_counts);
}

void DualBlock::measure(const Vector& placed) {
  loss = parts->loss(trial_counts);
  const Move move = compare(s.data(), theta.data(), counts.data(), trial_counts.data(), placed.data(), size(),
                            difference.data());
  ahead = move.ahead;
  behind = move.behind;
}

void DualBlock::welcome(double temperature) {
  // B = s − θ is what w's move by label − counts added. Along label − counts it is made of what the label gains
  // and of what the others lose; both shrink alike as the example nears its label.
  double gained = 0, lost = 0;
  for (std::size_t p = 0; p < size(); ++p)
    (label[p] > 0 ? gained : lost) += (s[p] - theta[p]) * (label[p] - counts[p]);
  const double both = gained > 0 && lost > 0 ? 1 + lost / gained : 1;
  double given = 0;
  for (std::size_t p = 0; p < size(); ++p) {
    trial[p] = 0;
    if (!(label[p] > 0)) continue;
    const double far = label[p] - counts[p], response = std::max(0.0, s[p] - theta[p]);
    if (far > 1e-9 * label[p] && response > 0)
      trial[p] = own_share(both * response * label[p] / far, counts[p] / label[p], temperature) / both;
    given += trial[p] * far;
  }
  const double share = gained > 0 ? std::min(1.0, given / gained) : 0;
  for (std::size_t p = 0; p < size(); ++p) {
    const double add = label[p] > 0 ? trial[p] : std::min(0.0, share * (s[p] - theta[p]));
    trial[p] = static_cast<double>(static_cast<float>(theta[p] + add));
  }
  value = solve(trial, trial_counts);
}

}  // namespace hinge
