#include "hinge/learning/objective.h"

#include <algorithm>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/sum.h"
#include "hinge/core/workspace.h"

namespace hinge {
struct Objective::Pass {
  DenseSum sum;
  AlignedVector wide, wide_gradient;  // of a widening
};

Objective::~Objective() = default;

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
  if (const std::vector<Index> bounded = oracle.nonnegative(); !bounded.empty()) {
    regulariser_.nonnegative.resize(dimension());
    for (const Index j : bounded) regulariser_.nonnegative[j] = true;
  }
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
  constexpr double kMost = 1e50;  // squares of sums of losses stay finite
  if (!(C > 0 && C <= kMost)) fail("C is {:g}, but must be a positive number of at most {:g}.", C, kMost);
  C_ = C;
}

// |offset| + Σ_k |slope_k w_k|: the numbers that a value at w was made from, which may nearly cancel.
static double size_of(const Plane& plane, Weights w) {
  double sum = std::abs(plane.offset);
  for (std::size_t k = 0; k < plane.slope.size(); ++k)
    sum += std::abs(plane.slope.values()[k] * w[plane.slope.indices()[k]]);
  return sum;
}

Objective::Linearization Objective::linearize(Weights w) {
  Linearization result;
  const bool again = was_linearized();
  linearized_ = false;
  std::vector<Plane> planes = std::exchange(clamped_, {});  // lost where the oracle is stopped or throws
  planes.resize(size());
  if (again) result.changes.resize(size());
  Vector falls(size()), sizes(size());
  // A sum of exponentials is as exact as its temperature, whatever the scores.
  const double temperature = formulation_.query(Side::clamped).latent_temperature;
  executor_.run(size(), [&](std::size_t i) {
    if (oracle_.determined(i)) return;
    Plane& now = scratch<Plane, struct ObjectiveNow>();
    ask();
    oracle_.support(i, w, formulation_.query(Side::clamped), now);
    if (again) {
      combine(planes[i].slope, -1, now.slope, result.changes[i].slope);
      result.changes[i].offset = planes[i].offset - now.offset;
      falls[i] = -block_weight(i) * result.changes[i].at(w);
    }
    sizes[i] = block_weight(i) * (size_of(now, w) + temperature);
    planes[i] = now;
  });
  clamped_ = std::move(planes);
  linearized_ = true;
  result.fall = tree_sum(falls);
  result.size = tree_sum(sizes);
  return result;
}

void Objective::plane(std::size_t i, Weights w, Plane& out) const { plane_at_scale(i, 1, w, out); }

void Objective::plane_at_scale(std::size_t i, double scale, Weights v, Plane& out) const {
  ask();
  if (oracle_.determined(i)) {
    oracle_.support(i, v, formulation_.query(Side::excess).at_scale(scale), out);
    out.offset *= scale;
    return;
  }
  Plane& free = scratch<Plane, struct ObjectiveFree>();
  Plane& now = scratch<Plane, struct ObjectiveNow>();
  oracle_.support(i, v, formulation_.query(Side::free).at_scale(scale), free);
  if (!linearized_) {
    ask();
    oracle_.support(i, v, formulation_.query(Side::clamped).at_scale(scale), now);
    now.offset *= scale;
  }
  const Plane& clamped = linearized_ ? clamped_[i] : now;
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

Objective::Layout Objective::layout() const {
  std::call_once(widening_asked_, [&] { widening_ = oracle_.widened(); });
  if (widening_) return {*widening_->oracle, widening_->places};
  return {oracle_, {}};
}

double Objective::sum_of_excesses(Weights w, std::span<double> gradient) const {
  layout();
  std::unique_ptr<Pass> pass;
  {
    const std::lock_guard lock(pass_lock_);
    pass = std::move(pass_);
  }
  if (!pass) pass = std::make_unique<Pass>();
  double value;
  if (widening_) {
    const std::vector<Index>& places = widening_->places;
    pass->wide.resize(widening_->oracle->dimension());
    pass->wide_gradient.resize(pass->wide.size());
    for (std::size_t j = 0; j < places.size(); ++j) pass->wide[places[j]] = w[j];
    value = sum_over(*widening_->oracle, pass->wide, *pass, pass->wide_gradient);
    for (std::size_t j = 0; j < places.size(); ++j) gradient[j] = pass->wide_gradient[places[j]];
  } else {
    value = sum_over(oracle_, w, *pass, gradient);
  }
  if (linearized_)
    for (std::size_t i = 0; i < clamped_.size(); ++i) {
      if (oracle_.determined(i)) continue;
      clamped_[i].slope.add_to(gradient, -block_weight(i));
      value -= block_weight(i) * clamped_[i].at(w);
    }
  const std::lock_guard lock(pass_lock_);
  pass_ = std::move(pass);
  return value;
}

// Σ_i κ_i excess_i(w), where clamped planes of a linearisation are left out.
double Objective::sum_over(const Oracle& oracle, Weights w, Pass& pass, std::span<double> gradient) const {
  const auto add = [&](std::size_t i, std::span<double> sum) {
    double value = 0;
    const auto add_side = [&](Side side, double factor) {
      ask();
      value += factor * oracle.add_support(i, w, formulation_.query(side), factor, sum);
    };
    const double kappa = block_weight(i);
    const bool determined = oracle.determined(i);
    add_side(determined ? Side::excess : Side::free, kappa);
    if (!determined && !linearized_) add_side(Side::clamped, -kappa);
    return value;
  };
  return pass.sum(size(), executor_, add, gradient);
}

double Objective::value(Weights w) const {
  Vector values(size());
  executor_.run(size(), [&](std::size_t i) {
    Plane& touching = scratch<Plane, struct ObjectiveTouching>();
    plane(i, w, touching);
    values[i] = block_weight(i) * touching.at(w);
  });
  return regulariser_.value(w) + tree_sum(values);
}

}  // namespace hinge
