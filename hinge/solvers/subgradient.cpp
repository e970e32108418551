#include "hinge/solvers/subgradient.h"

#include "hinge/solvers/run.h"

namespace hinge {
namespace {

// target += factor · (v − target)
void move_towards(std::span<double> target, Weights v, double factor) {
  for (std::size_t j = 0; j < target.size(); ++j) target[j] += factor * (v[j] - target[j]);
}

}  // namespace

Summary Subgradient::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  const Regulariser& regulariser = objective.regulariser();
  Run run(name(), objective, observer);

  const bool warm = !start.weights.empty();
  Vector w = starting_weights(objective, start), average = w;
  DensePlane plane, mean;
  plane.slope.resize(w.size());
  mean.slope.resize(w.size());
  // Σ of the weights t: of all rounds, and of those that made a plane. Given start weights are what
  // `warm_passes` rounds left.
  const double first = warm ? settings.warm_passes : 0;
  double all = first * (first + 1) / 2, planes = 0;
  run.start(w);
  run.stands_at([&] { return hash_numbers(w); });

  try {
    double t = first + 1;
    bool stepped = false;  // the round's step is made, and its average is yet to be measured
    run.keeps(
        [&](Snapshot& snapshot) { snapshot(t, all, planes, w, average, mean.offset, mean.slope, stepped); });
    for (;; ++t) {
      if (!stepped) {
        double excess = 0;
        run.still([&] { excess = run.oracle([&] { return objective.sum_of_excesses(w, plane.slope); }); });
        all += t;
        planes += t;
        plane.offset = excess - dot(plane.slope, w);
        run.primal(regulariser.value(w) + excess, w);

        mean.offset += t / planes * (plane.offset - mean.offset);
        move_towards(mean.slope, plane.slope, t / planes);
        run.dual(mean.offset + regulariser.minimum_with(mean.slope));

        if (settings.average) move_towards(average, w, t / all);
        for (std::size_t j = 0; j < w.size(); ++j)
          w[j] += t / all * (regulariser.centre_at(j) - plane.slope[j] / regulariser.curvature_at(j) - w[j]);
        regulariser.project(w);
        stepped = true;
      }
      if (settings.average) {
        double value = 0;
        run.still([&] { value = run.oracle([&] { return objective.value(average); }); });
        run.primal(value, average);
      }
      stepped = false;
      if (auto end = run.ended(run.round(), settings.gap, settings.max_passes)) return *std::move(end);
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
