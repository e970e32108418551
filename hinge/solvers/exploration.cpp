#include "hinge/solvers/exploration.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/random.h"
#include "hinge/oracle/drawn_oracle.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

constexpr double kSaddleTolerance = 1e-3;  // a perturbation that gains this share of the objective left one
constexpr double kProbeSpread = 0.5;       // of a perturbation, in units of the weights' own deviation
constexpr double kProbeShare = 0.25;       // passes of a probe, as a share of what was spent so far
constexpr double kProbeLeast = 10;         // and at least so many
constexpr int kMaxSaddles = 5;
constexpr double kNothing =
    0.02;                        // weights that gain no more than this share on zero weights learned nothing
constexpr int kRescueSteps = 4;  // of annealing

// Several runs of a solver as one: an observer that sees their sums, planes that go from one to the next, and
// a summary of all.
class Runs {
 public:
  Runs(const Solver& solver, Objective& objective, Start& start, const Observer& observer)
      : solver_(solver),
        objective_(objective),
        planes_(std::move(start.planes)),
        potentials_(std::move(start.potentials)),
        observer_(observer),
        inference_before_(objective.inference()) {}

  // Descends from w. `goal`: a value at which the run may end. `passes`: what it may take.
  Summary from(Vector w, double goal = -INFINITY, double passes = INFINITY) {
    Summary run =
        descend(objective_, {std::move(w), std::move(planes_), std::move(potentials_)}, goal, passes);
    planes_ = std::move(run.planes);
    potentials_ = std::move(run.potentials);
    return run;
  }
  // The same at other temperatures.
  Vector at(const Formulation& formulation, Vector w) {
    Objective stage(objective_.oracle(), formulation, objective_.C(), objective_.executor(),
                    objective_.regulariser());
    return descend(stage, {std::move(w)}, -INFINITY, INFINITY).weights;
  }

  // The same with hidden parts that are drawn, so that it is convex.
  Vector drawn(std::uint64_t seed) {
    const DrawnOracle oracle(objective_.oracle(), seed);
    Objective first(oracle, objective_.formulation(), objective_.C(), objective_.executor(),
                    objective_.regulariser());
    return descend(first, {}, -INFINITY, INFINITY).weights;
  }

  // Whether the weights do little better than none: a pass. False when that is stopped.
  bool learned_nothing(const Summary& run) {
    Objective same(objective_.oracle(), objective_.formulation(), objective_.C(), objective_.executor(),
                   objective_.regulariser());
    const Objective::Watch watch(same, observer_);
    try {
      return run.primal >= (1 - kNothing) * same.value(Vector(objective_.dimension()));
    } catch (const Stopped&) {
      return false;
    }
  }

  bool stopped() const { return stopped_ || observer_.stops(); }
  double passes() const { return passes_; }

  // `best` with the counts of all.
  Summary sum(Summary best) {
    if (stopped() && best.termination != Termination::stopped) {
      best.termination = Termination::stopped;
      best.message += " The observer ended the search for better ones.";
    }
    total_.solver = std::move(best.solver);
    total_.weights = std::move(best.weights);
    total_.primal = best.primal;
    total_.dual = best.dual;
    total_.termination = best.termination;
    total_.message = std::move(best.message);
    total_.planes = std::move(planes_);
    total_.potentials = std::move(potentials_);
    total_.inference = objective_.inference().since(inference_before_);
    return std::move(total_);
  }

 private:
  Summary descend(Objective& objective, Start start, double goal, double passes) {
    const auto watch = [&](const Progress& progress) {
      stopped_ = stopped_ || !observer_(added(progress));
      return !stopped_ && progress.primal >= goal && progress.passes < passes;
    };
    Summary run =
        solver_.descend(objective, std::move(start),
                        Observer{watch, [this] { return observer_.stops(); }}.keeping(observer_.keeper()));
    for (const Progress& progress : run.history) total_.history.push_back(added(progress));
    total_.add_work(run);
    passes_ += static_cast<double>(run.oracle_calls) / static_cast<double>(objective.size());
    return run;
  }

