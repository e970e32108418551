// What n_slack, one_slack and bundle share: the options of a model made of planes, and the end of a round.
#pragma once

#include <optional>

#include "hinge/core/options.h"
#include "hinge/solvers/plane_model.h"
#include "hinge/solvers/run.h"

namespace hinge {

struct CuttingPlaneOptions {
  double gap = 1e-3;
  int max_passes = 1000;
  double accuracy = 0.1;
  int prune_age = 50;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("max_passes", self.max_passes, range::at_least_one,
          "stop after this many passes over the examples");
    visit("accuracy", self.accuracy, range::positive, "solve the quadratic problem to this share of the gap");
    visit("prune_age", self.prune_age, range::at_least_one,
          "drop planes that were idle in this many sweeps of that problem");
  }
};

// Solves the model with its new planes, whose dual bounds the objective; the summary where that ends the run.
inline std::optional<Summary> end_round(const CuttingPlaneOptions& settings, PlaneModel& model, Run& run) {
  model.optimize(settings.accuracy * run.summary().gap(), run.stop());
  model.rebuild();
  model.prune(static_cast<std::size_t>(settings.prune_age));
  run.dual(model.dual());
  if (auto end = run.ended(run.round({.planes = model.planes()}), settings.gap, settings.max_passes))
    return end;
  if (run.stalled()) return run.no_progress();
  return std::nullopt;
}

}  // namespace hinge
