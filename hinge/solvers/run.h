// The bookkeeping that all solvers share: where to start, counts, times, the best primal and dual so far,
// history, the observer, and how a run ends.
#pragma once

#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/hash.h"
#include "hinge/core/ranks.h"
#include "hinge/learning/keeper.h"
#include "hinge/learning/objective.h"
#include "hinge/solvers/solver.h"

namespace hinge {

// The weights of `start`, else the regulariser's centre; as near to them as its bounds allow.
inline Vector starting_weights(const Objective& objective, Start& start) {
  const std::size_t dimension = objective.dimension();
  if (!start.weights.empty()) {
    if (start.weights.size() != dimension)
      fail("the weights to start from are {}, but the problem has {}: they belong to other data.",
           start.weights.size(), dimension);
    objective.regulariser().project(start.weights);
    return std::move(start.weights);
  }
  Vector first = objective.regulariser().centre;
  first.resize(dimension);
  objective.regulariser().project(first);
  return first;
}

// Solvers whose lower bounds need planes that lie below.
inline void require_convex(const std::string& solver, const Objective& objective) {
  if (!objective.convex())
    fail(
        "solver {} needs complete labels: put cccp around it, which makes the problem convex round by round.",
        solver);
}

inline void refuse_l1(const std::string& solver, const Objective& objective) {
  if (objective.regulariser().l1 > 0)
    fail("solver {} does not serve an L1 term: use lbfgs, or set l1 to 0.", solver);
}

// Ends a solver's own linearisation when the solver does, however it does.
class Followed {
 public:
  explicit Followed(Objective& objective) : objective_(objective) {}
  ~Followed() { objective_.follow(); }
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