  Progress added(Progress progress) const {
    progress.iteration += total_.iterations;
    progress.oracle_calls += total_.oracle_calls;
    progress.passes += passes_;
    progress.seconds += total_.seconds;
    return progress;
  }

  const Solver& solver_;
  Objective& objective_;
  std::shared_ptr<PlaneModel> planes_;
  std::shared_ptr<const Potentials> potentials_;
  const Observer& observer_;
  InferenceReport inference_before_;
  Summary total_;
  double passes_ = 0;
  bool stopped_ = false;
};

Vector perturbed(Vector weights, std::size_t dimension, double spread, std::uint64_t seed) {
  weights.resize(dimension);
  Random random(seed);
  for (double& v : weights) v += spread * random.normal();
  return weights;
}

// The method with that share of the way from its temperatures to 1 behind it.
Formulation warmed(Formulation method, double share) {
  method.output_temperature += share * (1 - method.output_temperature);
  method.latent_temperature += share * (1 - method.latent_temperature);
  return method;
}

bool serves(const Objective& objective, const Formulation& method) {
  return objective.oracle().refusal(method.query(Side::free)).empty() &&
         objective.oracle().refusal(method.query(Side::clamped)).empty();
}

// The answer at each temperature on the way to the method's own is the start of the next.
Vector anneal(Runs& runs, const Formulation& target, Vector w, int steps) {
  double share = 1;
  for (int k = 0; k < steps && !runs.stopped(); ++k, share /= 2)
    w = runs.at(warmed(target, share), std::move(w));
  return w;
}

Vector first_weights(Runs& runs, const Objective& objective, const Exploration& exploration, int restart) {
  const auto k = static_cast<std::size_t>(restart);
  if (exploration.drawn) return runs.drawn(exploration.seed + k);
  if (exploration.init.empty() && exploration.task_starts)
    if (Vector w = objective.oracle().start({}, k); !w.empty()) return w;
  const double spread = k == 0 && !exploration.init.empty() ? 0 : exploration.spread;
  return perturbed(exploration.init, objective.dimension(), spread, exploration.seed + k);
}

// A collapsed run gets another start, at temperatures where many hidden structures share the first steps.
void rescue(Runs& runs, const Objective& objective, const Exploration& exploration, Summary& best) {
  if (best.termination != Termination::converged || !runs.learned_nothing(best)) return;
  if (exploration.anneal == 0 && !objective.formulation().smooth() &&
      serves(objective, warmed(objective.formulation(), 1)) &&
      serves(objective, warmed(objective.formulation(), 0.5))) {
    Vector w = perturbed({}, objective.dimension(), exploration.spread, exploration.seed + 0xa22ea1);
    Summary again = runs.from(anneal(runs, objective.formulation(), std::move(w), kRescueSteps));
    if (again.primal < best.primal) best = std::move(again);
    if (!runs.learned_nothing(best)) {
      best.message +=
          " From its first start it had learned nothing, so that temperatures were lowered in steps.";
      return;
    }
  }
  if (!runs.stopped())
    best.message +=
        " It does little better than zero weights: try a larger C, more `restarts`, or another `init`.";
}

// How far apart the restarts ended.
std::string spread(Weights reached, bool went_on) {
  const auto [low, high] = std::ranges::minmax(reached);
  double mean = 0, squares = 0;
  for (double value : reached) mean += value / static_cast<double>(reached.size());
  for (double value : reached) squares += (value - mean) * (value - mean);
  return fmt::format(" {} starts ended at {:g} to {:g} (mean {:g}, standard deviation {:.2g}); {}.",
                     reached.size(), low, high, mean,
                     std::sqrt(squares / static_cast<double>(reached.size() - 1)),
                     went_on ? "from the lowest it went on to where it is now" : "the lowest is kept");
}

