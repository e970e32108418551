#include "hinge/solvers/bundle.h"

#include <algorithm>

#include "hinge/solvers/mean_plane.h"
#include "hinge/solvers/starting_planes.h"

namespace hinge {
namespace {

constexpr double kSerious = 0.1, kGood = 0.5;               // shares of the promised decrease
constexpr double kLeast = 1e-3, kMost = 1e3, kChange = 10;  // bounds of μ, and of its change at once

// The one-block model around a prox-centre ŵ with weight μ.
class ProximalModel {
 public:
  ProximalModel(const Objective& objective, std::shared_ptr<PlaneModel> model)
      : omega_(objective.regulariser()), C_(objective.C()), model_(std::move(model)) {}

  // Ω and μ/2 |w − ŵ|² together: curvature (1 + μ) r, centre (w0 + μ ŵ) / (1 + μ).
  void move(Weights prox_centre, double mu) {
    mu_ = mu;
    centre_.resize(prox_centre.size());
    for (std::size_t j = 0; j < centre_.size(); ++j)
      centre_[j] = (omega_.centre_at(j) + mu * prox_centre[j]) / (1 + mu);
    model_->set_block_weights({C_ / (1 + mu)});
    model_->set_centre(centre_);
  }

  // Minimises; the tolerance is in units of the objective.
  void optimize(double tolerance) {
    model_->optimize(tolerance / (1 + mu_));
    model_->rebuild();
  }

  double at_minimum() const { return omega_.value(model_->weights()) + C_ * model_->value(0).best; }

  // min over u of Ω(u) + C a(u), a the planes' mean under α: C a has the slope (1 + μ) r (centre − w) and the
  // value C · mean at w.
  double bound() const {
    const Weights w = model_->weights();
    Vector slope(w.size());
    for (std::size_t j = 0; j < w.size(); ++j)
      slope[j] = (1 + mu_) * omega_.curvature_at(j) * (centre_[j] - w[j]);
    return omega_.minimum_with(slope) + C_ * model_->value(0).mean - dot(slope, w);
  }

  // The model as others may start from it: no proximal term.
  void release() {
    model_->set_block_weights({C_});
    model_->set_centre(omega_.centre);
  }

 private:
  const Regulariser& omega_;
  double C_;
  std::shared_ptr<PlaneModel> model_;
  double mu_ = 0;
  Vector centre_;
};

// Kiwiel's μ: where the line from f(ŵ) with slope −v meets a parabola through f(w) (1990, section 2).
double adapted(double mu, double promised, double decrease, bool serious) {
  const double interpolated = 2 * mu * (1 - decrease / promised);
  if (serious) return decrease >= kGood * promised ? std::max({interpolated, mu / kChange, kLeast}) : mu;
  return decrease < 0 ? std::min({std::max(interpolated, mu), mu * kChange, kMost}) : mu;
}

}  // namespace

Summary Bundle::minimize(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  refuse_l1(name(), objective);
  const Regulariser& omega = objective.regulariser();
  const double C = objective.C();
  Run run(name(), objective, observer);
  const std::shared_ptr<PlaneModel> model = starting_planes(objective, start, {C});
  run.dual(model->dual());
  run.planes(model);
  ProximalModel proximal(objective, model);
  MeanPlane mean(objective, 0);
  Plane plane;

  Vector centre = first_weights(objective, start, *model);  // ŵ
  const auto touch = [&](Weights w) {
    const double excess = run.oracle([&] { return mean.touch(w, plane); });
    const double value = omega.value(w) + C * excess;
    run.primal(value, w);
    model->add(0, plane);
    return value;
  };
  double value = touch(centre), mu = settings.proximity;
  proximal.move(centre, mu);

  for (;;) {
    proximal.optimize(settings.accuracy * run.summary().gap());
    run.dual(proximal.bound());
    const double promised = value - proximal.at_minimum();
    const Vector w(model->weights().begin(), model->weights().end());
    const double decrease = value - touch(w);
    const bool serious = decrease >= kSerious * promised;
    if (serious) {
      centre = w;
      value -= decrease;
    }
    const double next = adapted(mu, promised, decrease, serious);
    if (serious || next != mu) proximal.move(centre, mu = next);
    model->prune(static_cast<std::size_t>(settings.prune_age));

    const bool go_on = run.round(model->planes());
    const bool converged = run.within(settings.gap), spent = run.passes() >= settings.max_passes;
    if (!converged && !spent && go_on) continue;
    proximal.release();
    if (converged) return run.converged(settings.gap);
    return go_on ? run.passes_spent(settings.max_passes) : run.stopped();
  }
}

}  // namespace hinge
