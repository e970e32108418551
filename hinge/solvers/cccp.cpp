#include "hinge/solvers/cccp.h"

#include <cassert>

#include "hinge/solvers/starting_planes.h"

namespace hinge {
namespace {

constexpr double kFirstShare = 0.1;  // of the objective: how exactly the first round is solved
constexpr double kShare = 0.1;       // of the last decrease: how exactly the others are
constexpr double kAllowance = 1e-9;  // relative; a plane may lie that much above what it bounds

// One run: where it stands, and the steps of a round.
class Rounds {
 public:
  Rounds(const Solver& inner, Objective& objective, Run& run, Start start, Keeper* keeper)
      : inner_(inner),
        objective_(objective),
        run_(run),
        keeper_(keeper),
        w_(starting_weights(objective, start)) {
    if (objective.was_linearized()) planes_ = std::move(start.planes);
    potentials_ = std::move(start.potentials);
    run.start(w_);
  }
  // The bound and the objective at the start.
  void begin() {
    ask_at(w_);
    bound_at(w_);
    value_ = run_.oracle([&] { return objective_.value(w_); });
    run_.primal(value_, w_);
  }

  // Minimises the bound until its gap is at most `enough`, or to the inner solver's own rule, and goes there
  // when that is better. Returns by how much the objective fell.
  double round(double enough) {
    if (next_ == Next::inner) minimise(enough);
    if (next_ == Next::there) look_there();
    if (next_ == Next::back) {
      run_.still([&] { ask_at(w_); });
      bound_at(w_);
      next_ = Next::inner;
    }
    found_.clear();
    return std::max(decrease_, 0.0);
  }

  // Between two rounds, and within one: planes and potentials are the inner solver's to keep while it is at work.
  void keep(Snapshot& snapshot) {
    objective_.keep(snapshot);
    snapshot(w_, value_, inner_gap_, clamped_size_, solved_, stopped_, end_, rises_, next_, decrease_, found_,
             found_value_);
    if (next_ != Next::inner) keep_left(snapshot, objective_, planes_, potentials_);
  }
  // The run to end, with the planes for a later one.
  Run& leave() {
    run_.planes(std::move(planes_));
    run_.potentials(std::move(potentials_));
    return run_;
  }
  bool report() { return run_.round({.inner_gap = inner_gap_, .planes = planes_ ? planes_->planes() : 0}); }
  double value() const { return value_; }
  bool stopped() const { return stopped_; }
  bool solved() const { return solved_; }  // the last round, to the inner solver's own rule
  bool inner_failed() const { return solved_ && end_ != Termination::converged; }
  std::size_t rises() const { return rises_; }

 private:
  // What of a round is to be done next: the inner solver's run, the bound where that ended, or where it began.
  enum class Next { inner, there, back };

  void minimise(double enough) {
    bool loose = false;
    const auto watch = [&](const Progress& p) {
      loose = p.gap() <= enough || p.estimated_gap <= enough;
      stopped_ = !run_.within_round({.inner_gap = p.gap() / std::abs(p.primal), .planes = p.planes});
      return !stopped_ && !loose;
    };
    Summary found = inner_.descend(objective_, {w_, std::move(planes_), std::move(potentials_)},
                                   Observer{watch, run_.stop()}.keeping(keeper_));
    run_.phases().oracle += found.phases.oracle;
    run_.phases().oracle_cpu += found.phases.oracle_cpu;
    if (run_.stops()) leave_at(found.weights, found.primal);
    solved_ = !loose && !stopped_;
    inner_gap_ = found.relative_gap();
    end_ = found.termination;
    planes_ = std::move(found.planes);
    potentials_ = std::move(found.potentials);
    found_ = std::move(found.weights);
    found_value_ = found.primal;
    next_ = Next::there;
  }
  void look_there() {
    try {
      run_.still([&] { ask_at(found_); });
    } catch (const Stopped&) {
      leave_at(found_, found_value_);
    }
    const double size_before =
        clamped_size_;  // the plane's offset is as exact as the numbers it was made from
    const double fall = bound_at(found_), value = found_value_ - fall;
    decrease_ = value_ - value;
    if (fall < -kAllowance * (std::abs(value) + std::max(clamped_size_, size_before))) {
      assert(!objective_.inference().exact() && "a plane of clamped lies above it");
      ++rises_;
    }
    next_ = decrease_ > 0 ? Next::inner : Next::back;
    if (decrease_ > 0) {
      value_ = value;
      w_ = std::move(found_);
      run_.primal(value, w_);
    }
  }

