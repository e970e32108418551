#include "hinge/solvers/bundle.h"

#include "hinge/solvers/mean_plane.h"
#include "hinge/solvers/proximity.h"
#include "hinge/solvers/starting_planes.h"

namespace hinge {
namespace {

// The one-block model around a prox-centre ŵ with weight μ.
class ProximalModel {
 public:
  ProximalModel(const Objective& objective, std::shared_ptr<PlaneModel> model)
      : omega_(objective.regulariser()), C_(objective.C()), model_(std::move(model)) {}

  void move(Weights prox_centre, double mu) {
    mu_ = mu;
    centre_.resize(prox_centre.size());
    for (std::size_t j = 0; j < centre_.size(); ++j)
      centre_[j] = (omega_.centre_at(j) + mu * prox_centre[j]) / (1 + mu);
    model_->set_block_weights({C_ / (1 + mu)});
    model_->set_centre(centre_);
  }
  void keep(Snapshot& snapshot) { snapshot(*model_, mu_, centre_); }
  // No proximal term any more: the model as others may start from it.
  ~ProximalModel() {
    model_->set_block_weights({C_});
    model_->set_centre(omega_.centre);
  }

  struct Step {
    double model = 0;  // Ω(w) + C max over planes of p(w)
    double bound = 0;  // min over u of Ω(u) + C a(u)
    double price = 0;  // (Ω + C a)(w) − bound
  };
  // Minimises to a tolerance in units of the objective.
  Step step(double tolerance, const Observer::Stop& stop) {
    model_->optimize(tolerance / (1 + mu_), stop);
    model_->rebuild();
    const Weights w = model_->weights();
    const auto [best, mean] = model_->value(0);
    slope_.resize(w.size());  // of C a: what moved w away from the centre, but for bounds
    for (std::size_t j = 0; j < w.size(); ++j)
      slope_[j] = (1 + mu_) * (omega_.curvature_at(j) * (centre_[j] - w[j]) + model_->multiplier(j));
    const double omega = omega_.value(w);
    const double bound = omega_.minimum_with(slope_) + C_ * mean - dot(slope_, w);
    return {omega + C_ * best, bound, omega + C_ * mean - bound};
  }

 private:
  const Regulariser& omega_;
  double C_;
  std::shared_ptr<PlaneModel> model_;
  double mu_ = 0;
  Vector centre_, slope_;
};

}  // namespace

Summary Bundle::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  const double C = objective.C();
  Run run(name(), objective, observer);
  const std::shared_ptr<PlaneModel> model = starting_planes(objective, start, {C});
  run.dual(model->dual());
  run.planes(model);
  run.stands_at([&] { return hash_numbers(model->weights()); });
  ProximalModel proximal(objective, model);
  MeanPlane mean(objective, 0);
  Vector centre = first_weights(objective, start, *model), w = centre;
  run.start(centre);
  try {
    bool begun = false;  // f is known at the centre
    double value = 0, mu = settings.proximity;
    ProximalModel::Step step;
    run.keeps([&](Snapshot& snapshot) { snapshot(proximal, centre, w, begun, value, mu, step); });
    for (;;) {
      Plane plane;
      double excess = 0;
      run.still([&] { excess = run.oracle([&] { return mean.touch(w, plane); }); });
      const double found = objective.regulariser().value(w) + C * excess;  // f(w)
      run.primal(found, w);
      model->add(0, plane);
      if (!begun) {
        value = found;
        proximal.move(centre, mu);
        begun = true;
      } else {
        const double next = adapted(mu, step.price / (value - step.bound));
        const bool serious = value - found >= kSerious * (value - step.model);
        if (serious) {
          centre = w;
          value = found;
        }
        model->prune(static_cast<std::size_t>(settings.prune_age));
        if (serious || next != mu) proximal.move(centre, mu = next);

        const bool go_on = run.round({.planes = model->planes()});
        const bool converged = run.within(settings.gap), spent = run.passes() >= settings.max_passes;
        if (converged) return run.converged(settings.gap);
        if (!go_on) return run.stopped();
        if (spent) return run.passes_spent(settings.max_passes);
        if (run.stalled()) return run.no_progress();
      }
      step = proximal.step(settings.accuracy * run.summary().gap(), run.stop());
      run.dual(step.bound);
      w.assign(model->weights().begin(), model->weights().end());
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