 private:
  Objective& objective_;
};

class Run {
 public:
  // Seconds since it was made.
  class Timer {
   public:
    double seconds() const {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

   private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  // From now on the objective stops when the observer does. A solver that can have some of all weights says so: then
  // `shares` are those of its vectors, and of the regulariser here.
  Run(std::string solver, const Objective& objective, const Observer& observer)
      : Run(std::move(solver), objective, observer, objective.all_weights()) {}
  Run(std::string solver, const Objective& objective, const Observer& observer, const WeightShares& shares)
      : objective_(objective),
        shares_(shares),
        observer_(observer),
        watch_(objective, observer),
        first_call_(objective.oracle_calls()),
        inference_before_(objective.inference()) {
    summary_.solver = std::move(solver);
    if (!shares.by_number()) own_regulariser_ = objective.regulariser().of(shares.places());
  }
  const WeightShares& shares() const { return shares_; }
  const Regulariser& regulariser() const {
    return own_regulariser_ ? *own_regulariser_ : objective_.regulariser();
  }

  // Where a solver's own weights are others than the best that are known: their hash, on which ranks agree after each
  // round.
  void stands_at(std::function<std::uint64_t()> hash) { stands_at_ = std::move(hash); }
  // The weights to end with as long as the objective of none is known.
  void start(Weights w) { summary_.weights.assign(w.begin(), w.end()); }
  // A feasible point and its objective: kept when it is the best so far, or when a lower bound has shown that
  // inference missed the maxima of the best.
  void primal(double value, Weights w) {
    if (!(value < summary_.primal) && !(refuted() && value > summary_.primal)) return;  // also when it is NaN
    summary_.primal = value;
    summary_.weights.assign(w.begin(), w.end());
  }
  // The same for a solver that keeps the last point, whatever it is.
  void replace(double value, Weights w) {
    summary_.primal = value;
    summary_.weights.assign(w.begin(), w.end());
  }
  // For a run that is stopped: where it stands, when the best whose objective was computed is no better than
  // `estimate`.
  void latest(Weights w, double estimate) {
    if (std::isfinite(summary_.primal) && !(estimate < summary_.primal)) return;
    replace(std::numeric_limits<double>::infinity(), w);
  }
  void dual(double bound) { summary_.dual = std::max(summary_.dual, bound); }
  // What a later run may start from.
  void planes(std::shared_ptr<PlaneModel> model) { summary_.planes = std::move(model); }
  void potentials(std::shared_ptr<const Potentials> state) { summary_.potentials = std::move(state); }
  bool within(double relative_gap) const {
    return std::isfinite(summary_.primal) && summary_.gap() <= relative_gap * std::abs(summary_.primal);
  }

  // For a later process that goes on from here (keeper.h): `own` is what the solver knows besides. Returns
  // whether this is that later process, and all was read.
  bool keeps(Keeper::State own) {
    Keeper* const keeper = observer_.keeper();
    return keeper != nullptr && keeper->has([this, own = std::move(own)](Snapshot& snapshot) {
      keep(snapshot);
      own(snapshot);
    });
  }
  // Whether it will be: for what comes before the state.
  bool resumes() const {
    const Keeper* const keeper = observer_.keeper();
    return keeper != nullptr && keeper->resumes();
  }
  // Where that is whole. A run that is to end says nothing more of itself: something may have been cut short.
  void point() {
    Keeper* const keeper = observer_.keeper();
    if (keeper == nullptr) return;
    objective_.throw_if_stopped();
    keeper->point();
  }
  // A pass over the examples that changes nothing of what is kept, its result neither: where the process is to end meanwhile, it
  // is given up as if it had not begun.
  template <class Pass>
  void still(const Pass& pass) {
    Keeper* const keeper = observer_.keeper();
    if (keeper == nullptr) return pass();
    point();
    const Keeper::Still still(*keeper);
    const Objective::Asked asked = objective_.asked();
    try {
      pass();
      if (objective_.stops() && keeper->leaves()) throw Stopped();
    } catch (const Stopped&) {
      if (keeper->leaves()) {
        objective_.go_back_to(asked);
        keeper->leave();
      }
      throw;
    }
  }

  // Ends a round: records it and asks the observer. False when the run must stop. `own` has what only the
  // solver knows: planes, gradient_norm, estimated_gap, inner_gap.
  bool round(Progress own = {}) {
    ++summary_.iterations;
    summary_.history.push_back(progress(own));
    return tell(summary_.history.back());
  }
  // Asks the observer within a round, of which nothing is recorded.
  bool within_round(Progress own) { return tell(progress(own)); }
  bool stops() const { return observer_.stops(); }
  Observer::Stop stop() const {
    return [this] { return stops(); };
  }
  // A gap that satisfies the observer, whatever the solver's own rule.
  double enough() const { return observer_.enough(summary_.dual); }

  // Whether the last rounds, many of them, changed neither the primal nor the dual.
  bool stalled() const {
    constexpr std::size_t kMany = 50;
    const auto& history = summary_.history;
    if (history.size() <= kMany) return false;
    const Progress &now = history.back(), &then = history[history.size() - 1 - kMany];
    if (now.dual == 0) return false;  // planes have not bounded anything yet, and are still gathered
    return now.primal == then.primal && now.dual == then.dual;
  }

  Progress progress(Progress own) const {
    own.iteration = summary_.iterations;
    own.oracle_calls = calls();
    own.passes = passes();
    own.primal = summary_.primal;
    own.dual = refuted() ? -INFINITY : summary_.dual;
    own.seconds = seconds();
    return own;
  }
  std::size_t calls() const { return objective_.oracle_calls() - first_call_; }
  double passes() const { return static_cast<double>(calls()) / static_cast<double>(objective_.size()); }
  const Summary& summary() const { return summary_; }
  PhaseTimes& phases() { return summary_.phases; }

  // Runs `work` and counts its time as inference; that of the processor only where there are ranks, whose exchanges are
  // counted by themselves.
  template <class Work>
  decltype(auto) oracle(Work&& work) {
    struct Stopwatch {
      const Run& run;
      PhaseTimes& phases;
      Timer timer = {};
      double cpu = run.cpu_outside_exchanges();
      ~Stopwatch() {
        phases.oracle += timer.seconds();
        phases.oracle_cpu += run.cpu_outside_exchanges() - cpu;
      }
    } stopwatch{*this, summary_.phases};
    return work();
  }

  // The usual ends.
  Summary converged(double relative_gap) {
    if (refuted())
      return finish(
          Termination::no_progress,
          "The lower bound passed the objective: inference misses maxima, so that neither is certain.");
    if (summary_.primal == 0)
      return finish(Termination::converged,
                    "Zero weights cost nothing already: this data has nothing to teach.");
    const bool exact = objective_.inference().since(inference_before_).exact();
    return finish(Termination::converged,
                  fmt::format("The relative gap {}is at most {:g}.",
                              exact ? "" : "between what inference found on both sides ", relative_gap));
  }
  Summary passes_spent(double limit) {
    return finish(Termination::iteration_limit,
                  fmt::format("The limit of {:g} passes came before the stopping rule.", limit));
  }
  Summary stopped() {
    return finish(Termination::stopped,
                  std::isfinite(summary_.primal)
                      ? "The observer ended the run; these are the best weights so far."
                      : "The observer ended the run; these are the last weights, whose objective was not "
                        "computed.");
  }

  Summary no_progress() {
    return finish(Termination::no_progress,
                  "Neither bound moves any more: rounding allows no smaller gap than this one.");
  }

  // How the run ends after a round, if it does: at the gap, by the observer, or at the limit of passes.
  std::optional<Summary> ended(bool go_on, double gap, double max_passes) {
    if (within(gap)) return converged(gap);
    if (!go_on) return stopped();
    if (passes() >= max_passes) return passes_spent(max_passes);
    return std::nullopt;
  }

  Summary finish(Termination termination, std::string message) {
    summary_.termination = termination;
    summary_.message = std::move(message);
    if (refuted()) summary_.dual = -INFINITY;
    summary_.inference = objective_.inference().since(inference_before_);
    if (!summary_.inference.exact()) summary_.message.append(" ").append(caution(summary_.inference));
    summary_.oracle_calls = calls();
    summary_.seconds = seconds();
    summary_.phases.model = summary_.seconds - summary_.phases.oracle;
    summary_.cpu_seconds = cpu_seconds();
    summary_.phases.exchange_cpu = exchange_cpu();
    if (shares_.some()) objective_.give_back_room();  // which is larger than a rank's own weights
    summary_.weights = shares_.whole(std::move(summary_.weights));
    return std::move(summary_);
  }

 private:
  bool tell(Progress progress) const {
    if (stands_at_ && ranks_ != nullptr)
      objective_.agree(Vector{std::bit_cast<double>(stands_at_())});
    else
      objective_.agree(shares_, summary_.weights);
    if (shares_.by_number()) progress.weights = summary_.weights;
    return observer_(progress);
  }
  double seconds() const { return earlier_seconds_ + wall_.seconds(); }
  double cpu_seconds() const {
    return earlier_cpu_seconds_ + static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
  }
  double exchanged() const { return ranks_ == nullptr ? 0 : ranks_->traffic().cpu_seconds; }
  double exchange_cpu() const { return earlier_exchange_cpu_ + exchanged() - first_exchanged_; }
  double cpu_outside_exchanges() const {
    return ranks_ == nullptr ? 0 : static_cast<double>(std::clock()) / CLOCKS_PER_SEC - exchanged();
  }
  void keep(Snapshot& snapshot) {
    summary_.phases.exchange_cpu = exchange_cpu();
    std::size_t made = calls();
    double wall = seconds(), cpu = cpu_seconds();
    InferenceReport inference = objective_.inference();
    Vector weights = std::move(summary_.weights);  // the summary is kept without
    summary_.weights.clear();
    snapshot(summary_, made, wall, cpu);
    summary_.weights = std::move(weights);
    shares_.keep(snapshot, summary_.weights);
    hinge::keep(snapshot, inference);
    hinge::keep(snapshot, inference_before_);
    if (!snapshot.reading()) return;
    first_call_ = objective_.oracle_calls() - made;
    earlier_seconds_ = wall - wall_.seconds();
    earlier_cpu_seconds_ = 0;
    earlier_cpu_seconds_ = cpu - cpu_seconds();
    earlier_exchange_cpu_ = summary_.phases.exchange_cpu;
    first_exchanged_ = exchanged();
    objective_.answered_before(inference);
  }
  // Beyond rounding no lower bound passes an objective whose maxima were found.
  bool refuted() const { return summary_.gap() < -1e-9 * std::abs(summary_.primal); }

  const Objective& objective_;
  const WeightShares& shares_;
  std::optional<Regulariser> own_regulariser_;
  const Observer& observer_;
  Objective::Watch watch_;
  std::size_t first_call_;
  InferenceReport inference_before_;
  Summary summary_;
  std::function<std::uint64_t()> stands_at_;
  Timer wall_;
  std::clock_t cpu_start_ = std::clock();
  double earlier_seconds_ = 0, earlier_cpu_seconds_ = 0;
  const Ranks* ranks_ = objective_.executor().ranks();
  double earlier_exchange_cpu_ = 0, first_exchanged_ = exchanged();
};

}  // namespace hinge
