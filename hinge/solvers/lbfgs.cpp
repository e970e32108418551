#include "hinge/solvers/lbfgs.h"

#include <algorithm>
#include <optional>

#include "hinge/solvers/curvature_pairs.h"
#include "hinge/solvers/line_search.h"
#include "hinge/solvers/run.h"
#include "hinge/solvers/smooth_point.h"
#include "hinge/solvers/tangent_mean.h"

namespace hinge {
namespace {

// One search along a direction, from `now` to `next`.
class Search {
 public:
  Search(Objective& objective, Run& run) : objective_(objective), run_(run) {}

  // p becomes a direction in which `now` descends at that slope. False when no lower point was found.
  bool operator()(const SmoothPoint& now, std::span<double> p, double slope, double first,
                  SmoothPoint& next) {
    const Regulariser& regulariser = run_.regulariser();
    return regulariser.l1 > 0 || regulariser.bounded() ? in_orthant(now, p, first, next)
                                                       : along_line(now, p, slope, first, next);
  }

 private:
  bool along_line(const SmoothPoint& now, Weights p, double slope, double first, SmoothPoint& next) {
    if (!(slope < 0)) return false;
    const auto at = [&](double step) -> wolfe::Sample {
      for (std::size_t j = 0; j < p.size(); ++j) next.w[j] = now.w[j] + step * p[j];
      const double new_slope = next.evaluate(objective_, run_, p);
      return {step, next.value, new_slope};
    };
    return strong_wolfe({0, now.value, slope}, first, at).has_value();
  }

  // Weights with an L1 term or a bound stay on their side of 0.
  bool in_orthant(const SmoothPoint& now, std::span<double> p, double first, SmoothPoint& next) {
    const Vector& steepest = now.steepest;
    const Regulariser& regulariser = run_.regulariser();
    const auto sided = [&](std::size_t j) { return regulariser.l1 > 0 || regulariser.bounded(j); };
    for (std::size_t j = 0; j < p.size(); ++j)
      if (sided(j) && p[j] * steepest[j] >= 0) p[j] = 0;
    const double rounding = wolfe::kRounding * std::abs(now.value);
    double step = first;
    for (int k = 0; k < kMaxHalvings; ++k, step /= 2) {
      double expected;
      run_.shares().sum({&expected, 1}, [&](std::size_t begin, std::size_t end, std::span<double> sum) {
        for (std::size_t j = begin; j < end; ++j) {
          const double moved = now.w[j] + step * p[j];
          const double side = now.w[j] != 0 ? now.w[j] : -steepest[j];
          next.w[j] = moved * side > 0 || !sided(j) ? moved : 0;
          sum[0] += steepest[j] * (next.w[j] - now.w[j]);
        }
      });
      if (!(expected < 0)) return false;
      next.evaluate(objective_, run_, {});
      if (next.value <= now.value + wolfe::kDecrease * expected + rounding) return true;
    }
    return false;
  }

  static constexpr int kMaxHalvings = 30;
  Objective& objective_;
  Run& run_;
};

double norm(const WeightShares& shares, const Vector& w) {
  double square;
  shares.sum({&square, 1}, [&](std::size_t first, std::size_t last, std::span<double> sum) {
    sum[0] += squared_norm(Weights(w).subspan(first, last - first));
  });
  return std::sqrt(square);
}

}  // namespace

Summary Lbfgs::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  if (!objective.smooth())
    fail(
        "solver lbfgs needs a smooth objective, which method {} is not: use solver frank_wolfe, or method "
        "crf.",
        objective.formulation().name);
  const bool convex = objective.convex();
  const WeightShares& shares = objective.shares();
  Run run(name(), objective, observer, shares);
  SmoothPoint now(shares.own(starting_weights(objective, start))), next{Vector(shares.size())};
  CurvaturePairs pairs(static_cast<std::size_t>(settings.memory), shares);
  TangentMean tangents(run);
  Vector p(shares.size());
  double slope = 0, first_step = 0;  // of the search along p
  Search search(objective, run);
  const auto turn = [&](const CurvaturePairs::Step* step) {
    slope = pairs.direction(step, now.descent(), p);
    first_step = pairs.empty() ? std::min(1.0, 1 / now.steepest_norm) : 1;
  };
  // What is known at a new point; the summary where the run ends there.
  const auto arrive = [&]() -> std::optional<Summary> {
    run.primal(now.value, now.w);
    if (convex) run.dual(std::max(now.bound, tangents.mix(now)));
    const bool go_on = run.round({.gradient_norm = now.steepest_norm});
    if (run.within(settings.gap)) return run.converged(settings.gap);
    if (!convex && now.value - now.bound <= settings.gap * std::abs(now.value))
      return run.finish(
          Termination::converged,
          fmt::format("A local optimum, for the problem is not convex: the gradient's norm is {:.3g}.",
                      now.steepest_norm));
    const double scale = settings.gradient_norm > 0 ? std::max(1.0, norm(shares, now.w)) : 1;
    if (now.steepest_norm <= settings.gradient_norm * scale)
      return run.finish(Termination::converged,
                        fmt::format("The gradient's norm is {:.3g}.", now.steepest_norm));
    if (!go_on) return run.stopped();
    if (run.passes() >= settings.max_passes) return run.passes_spent(settings.max_passes);
    return std::nullopt;
  };

  run.start(now.w);
  try {
    if (!run.resumes()) {
      run.still([&] { now.evaluate(objective, run, {}); });
      if (auto end = arrive()) return *std::move(end);
      turn(nullptr);
    }
    run.keeps([&](Snapshot& snapshot) {
      now.keep(snapshot, shares);
      shares.keep(snapshot, p);
      snapshot(pairs, tangents, slope, first_step);
    });
    for (;;) {
      bool found = false;
      run.still([&] { found = search(now, p, slope, first_step, next); });
      if (found) {
        std::swap(now, next);
        if (auto end = arrive()) return *std::move(end);
        const CurvaturePairs::Step step{next.w, now.w, next.gradient, now.gradient};
        turn(&step);
      } else if (!pairs.empty()) {
        pairs.clear();
        turn(nullptr);
      } else {
        return run.finish(Termination::no_progress,
                          "No lower point was found along the gradient: rounding errors are in the way.");
      }
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
