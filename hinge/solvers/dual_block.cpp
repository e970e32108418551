#include "hinge/solvers/dual_block.h"

#include <algorithm>
#include <cmath>
#include <concepts>

#include "hinge/core/clones.h"
#include "hinge/core/own_share.h"
#include "hinge/core/single_lanes.h"
#include "hinge/solvers/apart.h"

namespace hinge {
namespace {

// A few thousand bytes, for which the library's copy takes a slow way.
HINGE_CLONES void copy_row(const float* in, std::size_t size, float* out) {
  if (size >= single::kLane) return single::copy(in, size, out);
  for (std::size_t p = 0; p < size; ++p) out[p] = in[p];
}
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
HINGE_CLONES void go(const float* from, const float* to, double step, std::size_t size, float* out) {
  const auto f = static_cast<float>(step);
  for (std::size_t p = 0; p < size; ++p) out[p] = from[p] + f * (to[p] - from[p]);
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
HINGE_CLONES Move compare(const float* s, const float* theta, const float* from, const float* to,
                          const float* placed, std::size_t size, float* difference) {
  using single::at;
  constexpr std::size_t kPiece = 32 * single::kLane;  // summed in single precision
  Move move = {0, 0};
  const std::size_t whole = size - size % single::kLane;
  for (std::size_t first = 0; first < whole; first += kPiece) {
    single::Lane ahead = {}, behind = {};
    for (std::size_t p = first; p < std::min(whole, first + kPiece); p += single::kLane) {
      const single::Lane d = at(to + p) - at(from + p);
      ahead += at(s + p) * d;
      behind += at(theta + p) * d;
      at(difference + p) = at(placed + p) - at(to + p);
    }
    move.ahead += static_cast<double>(single::sum(ahead));
    move.behind += static_cast<double>(single::sum(behind));
  }
  for (std::size_t p = whole; p < size; ++p) {
    const float d = to[p] - from[p];
    move.ahead += static_cast<double>(s[p] * d);
    move.behind += static_cast<double>(theta[p] * d);
    difference[p] = placed[p] - to[p];
  }
  return move;
}

HINGE_CLONES double single_farthest(const float* a, const float* b, std::size_t size) {
  single::Lane most = {};
  std::size_t p = 0;
  for (; p + single::kLane <= size; p += single::kLane) {
    const single::Lane d = single::at(a + p) - single::at(b + p);
    single::raise(most, d);
    single::raise(most, -d);
  }
  float rest = single::largest(most);
  for (; p < size; ++p) rest = std::max(rest, std::abs(a[p] - b[p]));
  return static_cast<double>(rest);
}

}  // namespace

double farthest(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t p = 0; p < a.size(); ++p) most = std::max(most, std::abs(a[p] - b[p]));
  return most;
}
double farthest(std::span<const float> a, std::span<const float> b) {
  return single_farthest(a.data(), b.data(), a.size());
}
double product(std::span<const double> a, std::span<const double> b) { return dot(a, b); }
double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t p = 0; p < a.size(); ++p) sum += static_cast<double>(a[p]) * static_cast<double>(b[p]);
  return sum;
}

void narrow(std::span<const double> from, std::vector<float>& out) {
  out.resize(from.size());
  narrow_row(from.data(), from.size(), out.data());
}
void narrow(std::span<const float> from, std::vector<float>& out) { widen(from, out); }
void widen(std::span<const float> from, std::vector<double>& out) {
  out.resize(from.size());
  widen_row(from.data(), from.size(), out.data());
}
void widen(std::span<const float> from, std::vector<float>& out) {
  out.resize(from.size());
  copy_row(from.data(), from.size(), out.data());
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

template <class Real>
void DualBlock<Real>::look(std::size_t i, std::span<const Real> w) {
  example = i;
  s = parts->look(i, w);
  for (Row* row : {&theta, &trial, &counts, &trial_counts, &label, &difference}) row->resize(size());
}

template <class Real>
std::size_t DualBlock<Real>::turn(std::size_t i, std::span<const Real> w) {
  example = i;
  const std::size_t parts_of_it = parts->turn(i, w);
  counts.resize(parts_of_it);
  return parts_of_it;
}

template <class Real>
double DualBlock<Real>::solve(const Row& at, Row& out) {
  const SoftValue soft = parts->solve(at, out);
  magnitude = std::abs(soft.value) + std::abs(soft.value - soft.entropy);
  return soft.entropy + parts->loss(out);
}

template <class Real>
void DualBlock<Real>::attempt(double temperature) {
  bool apart = false;
  if constexpr (std::same_as<Real, double>) {
    apart = !curvature.empty() && step != 0;
    if (apart) {
      for (std::size_t p = 0; p < size(); ++p) trial_counts[p] = s[p] + curvature[p] * counts[p];
      solve_apart(trial_counts, curvature, temperature, trial);
      for (double& v : trial) v = static_cast<double>(static_cast<float>(v));
    }
  }
  if (!apart) go(theta.data(), s.data(), step, size(), trial.data());
  value = solve(trial, trial_counts);
}

template <class Real>
void DualBlock<Real>::measure(const Row& placed) {
  loss = parts->loss(trial_counts);
  const Move move = compare(s.data(), theta.data(), counts.data(), trial_counts.data(), placed.data(), size(),
                            difference.data());
  ahead = move.ahead;
  behind = move.behind;
}

template <class Real>
void DualBlock<Real>::welcome(double temperature) {
  // B = s − θ is what w's move by label − counts added. Along label − counts it is made of what the label gains
  // and of what the others lose; both shrink alike as the example nears its label.
  double gained = 0, lost = 0;
  for (std::size_t p = 0; p < size(); ++p)
    (label[p] > 0 ? gained : lost) += static_cast<double>((s[p] - theta[p]) * (label[p] - counts[p]));
  const double both = gained > 0 && lost > 0 ? 1 + lost / gained : 1;
  double given = 0;
  for (std::size_t p = 0; p < size(); ++p) {
    trial[p] = 0;
    if (!(label[p] > 0)) continue;
    const double full = label[p], far = full - static_cast<double>(counts[p]);
    const double response = std::max(0.0, static_cast<double>(s[p] - theta[p]));
    if (far > 1e-9 * full && response > 0)
      trial[p] =
          static_cast<Real>(own_share(both * response * full / far,
                                      far / std::max(static_cast<double>(counts[p]), 1e-30), temperature) /
                            both);
    given += static_cast<double>(trial[p]) * far;
  }
  const auto share = static_cast<Real>(gained > 0 ? std::min(1.0, given / gained) : 0);
  for (std::size_t p = 0; p < size(); ++p) {
    const Real add = label[p] > 0 ? trial[p] : std::min(Real(0), share * (s[p] - theta[p]));
    trial[p] = static_cast<Real>(static_cast<float>(theta[p] + add));
  }
  value = solve(trial, trial_counts);
}

template struct DualBlock<double>;
template struct DualBlock<float>;

}  // namespace hinge
