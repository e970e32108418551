#include "hinge/solvers/potential_row.h"

#include "hinge/core/clones.h"
#include "hinge/oracle/parts.h"
#include "hinge/solvers/dual_block.h"

namespace hinge {
namespace {

constexpr float kForbiddenScore = SingleParts::kOut, kAllowed = 0.1f * kForbiddenScore;
constexpr float kMostSteps = 65534;

HINGE_CLONES void find_bounds(const float* row, std::size_t size, float& low, float& high) {
  float least = -kForbiddenScore, most = kForbiddenScore;
  for (std::size_t p = 0; p < size; ++p) {
    const float v = row[p] > kAllowed ? row[p] : least;
    least = v < least ? v : least;
    most = row[p] > most ? row[p] : most;
  }
  low = least;
  high = most;
}
HINGE_CLONES void shorten_row(const float* row, std::size_t size, float low, float inverse,
                              std::uint16_t* out) {
  for (std::size_t p = 0; p < size; ++p)
    out[p] = row[p] > kAllowed ? static_cast<std::uint16_t>(static_cast<int>((row[p] - low) * inverse + 1.5f))
                               : std::uint16_t{0};
}
template <class Real>
[[gnu::always_inline]] inline void lengthen(const std::uint16_t* in, std::size_t size, float low, float step,
                                            Real* out) {
  for (std::size_t p = 0; p < size; ++p) {
    const float v = low + step * static_cast<float>(static_cast<int>(in[p]) - 1);
    out[p] = in[p] != 0 ? v : kForbiddenScore;
  }
}
HINGE_CLONES void lengthen_row(const std::uint16_t* in, std::size_t size, float low, float step, float* out) {
  lengthen(in, size, low, step, out);
}
HINGE_CLONES void lengthen_row(const std::uint16_t* in, std::size_t size, float low, float step,
                               double* out) {
  lengthen(in, size, low, step, out);
}

}  // namespace

void PotentialRow::clear() {
  full_.clear();
  short_.clear();
}
void PotentialRow::set(std::span<const float> row) {
  short_.clear();
  narrow(row, full_);
}
void PotentialRow::set(std::span<const double> row) {
  short_.clear();
  narrow(row, full_);
}

void PotentialRow::set_short(std::span<float> row) {
  float high;
  full_.clear();
  short_.resize(row.size());
  find_bounds(row.data(), row.size(), low_, high);
  step_ = high > low_ ? (high - low_) / kMostSteps : 1;
  shorten_row(row.data(), row.size(), low_, 1 / step_, short_.data());
  lengthen_row(short_.data(), row.size(), low_, step_, row.data());
}

void PotentialRow::get(std::vector<float>& out) const {
  if (short_.empty()) return widen(full_, out);
  out.resize(short_.size());
  lengthen_row(short_.data(), short_.size(), low_, step_, out.data());
}
void PotentialRow::get(std::vector<double>& out) const {
  if (short_.empty()) return widen(full_, out);
  out.resize(short_.size());
  lengthen_row(short_.data(), short_.size(), low_, step_, out.data());
}

}  // namespace hinge