  // Stopped within a round: its weights are better where the bound says so, and better than nothing in the
  // first round.
  [[noreturn]] void leave_at(Weights w, double primal) {
    if (std::isfinite(primal))
      run_.latest(w, primal);
    else if (run_.summary().iterations == 0)
      run_.latest(w, -INFINITY);
    throw Stopped();
  }

  void ask_at(Weights w) {
    run_.oracle([&] { clamped_ = objective_.clamped_at(w); });
  }
  // Where was asked last. Returns by how much the bound fell.
  double bound_at(Weights w) {
    const auto [fall, size, changes] = objective_.linearize(w, std::move(clamped_));
    if (planes_) shift_planes(objective_, changes, *planes_);
    clamped_size_ = size;
    return fall;
  }

  const Solver& inner_;
  Objective& objective_;
  Run& run_;
  Keeper* keeper_;
  Vector w_;
  std::shared_ptr<PlaneModel> planes_;
  std::shared_ptr<const Potentials> potentials_;
  double value_ = 0, inner_gap_ = 0;
  double clamped_size_ = 0;  // of the numbers that the bound was last made from
  Next next_ = Next::inner;
  std::vector<Plane> clamped_;  // where was asked last
  Vector found_;                // where the inner solver ended, and the bound there
  double found_value_ = 0, decrease_ = 0;
  bool stopped_ = false, solved_ = false;
  Termination end_ = Termination::converged;
  std::size_t rises_ = 0;  // rounds in which approximate inference let the bound rise
};

std::string local_optimum(const Rounds& rounds, double share) {
  std::string text = fmt::format(
      "A local optimum, for the problem is not convex: the last round lowered the objective by at most {:g} "
      "of it.",
      share);
  if (rounds.inner_failed()) text += " The inner solver ended before its gap was reached.";
  if (rounds.rises() > 0)
    text += fmt::format(" In {} rounds approximate inference let the bound rise.", rounds.rises());
  return text;
}

}  // namespace

std::vector<OptionRef> Cccp::options() {
  std::vector<OptionRef> all = list_options(settings);
  if (inner_)
    for (const OptionRef& option : inner_->options()) all.push_back(option);
  return all;
}

std::vector<OptionGroup> Cccp::option_groups() {
  std::vector<OptionGroup> groups;
  if (inner_) groups = inner_->option_groups();
  groups.push_back({name(), list_options(settings)});
  return groups;
}

Summary Cccp::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  const auto made = inner_ ? nullptr : make_solver(objective.smooth() ? "lbfgs" : "frank_wolfe");
  const Solver& inner = inner_ ? *inner_ : *made;
  if (!objective.needs_linearizing()) return inner.descend(objective, std::move(start), observer);

  Run run(fmt::format("{} ({})", name(), inner.name()), objective, observer);
  const Followed after(objective);
  Rounds rounds(inner, objective, run, std::move(start), observer.keeper());
  double enough = 0;
  try {
    if (!run.resumes()) {
      run.still([&] { rounds.begin(); });
      enough = kFirstShare * std::abs(rounds.value());
    }
    run.keeps([&](Snapshot& snapshot) { snapshot(rounds, enough); });
    for (;;) {
      const double decrease = rounds.round(enough);
      const bool go_on = rounds.report() && !rounds.stopped();
      const bool little = decrease <= settings.decrease * std::abs(rounds.value());
      if (little && rounds.solved())
        return rounds.leave().finish(Termination::converged, local_optimum(rounds, settings.decrease));
      if (!go_on) return rounds.leave().stopped();
      if (run.summary().iterations >= static_cast<std::size_t>(settings.max_rounds))
        return rounds.leave().finish(
            Termination::iteration_limit,
            fmt::format("The limit of {} rounds came before the stopping rule.", settings.max_rounds));
      enough = little ? -1 : kShare * decrease;
    }
  } catch (const Stopped&) {
    return run.stopped();
  }
}

}  // namespace hinge