double deviation(Weights w) { return std::sqrt(squared_norm(w) / static_cast<double>(w.size())); }

// Goes on from perturbations of the best weights as long as they lead lower.
int leave_saddles(Runs& runs, const Exploration& exploration, Summary& best) {
  int left = 0;
  for (int k = 0; k < kMaxSaddles && best.termination == Termination::converged; ++k) {
    const double own = kProbeSpread * deviation(best.weights);
    Vector w = perturbed(best.weights, best.weights.size(), own > 0 ? own : exploration.spread,
                         exploration.seed + 0x5add1e + static_cast<std::uint64_t>(k));
    const double goal = best.primal - kSaddleTolerance * std::abs(best.primal);
    const double passes = std::max(kProbeLeast, kProbeShare * runs.passes());
    Summary probe = runs.from(std::move(w), goal, passes);
    if (!(probe.primal < goal)) break;
    ++left;
    best = runs.stopped() ? std::move(probe) : runs.from(std::move(probe.weights));
  }
  return left;
}

// What follows the descents, of which `best` is the lowest: another start where it learned nothing, and the
// way out of saddles.
Summary settle(Runs& runs, const Objective& objective, const Exploration& exploration, Summary best,
               Vector reached) {
  rescue(runs, objective, exploration, best);
  const int left = leave_saddles(runs, exploration, best);
  if (left > 0)
    best.message += fmt::format(
        " Before that it stood where a perturbation led lower, as at a saddle of hidden states that are "
        "alike{}.",
        left > 1 ? fmt::format(" ({} times)", left) : "");
  if (reached.size() > 1) best.message += spread(reached, best.primal < *std::ranges::min_element(reached));
  Summary all = runs.sum(std::move(best));
  if (reached.size() > 1) all.restarts = std::move(reached);
  return all;
}

}  // namespace

Summary Solver::minimize(Objective& objective, Start start, const Observer& observer) const {
  if (objective.convex()) return descend(objective, std::move(start), observer);
  Runs runs(*this, objective, start, observer);
  Summary first = runs.from(starting_weights(objective, start));
  return settle(runs, objective, {}, std::move(first), {});
}

Summary explore(const Solver& solver, Objective& objective, Start start, const Exploration& exploration,
                const Observer& observer) {
  if (!objective.needs_linearizing()) {
    if (start.weights.empty()) start.weights = exploration.init;
    return solver.descend(objective, std::move(start), observer);
  }
  if (exploration.drawn && !DrawnOracle::can_draw(objective.oracle()))
    fail("drawn starts need a task that can draw what is hidden, by draw_features: use random ones instead.");
  Runs runs(solver, objective, start, observer);
  Summary best;
  Vector reached;
  for (int k = 0; k == 0 || (k < exploration.restarts && !runs.stopped()); ++k) {
    const bool given = k == 0 && !start.weights.empty();
    Vector w = given ? std::move(start.weights) : first_weights(runs, objective, exploration, k);
    Summary run =
        runs.from(anneal(runs, objective.formulation(), std::move(w), given ? 0 : exploration.anneal));
    if (std::isfinite(run.primal)) reached.push_back(run.primal);
    if (k == 0 || run.primal < best.primal) best = std::move(run);
  }
  return settle(runs, objective, exploration, std::move(best), std::move(reached));
}

Summary supervised_start(const Solver& solver, const Objective& objective, const Observer& observer) {
  const Oracle& oracle = objective.oracle();
  std::vector<std::size_t> complete;
  for (std::size_t i = 0; i < oracle.size(); ++i)
    if (oracle.determined(i)) complete.push_back(i);
  if (complete.empty())
    fail("no example has a complete label to learn from first: start from zero or random weights instead.");
  const SubsetOracle subset(oracle, std::move(complete));
  Objective supervised(subset, objective.formulation(), objective.C(), objective.executor(),
                       objective.regulariser());
  return solver.descend(supervised, {}, observer);
}

}  // namespace hinge
