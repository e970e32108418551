#include "hinge/solvers/stochastic.h"

#include <algorithm>
#include <numeric>

#include "hinge/core/random.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

// The iterate w = w0 + v / W, the mean of all iterates, and the mean of all planes; see the header.
class Iterates {
 public:
  // `weight` is that of the start, as if steps of that much weight had led to it.
  Iterates(const Regulariser& regulariser, const Vector& start, double weight)
      : regulariser_(regulariser), total_(weight), v_(start.size(), 0.0), z_(start.size(), 0.0) {
    if (regulariser.bounded()) lifted_.resize(start.size());
    if (weight == 0) return;
    start_.resize(start.size());
    for (std::size_t j = 0; j < start.size(); ++j)
      v_[j] = start_[j] = weight * (start[j] - regulariser.centre_at(j));
  }

  bool moved() const { return planes_ > 0; }
  double scale() const { return total_ == 0 ? 1 : 1 / total_; }
  Weights direction() const { return v_; }

  void step(double weight, double kappa, const Plane& plane) {
    mean_share_ += weight * scale();
    total_ += weight;
    planes_ += weight;
    offset_ += weight * kappa * plane.offset;
    const auto indices = plane.slope.indices();
    const auto values = plane.slope.values();
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const Index j = indices[k];
      const double change = -weight * kappa * values[k] / regulariser_.curvature_at(j);
      v_[j] += change;
      z_[j] += mean_share_ * change;
      if (regulariser_.bounded(j)) lift(j);
    }
  }

  void keep(Snapshot& snapshot) { snapshot(total_, planes_, mean_share_, offset_, v_, z_, start_, lifted_); }

  void current(Vector& w) const {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = regulariser_.centre_at(j) + scale() * v_[j];
  }
  void average(Vector& w) const {
    for (std::size_t j = 0; j < w.size(); ++j)
      w[j] = regulariser_.allowed(j, regulariser_.centre_at(j) + (mean_share_ * v_[j] - z_[j]) / planes_);
  }
  // After whole passes: the least value of Ω + the mean plane, whose slope is left in `slope`.
  double lower_bound(Vector& slope) const {
    for (std::size_t j = 0; j < slope.size(); ++j)
      slope[j] = -regulariser_.curvature_at(j) *
                 (v_[j] - (start_.empty() ? 0 : start_[j]) - (lifted_.empty() ? 0 : lifted_[j])) / planes_;
    return offset_ / planes_ + regulariser_.minimum_with(slope);
  }

 private:
  // Brings a weight that has become negative back to 0.
  void lift(Index j) {
    const double by = std::max(0.0, -regulariser_.centre_at(j) * total_ - v_[j]);
    v_[j] += by;
    z_[j] += mean_share_ * by;
    lifted_[j] += by;
  }

  const Regulariser& regulariser_;
  double total_, planes_ = 0;  // W, with and without the weight of the start
  double mean_share_ = 0;      // S
  double offset_ = 0;          // Σ p · plane.offset
  Vector v_, z_, start_;
  Vector lifted_;  // what bounds have added to v; empty without any
};

}  // namespace

Summary Stochastic::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  if (objective.regulariser().bounded() && !objective.regulariser().centre.empty())
    fail("solver stochastic keeps weights nonnegative around 0 alone: use frank_wolfe, or no centre.");
  const bool scaled = objective.serves_scaling() && objective.regulariser().centre.empty();
  const auto n = static_cast<double>(objective.size());
  const int first = start.weights.empty() ? 0 : settings.warm_passes;
  Run run(name(), objective, observer);
  Random random(settings.seed);

  Vector w = starting_weights(objective, start);
  run.start(w);
  Iterates iterates(objective.regulariser(), w, n * first * (first + 1) / 2);
  run.stands_at([&] { return hash_numbers(iterates.direction()); });
  std::vector<std::size_t> order(objective.size());
  std::iota(order.begin(), order.end(), 0);
  Plane plane;

  double value = 0;
  const auto measure = [&] { value = run.oracle([&] { return objective.value(w); }); };
  const auto bound = [&] {
    run.dual(iterates.lower_bound(w));
    iterates.average(w);
  };
  const auto finish = [&](Summary summary) {
    if (!scaled)
      summary.message += " Every step cost O(dimension): this problem does not serve scaled queries.";
    return summary;
  };

  try {
    int pass = first + 1;
    std::size_t at = 0;  // in the pass
    if (first > 0 && !run.resumes()) {
      run.still(measure);
      run.primal(value, w);
    }
    run.keeps([&](Snapshot& snapshot) { snapshot(pass, at, random, order, iterates); });
    const std::size_t stride = (order.size() + Keeper::kPoints - 1) / Keeper::kPoints;
    for (;; ++pass, at = 0) {
      for (; at < order.size(); ++at) {
        if (at % stride == 0) run.point();
        if (at == 0) random.shuffle(order);
        const std::size_t i = order[at];
        if (scaled) {
          run.oracle([&] { objective.plane_at_scale(i, iterates.scale(), iterates.direction(), plane); });
        } else {
          iterates.current(w);
          run.oracle([&] { objective.plane(i, w, plane); });
        }
        iterates.step(pass, n * objective.block_weight(i), plane);
      }
      const bool due = (pass - first) % settings.evaluate_every == 0;
      if (due) {
        bound();
        run.still(measure);
        run.primal(value, w);
      }
      const bool go_on = run.round();
      const bool spent = run.passes() >= settings.max_passes;
      if (!due && (!go_on || spent)) {
        bound();
        measure();
        run.primal(value, w);
      }
      if (run.within(settings.gap)) return finish(run.converged(settings.gap));
      if (!go_on) return finish(run.stopped());
      if (spent) return finish(run.passes_spent(settings.max_passes));
    }
  } catch (const Stopped&) {
    if (iterates.moved()) {
      iterates.average(w);
      run.latest(w, INFINITY);
    }
    return finish(run.stopped());
  }
}

}  // namespace hinge
