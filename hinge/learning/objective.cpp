#include "hinge/learning/objective.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/errors.h"

namespace hinge {
namespace {

// Dense sums are made in this many pieces whatever the number of workers, so that their bits do not depend on
// it: as many as help, as long as their gradients stay below 128 MB.
std::size_t pieces_of(std::size_t examples, std::size_t dimension) {
  const std::size_t affordable =
      (std::size_t{128} << 20) / (sizeof(double) * std::max<std::size_t>(dimension, 1));
  return std::clamp<std::size_t>(affordable, 2, std::clamp<std::size_t>(examples / 16, 2, 16));
}

}  // namespace

Objective::Objective(const Oracle& oracle, Formulation formulation, double C, Executor& executor,
                     Regulariser regulariser)
    : oracle_(oracle),
      formulation_(std::move(formulation)),
      executor_(executor),
      regulariser_(std::move(regulariser)) {
  set_C(C);
  if (oracle.size() == 0) fail("there is no example to learn from.");
  for (std::size_t i = 0; i < size() && !needs_linearizing_; ++i) needs_linearizing_ = !oracle.determined(i);
  const auto require = [&](Side side) {
    const std::string why = oracle.refusal(formulation_.query(side));
    if (!why.empty()) fail("method {}: {}", formulation_.name, why);
  };
  if (needs_linearizing_) {
    if (formulation_.rescaling == Rescaling::slack)
      fail(
          "slack rescaling needs complete labels: use margin rescaling, or complete or remove what is open.");
    require(Side::free);
    require(Side::clamped);
  } else {
    require(Side::excess);
  }
}

void Objective::set_C(double C) {
  if (!(C > 0) || !std::isfinite(C)) fail("C is {:g}, but must be a positive number.", C);
  C_ = C;
}

Objective::Linearization Objective::linearize(Weights w) {
  following_ = false;
  Linearization result;
  const bool again = linearized();
  clamped_.resize(size());
  if (again) result.changes.resize(size());
  Vector falls(size());
  executor_.run(size(), [&](std::size_t i) {
    if (oracle_.determined(i)) return;
    static thread_local Plane now;
    oracle_.support(i, w, formulation_.query(Side::clamped), now);
    ++calls_;
    if (again) {
      combine(clamped_[i].slope, -1, now.slope, result.changes[i].slope);
      result.changes[i].offset = clamped_[i].offset - now.offset;
      falls[i] = -block_weight(i) * result.changes[i].at(w);
    }
    clamped_[i] = now;
  });
  for (double fall : falls) result.fall += fall;
  return result;
}

void Objective::plane(std::size_t i, Weights w, Plane& out) const { plane_at_scale(i, 1, w, out); }

void Objective::plane_at_scale(std::size_t i, double scale, Weights v, Plane& out) const {
  ++calls_;
  if (oracle_.determined(i)) {
    oracle_.support(i, v, formulation_.query(Side::excess).at_scale(scale), out);
    out.offset *= scale;
    return;
  }
  assert((following_ || linearized()) && "linearize first");
  static thread_local Plane free, now;
  oracle_.support(i, v, formulation_.query(Side::free).at_scale(scale), free);
  if (following_) {
    ++calls_;
    oracle_.support(i, v, formulation_.query(Side::clamped).at_scale(scale), now);
    now.offset *= scale;
  }
  const Plane& clamped = following_ ? now : clamped_[i];
  combine(free.slope, -1, clamped.slope, out.slope);
  out.offset = scale * free.offset - clamped.offset;
}

bool Objective::all_planes(std::size_t i, ProductPlanes& out) const {
  return oracle_.determined(i) && oracle_.all_planes(i, formulation_.query(Side::excess), out);
}

bool Objective::serves_scaling() const {
  const Query query = formulation_.query(needs_linearizing_ ? Side::free : Side::excess);
  return query.rescaling == Rescaling::margin && oracle_.refusal(query.at_scale(0.5)).empty();
}

void Objective::planes(std::span<const std::size_t> examples, Weights w, std::span<Plane> out) const {
  executor_.run(examples.size(), [&](std::size_t k) { plane(examples[k], w, out[k]); });
}

double Objective::sum_of_excesses(Weights w, std::span<double> gradient) const {
  assert((!needs_linearizing_ || following_ || linearized()) && "linearize first");
  std::call_once(widening_asked_, [&] { widening_ = oracle_.widened(); });
  double value;
  if (widening_) {
    const std::vector<Index>& places = widening_->places;
    AlignedVector wide(widening_->oracle->dimension()), slope(wide.size());
    for (std::size_t j = 0; j < places.size(); ++j) wide[places[j]] = w[j];
    value = sum_over(*widening_->oracle, wide, slope);
    for (std::size_t j = 0; j < places.size(); ++j) gradient[j] = slope[places[j]];
  } else {
    value = sum_over(oracle_, w, gradient);
  }
  for (std::size_t i = 0; i < clamped_.size(); ++i) {
    if (oracle_.determined(i)) continue;
    clamped_[i].slope.add_to(gradient, -block_weight(i));
    value -= block_weight(i) * clamped_[i].at(w);
  }
  return value;
}

// Σ_i κ_i excess_i(w), where clamped planes of examples that are not determined are left out.
double Objective::sum_over(const Oracle& oracle, Weights w, std::span<double> gradient) const {
  struct Piece {
    double value = 0;
    AlignedVector gradient;  // zero again once it was added
  };
  const std::size_t pieces = pieces_of(size(), w.size());
  const std::size_t at_once = std::min(pieces, executor_.workers());
  std::vector<Piece> parts(at_once, {0, AlignedVector(w.size())});
  std::ranges::fill(gradient, 0.0);
  double value = 0;
  for (std::size_t first = 0; first < pieces; first += at_once) {
    const std::size_t count = std::min(at_once, pieces - first);
    executor_.run(count, [&](std::size_t k) {
      Piece& part = parts[k];
      part.value = 0;
      const std::size_t begin = (first + k) * size() / pieces, end = (first + k + 1) * size() / pieces;
      for (std::size_t i = begin; i < end; ++i) {
        const auto add = [&](Side side, double factor) {
          ++calls_;
          part.value += factor * oracle.add_support(i, w, formulation_.query(side), factor, part.gradient);
        };
        const double kappa = block_weight(i);
        const bool determined = oracle.determined(i);
        add(determined ? Side::excess : Side::free, kappa);
        if (!determined && following_) add(Side::clamped, -kappa);
      }
    });
    for (std::size_t k = 0; k < count; ++k) {
      value += parts[k].value;
      for (std::size_t j = 0; j < gradient.size(); ++j)
        gradient[j] += std::exchange(parts[k].gradient[j], 0.0);
    }
  }
  return value;
}

double Objective::value(Weights w) const {
  Vector values(size());
  executor_.run(size(), [&](std::size_t i) {
    static thread_local Plane touching;
    plane(i, w, touching);
    values[i] = block_weight(i) * touching.at(w);
  });
  double sum = regulariser_.value(w);
  for (double v : values) sum += v;
  return sum;
}

}  // namespace hinge
