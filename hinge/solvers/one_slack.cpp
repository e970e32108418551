#include "hinge/solvers/one_slack.h"

#include "hinge/solvers/mean_plane.h"
#include "hinge/solvers/starting_planes.h"

namespace hinge {

Summary OneSlack::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  Run run(name(), objective, observer);
  const double C = objective.C();
  const std::shared_ptr<PlaneModel> model = starting_planes(objective, start, {C});
  Vector w = first_weights(objective, start, *model);
  MeanPlane mean(objective, static_cast<std::size_t>(settings.cache));
  Plane plane;
  run.start(w);
  run.dual(model->dual());
  run.planes(model);
  run.stands_at([&] { return hash_numbers(model->weights()); });

  try {
    bool exact = true;
    run.keeps([&](Snapshot& snapshot) { snapshot(*model, mean, w, plane, exact); });
    for (;;) {
      if (exact) {
        double excess = 0;
        const auto touch = [&] {
          excess = run.oracle([&] { return mean.touch(w, plane, [&] { run.point(); }); });
        };
        if (settings.cache > 0)
          touch();
        else
          run.still(touch);
        run.primal(objective.regulariser().value(w) + C * excess, w);
      }
      if (!exact) run.point();
      model->add(0, plane);
      if (auto end = end_round(settings, *model, run)) return *std::move(end);
      w.assign(model->weights().begin(), model->weights().end());
      exact = true;
      if (settings.cache > 0) {
        const double violation = mean.from_cache(w, plane) - model->value(0).best;
        exact = C * violation < settings.cache_share * run.summary().gap();
      }
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
