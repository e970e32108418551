#include "hinge/solvers/exact_dual.h"

#include <numeric>

#include "hinge/core/sum.h"

namespace hinge {

ExactDual::ExactDual(Objective& objective)
    : objective_(objective),
      layout_(objective.layout()),
      query_(objective.formulation().query(Side::free)),
      determined_(objective.size()),
      wave_(objective, [&] { return layout_.oracle.parts(query_); }),
      terms_{{}, Vector(objective.size()), Vector(objective.size())} {
  for (std::size_t i = 0; i < objective.size(); ++i) {
    determined_[i] = objective.oracle().determined(i);
    terms_.kappa.push_back(objective.block_weight(i));
  }
  lay_out();
}

void ExactDual::take_share(double share) {
  for (std::size_t i = 0; i < terms_.kappa.size(); ++i) terms_.kappa[i] = share * objective_.block_weight(i);
}

// Centre and shares 1 / r. Weights that the objective does not know have no share: they are −0, which no sum of
// numbers that are there becomes, and stay so.
void ExactDual::lay_out() {
  const Regulariser& regulariser = objective_.regulariser();
  centre_.assign(layout_.oracle.dimension(), widened() ? -0.0 : 0.0);
  if (!regulariser.curvature.empty()) share_.resize(centre_.size());
  for (std::size_t j = 0; j < objective_.dimension(); ++j) {
    centre_[place_of(j)] = regulariser.centre_at(j) + 0.0;
    if (!share_.empty()) share_[place_of(j)] = 1 / regulariser.curvature_at(j);
  }
  w_ = centre_;
  terms_.centre_square = square(w_);
}

Vector ExactDual::laid_out(const Vector& weights) const {
  Vector laid(centre_.size());
  for (std::size_t j = 0; j < weights.size(); ++j) laid[place_of(j)] = weights[j];
  return laid;
}

template <class Real>
double ExactDual::square_of(std::span<const Real> w) const {
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double v = w[j];
    if (share_.empty())
      sum += v * v;
    else if (share_[j] > 0)
      sum += v * v / share_[j];
  }
  return sum;
}
double ExactDual::square(std::span<const double> w) const {
  return share_.empty() ? squared_norm(w) : square_of(w);
}
double ExactDual::square(std::span<const float> w) const { return square_of(w); }

void ExactDual::look_from(const Vector& weights, Potentials& state) {
  const Vector first = laid_out(weights);
  std::vector<std::size_t> examples(objective_.size());
  std::iota(examples.begin(), examples.end(), std::size_t{0});
  objective_.count_calls(examples.size());
  wave_.over(examples, [&] {
    wave_.in_parallel([&](DualBlock<double>& block) {
      block.look(block.example, first);
      state.theta[block.example].set(block.s);
    });
  });
}

void ExactDual::rebuild(Potentials& state, bool keep_counts) {
  std::ranges::copy(centre_, w_.begin());
  std::vector<std::size_t> examples;
  for (std::size_t i = 0; i < objective_.size(); ++i) {
    terms_.value[i] = terms_.doubt[i] = 0;
    if (!determined_[i] || !state.theta[i].empty()) examples.push_back(i);
  }
  wave_.over(examples, [&] { place(state, keep_counts); });
}

// Adds the examples' shares of w, and sets their values. Where a label is determined and nobody wants counts, its parts
// and those of the last solve meet inside the task.
void ExactDual::place(Potentials& state, bool keep_counts) {
  const auto meets_inside = [&](std::size_t i) { return determined_[i] && !keep_counts; };
  wave_.in_parallel([&](DualBlock<double>& block) {
    const std::size_t i = block.example;
    PotentialRow& theta = state.theta[i];
    if (meets_inside(i)) {
      if (block.turn(i, w_) != theta.size()) theta.clear();  // of other data
      theta.get(block.theta);
      block.value = theta.empty() ? 0 : block.solve(block.theta, block.counts);
      return;
    }
    block.look(i, w_);
    if (theta.size() != block.size()) theta.clear();  // of other data
    if (theta.empty()) {
      block.value = at_label<double>(block, w_);
      block.counts = block.label;
    } else {
      theta.get(block.theta);
      block.value = block.solve(block.theta, block.counts);
    }
    if (determined_[i]) block.parts->clamped(w_, block.label);
    for (std::size_t p = 0; p < block.size(); ++p)  // w is exact
      block.difference[p] = (determined_[i] ? block.label[p] : 0) - block.counts[p];
    if (!theta.empty() && keep_counts)
      narrow_counts(block.counts, determined_[i] ? &block.label : nullptr, state.counts[i]);
  });
  for (DualBlock<double>& block : wave_.blocks()) {
    const std::size_t i = block.example;
    const double* const share = share_.empty() ? nullptr : share_.data();
    if (meets_inside(i) && !state.theta[i].empty())
      block.parts->place(block.counts, kappa(i), w_, share);
    else if (!meets_inside(i))
      block.parts->pour(block.difference, kappa(i), w_, share);
    terms_.value[i] = block.value - offset(i);
    terms_.doubt[i] = state.theta[i].empty() ? 0 : block.doubt(query_.output_temperature);
    if (determined_[i]) continue;
    const Plane& plane = objective_.clamped(i);
    for (std::size_t k = 0; k < plane.slope.size(); ++k) {
      const Index j = place_of(plane.slope.indices()[k]);
      w_[j] += kappa(i) * plane.slope.values()[k] * (share_.empty() ? 1 : share_[j]);
    }
  }
}

template <class Real>
double ExactDual::at_label(DualBlock<Real>& block, std::span<const Real> w) const {
  const std::size_t i = block.example;
  if constexpr (std::same_as<Real, double>) {
    if (!determined_[i]) {
      // The scores at the weights of the linearisation, which the entropy needs, are without the loss.
      block.look(i, linearized_at_);
      block.theta.assign(block.s.begin(), block.s.end());
      const double value = block.parts->clamped(linearized_at_, block.label);
      const double loss = block.parts->loss(block.label), score = dot(block.theta, block.label) - loss;
      block.look(i, w);
      return value - score + loss;
    }
  }
  block.parts->clamped(w, block.label);
  return 0;
}
template double ExactDual::at_label(DualBlock<double>&, std::span<const double>) const;
template double ExactDual::at_label(DualBlock<float>&, std::span<const float>) const;

double ExactDual::primal() {
  constexpr std::size_t kPiece = 128;
  const std::size_t n = objective_.size();
  Vector excess(n);
  const Vector weights = narrow_weights<double>(w_);
  objective_.executor().run((n + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const auto parts = layout_.oracle.parts(query_);
    Vector counts;
    for (std::size_t i = piece * kPiece; i < std::min(n, (piece + 1) * kPiece); ++i) {
      objective_.throw_if_stopped();
      objective_.count_calls(1);
      if (determined_[i]) {
        excess[i] = kappa(i) * parts->excess(i, w_);
        continue;
      }
      const std::span<const double> s = parts->look(i, w_);
      counts.resize(s.size());
      excess[i] = kappa(i) * (parts->solve(s, counts).value - objective_.clamped(i).at(weights));
    }
  });
  return objective_.regulariser().value(weights) + tree_sum(excess);
}

}  // namespace hinge
