#include "hinge/solvers/descent.h"

#include "hinge/solvers/run.h"

namespace hinge {

Summary Descent::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  refuse_l1(name(), objective);
  Run run(name(), objective, observer);
  const Followed after(objective);
  Vector w = starting_weights(objective, start), gradient(w.size());
  run.start(w);
  try {
    int t = 0;
    run.keeps([&](Snapshot& snapshot) {
      objective.keep(snapshot);
      snapshot(t, w);
    });
    for (;; ++t) {
      const bool end = t == settings.max_steps, round = end || t % settings.inner_steps == 0;
      double excess = 0;
      run.still([&] {  // a linearisation at the same weights is the same
        if (round && objective.needs_linearizing()) run.oracle([&] { objective.linearize(w); });
        excess = run.oracle([&] { return objective.sum_of_excesses(w, gradient); });
      });
      if (round) {
        const double value = objective.regulariser().value(w) + excess;
        if (settings.keep == "last")
          run.replace(value, w);
        else
          run.primal(value, w);
        if (!run.round()) return run.stopped();
      }
      if (end)
        return run.finish(Termination::iteration_limit,
                          fmt::format("{} steps were taken.", settings.max_steps));
      objective.regulariser().add_gradient(w, gradient);
      const double step = settings.step / (1 + settings.decay * t);
      for (std::size_t j = 0; j < w.size(); ++j) w[j] -= step * gradient[j];
      objective.regulariser().project(w);
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
