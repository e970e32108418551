#include "hinge/solvers/n_slack.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hinge/solvers/mean_plane.h"
#include "hinge/solvers/starting_planes.h"

namespace hinge {
namespace {

// Adds the planes at w that are violated by more than `enough`, in units of the objective. Returns Σ κ_i
// excess_i(w). A pass may be kept before each batch of examples.
class Cutter {
 public:
  Cutter(const Objective& objective, PlaneModel& model)
      : objective_(objective), model_(model), planes_(kPlanesAtOnce) {}

  double cut(Run& run, Weights w, double enough) {
    for (; at_ < objective_.size(); at_ += batch_.size()) {
      run.point();
      batch_.resize(std::min(kPlanesAtOnce, objective_.size() - at_));
      std::iota(batch_.begin(), batch_.end(), at_);
      run.oracle([&] { objective_.planes(batch_, w, planes_); });
      for (std::size_t k = 0; k < batch_.size(); ++k) {
        const double kappa = objective_.block_weight(batch_[k]), value = planes_[k].at(w);
        sum_ += kappa * value;
        if (kappa * (value - model_.value(batch_[k]).best) > enough) model_.add(batch_[k], planes_[k]);
      }
    }
    at_ = 0;
    return std::exchange(sum_, 0.0);
  }
  void keep(Snapshot& snapshot) { snapshot(at_, sum_); }

 private:
  const Objective& objective_;
  PlaneModel& model_;
  std::size_t at_ = 0;  // the pass's next example, and Σ κ_i excess_i(w) of those before it
  double sum_ = 0;
  std::vector<std::size_t> batch_;
  std::vector<Plane> planes_;
};

}  // namespace

Summary NSlack::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  Run run(name(), objective, observer);
  Vector kappa(objective.size());
  for (std::size_t i = 0; i < kappa.size(); ++i) kappa[i] = objective.block_weight(i);
  const std::shared_ptr<PlaneModel> model = starting_planes(objective, start, std::move(kappa));
  Vector w = first_weights(objective, start, *model);
  Cutter cutter(objective, *model);
  run.start(w);
  run.dual(model->dual());
  run.planes(model);
  run.stands_at([&] { return hash_numbers(model->weights()); });

  try {
    double enough = -INFINITY;  // the first w need not be the model's: every plane is new there
    run.keeps([&](Snapshot& snapshot) { snapshot(*model, w, enough, cutter); });
    for (;;) {
      const double excess = cutter.cut(run, w, enough);
      run.primal(objective.regulariser().value(w) + excess, w);
      if (auto end = end_round(settings, *model, run)) return *std::move(end);
      w.assign(model->weights().begin(), model->weights().end());
      enough = 0.25 * settings.gap * run.summary().dual / static_cast<double>(objective.size());
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
