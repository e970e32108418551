#include "hinge/solvers/soft_dual.h"

#include <algorithm>
#include <concepts>
#include <numeric>
#include <optional>

#include "hinge/core/random.h"
#include "hinge/core/sum.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/spread_oracle.h"
#include "hinge/solvers/dual_climb.h"
#include "hinge/solvers/exact_dual.h"
#include "hinge/solvers/run.h"
#include "hinge/solvers/shared_dual.h"

namespace hinge {
namespace {

constexpr double kSingleRounding = 3e-6;  // of the numbers that a change of D is made from
// Gaps below the first want steps in double, and so do those of which the second share is of steps that rounding hides.
constexpr double kSingle = 5e-6, kFaint = 0.15;
constexpr int kSingleIdle = 5, kKeptIdle = 10;
// What a run knows between its waves, whichever precision these are made in.
struct Standing {
  bool single = false;        // the next pass is
  bool finds_counts = false;  // at each visit, since those that are kept are too rough
  Random random;
  std::shared_ptr<Potentials> state = std::make_shared<Potentials>();
  Vector gap;                        // of each block, when last visited
  std::vector<unsigned char> faint;  // whether rounding hid what its step then gained
  std::vector<std::size_t> order;
  AlignedVectorOf<float> single_w;  // in the layout, while passes are in single precision
  double square = 0;                // |w|²_R
  bool lost = false;                // some example could not be solved where it stands, in this precision
  DualPass visits;
  DualCourse course;

  explicit Standing(std::uint64_t seed) : random(seed) {}
  void keep(Snapshot& snapshot) {
    snapshot(single, finds_counts, random, *state, gap, faint, order, single_w, square, lost, visits, course);
  }
};

// The steps of a run in one precision.
template <class Real>
class Ascent {
 public:
  using Block = DualBlock<Real>;
  static constexpr bool kDouble = std::same_as<Real, double>;

  Ascent(const SoftDualOptions& options, Objective& objective, ExactDual& exact, Standing& standing, Run& run)
      : objective_(objective),
        run_(run),
        exact_(exact),
        standing_(standing),
        temperature_(exact.query().output_temperature),
        keeps_counts_(options.room == "full" &&
                      (!kDouble || (options.gap >= kKept && !standing.finds_counts))),
        rounding_(kDouble ? keeps_counts_ ? kKeptRounding : kRounding : kSingleRounding),
        wave_(objective, [&] { return parts(exact); }),
        share_(exact.shares().begin(), exact.shares().end()) {
    if constexpr (!kDouble) {
      for (Block& block : wave_.all()) block.shortens = options.room == "short";
      if (standing.single_w.empty()) standing.single_w.assign(exact.w().begin(), exact.w().end());
    }
  }
  static std::unique_ptr<PartsOf<Real>> parts(const ExactDual& exact) {
    if constexpr (kDouble)
      return exact.oracle().parts(exact.query());
    else
      return exact.oracle().single_parts(exact.query());
  }

  // Whether D belongs to w up to the rounding of sums. Counts that are kept are rounded, and w follows them, and so
  // it does steps in single precision: D is then true only after a rebuild.
  bool exact() const { return kDouble && !keeps_counts_; }
  double primal() {
    if constexpr (!kDouble) std::ranges::copy(standing_.single_w, exact_.w().begin());
    return exact_.primal();
  }
  // w and what D is made of, anew from θ.
  void rebuild() {
    exact_.rebuild(*standing_.state, kDouble && keeps_counts_);
    if constexpr (!kDouble) std::ranges::copy(exact_.w(), standing_.single_w.begin());
    standing_.square = exact_.square(exact_.w());
  }

  // Visits examples in random order, those with small gaps less often, until the gap seen is small enough;
  // returns it. A pass that was begun is gone on with.
  double pass(double enough) {
    return run_.oracle([&] { return visit_all(enough); });
  }
  bool in_pass() const { return standing_.visits.begun; }
  void take_share() { exact_.take_share(standing_.course.growing.share); }
  Vector& steps() { return standing_.state->step; }
  std::shared_ptr<const Potentials> potentials() const { return standing_.state; }
  // Whether passes in double, or counts that are not kept, would come further.
  bool gives_way() const {
    const DualCourse& at = standing_.course;
    if (kDouble) return keeps_counts_ && at.idle >= kKeptIdle;
    return lost() || at.idle >= kSingleIdle || at.seen < kSingle * std::abs(at.dual) ||
           faint_share() > kFaint;
  }
  double visit_all(double enough) {
    DualPass& visits = standing_.visits;
    const auto point = [this] { run_.point(); };
    const auto ask = [this](std::size_t calls) { objective_.count_calls(calls); };
    if (!visits.begun) {
      point();
      visits.enough = enough;
      visits.choose(standing_.random, standing_.order, standing_.gap,
                    [this](std::size_t i) { return theta(i).empty() && !apart(i, wave_.alone(i).planes); });
      ask(visits.first.size());
    }
    const std::size_t wave = wave_.all().size();
    while (visits.left < visits.first.size()) {
      if (visits.left > 0) point();
      const std::size_t count =
          std::min(DualPass::stride(visits.first, wave), visits.first.size() - visits.left);
      wave_.over(std::span(visits.first).subspan(visits.left, count), [this] { leave_labels(); });
      visits.left += count;
    }
    visits.visit_again(
        wave, [this] { return seen_gap(); }, point, ask,
        [this](DualPass::Examples examples) { wave_.over(examples, [this] { visit(); }); });
    standing_.visits = {};
    measure_weights();
    return seen_gap();
  }
  // |w|², of which D is made: anew where a pass, or w itself, was not made to its end. Examples that a rebuild has not come to
  // stand at their labels then.
  void measure_weights() { standing_.square = exact_.square(w()); }

  // The share of the gap seen that is of steps which rounding hides.
  double faint_share() const {
    double sum = 0;
    for (std::size_t i = 0; i < standing_.gap.size(); ++i) sum += standing_.faint[i] ? standing_.gap[i] : 0;
    return sum > 0 ? sum / seen_gap() : 0;
  }

  bool lost() const { return standing_.lost; }
  double dual() const { return exact_.terms().dual(standing_.square); }
  double proven_dual() const { return exact_.terms().proven(standing_.square); }
  std::uint64_t hash() { return hash_bytes({reinterpret_cast<const char*>(w().data()), w().size_bytes()}); }
  Vector weights() { return exact_.narrow_weights<Real>(w()); }

 private:
  std::span<Real> w() {
    if constexpr (kDouble)
      return exact_.w();
    else
      return standing_.single_w;
  }
  const Real* share() const { return share_.empty() ? nullptr : share_.data(); }
  PotentialRow& theta(std::size_t i) { return standing_.state->theta[i]; }
  double seen_gap() const { return tree_sum(standing_.gap); }
  double kappa(const Block& block) const { return exact_.kappa(block.example); }
  double& value(const Block& block) { return exact_.terms().value[block.example]; }
  // What D has of a block whose trial w follows.
  void account(const Block& block) {
    value(block) = block.value - exact_.offset(block.example);
    exact_.terms().doubt[block.example] = block.doubt(temperature_);
  }
  double pour(Block& block) { return block.parts->pour(block.difference, kappa(block), w(), share()); }
  // What the counts that are kept are differences to, if they are.
  const std::vector<Real>* label_of(const Block& block) const {
    return exact_.determined(block.example) ? &block.label : nullptr;
  }

  // Keeps where the trial leads, rounded, before it is known whether that is accepted.
  void keep(Block& block) {
    if (block.shortens)
      theta(block.example) = block.shortened;
    else
      theta(block.example).set(block.trial);
    std::vector<float>& counts = standing_.state->counts[block.example];
    if constexpr (kDouble) {
      if (keeps_counts_) narrow_counts(block.trial_counts, label_of(block), counts);
    } else if (keeps_counts_) {
      narrow(block.trial_counts, counts);
    }
  }

  void visit() {
    wave_.in_order([this](Block& block) { look(block); }, [this](Block& block) { set_out(block); },
                   [this](Block& block) { settle(block); });
  }
  // All that a visit reads of w before it moves that.
  void look(Block& block) {
    const std::size_t i = block.example;
    block.look(i, w());
    block.growth = 0;
    block.step = standing_.state->step[i];
    measure_apart(block);
    if (theta(i).empty())  // only where parts are apart
      exact_.at_label<Real>(block, w());
    else if (kDouble && keeps_counts_ && exact_.determined(i))
      block.parts->clamped(w(), block.label);
  }
  void set_out(Block& block) {
    const std::size_t i = block.example;
    if (theta(i).empty()) {
      block.counts = block.label;
      block.theta.assign(block.s.begin(), block.s.end());
    } else {
      theta(i).get(block.theta);
      find_counts(block);
    }
    block.loss_from = block.parts->loss(block.counts);
    try_step(block, block.counts);
    block.gap = hidden_gap(block);
  }
  void find_counts(Block& block) {
    const std::vector<float>& counts = standing_.state->counts[block.example];
    if constexpr (kDouble) {
      if (keeps_counts_) return widen_counts(counts, label_of(block), block.counts);
    } else if (counts.size() == block.size()) {
      return widen(counts, block.counts);
    }
    block.parts->solve(block.theta, block.counts);
  }
  // Where the oracle lists the planes of an example, one for each of its parts, these share no feature.
  bool apart(std::size_t i, ProductPlanes& planes) const {
    if (!kDouble || exact_.widened()) return false;
    const Query listed{.side = Side::excess, .loss_weight = exact_.query().loss_weight};
    return exact_.oracle().all_planes(i, listed, planes) && hinge::apart(planes);
  }
  void measure_apart(Block& block) const {
    ProductPlanes& planes = block.planes;
    block.curvature.clear();
    if (!apart(block.example, planes)) return;
    block.curvature.assign(block.size(), 0.0);
    double sum = 0;
    for (std::size_t k = 0; k < planes.row.size(); ++k) {
      const double square = static_cast<double>(planes.value[k]) * static_cast<double>(planes.value[k]);
      sum += square;
      for (Index p = 0; !share_.empty() && p < block.size(); ++p)
        for_each_component(planes, p, [&](Index c) {
          block.curvature[p] += square * static_cast<double>(share_[planes.row[k] * planes.components() + c]);
        });
    }
    for (Index p = 0; p < block.size(); ++p) {
      if (share_.empty()) for_each_component(planes, p, [&](Index) { block.curvature[p] += sum; });
      block.curvature[p] *= kappa(block);
    }
    block.step = 1;
  }
  // Where an example is so sure of itself that a step changes nothing, its gap is not seen in that: computed.
  double hidden_gap(Block& block) const {
    const double q = (block.ahead - block.behind) / block.step;
    if (block.curvature.empty() && q > 0.1 * temperature_) return NAN;
    if (block.curvature.empty() && farthest(block.s, block.theta) < 4 * temperature_) return NAN;
    using Row = std::vector<Real>;
    Row& scores = scratch<Row, struct HiddenScores>();
    Row& counts = scratch<Row, struct HiddenCounts>();
    scores.assign(block.s.begin(), block.s.end());
    counts.resize(block.size());
    return block.parts->solve(scores, counts).value - product(block.s, block.counts) + block.loss_from -
           (exact_.terms().value[block.example] + exact_.offset(block.example));
  }
  // Moves w along, and takes the trial back as long as D falls by it. Returns the gain in D.
  double settle(Block& block) {
    const std::size_t i = block.example;
    const double kappa = this->kappa(block), offset = exact_.offset(i), before = value(block) + offset;
    const bool apart = !block.curvature.empty();
    double &next = standing_.state->step[i], &known = standing_.gap[i];
    double seen = 0;     // by the last trial that went anywhere
    bool moved = false;  // w, by a trial
    for (int tries = 0;; ++tries) {
      if (!sound(block)) {
        if (block.step == 0) return give_up(block, moved);
        block.step = tries < kTries ? 0.5 * block.step : 0;
        try_step(block, moved ? placed_ : block.counts);
        continue;
      }
      moved = true;
      block.growth += pour(block);
      const double gain = kappa * (block.value - before) - 0.5 * block.growth;
      account(block);
      const auto gap = [&] { return kappa * std::max(0.0, std::isnan(block.gap) ? seen : block.gap); };
      if (block.step == 0) {  // it stands where rounding lets it go no further, perhaps since it began
        if (std::isinf(known)) known = gap();
        return gain;
      }
      seen = 0.5 * (block.ahead - block.behind) / block.step;
      const double noise = rounding_ * (std::abs(block.growth) + 2 * kappa * std::abs(block.ahead)) +
                           kappa * (kDouble ? kRounding * (1 + block.magnitude) : kSingleRounding);
      if (!apart) next = next_step(block, noise, gain);
      if (gain >= -noise || (apart && tries > 0)) {  // the optimum of the example, but for rounding
        known = gap();
        standing_.faint[i] = noise > 0.5 * kappa * (block.ahead - block.behind);
        return gain;
      }
      if (tries == 0 && wave_.blocks().size() > 1) {
        look_again(block);
        value(block) = before - offset;
        continue;
      }
      block.step = tries < kTries ? std::min(0.5 * block.step, next) : 0;
      if (block.step > 0) next = std::max(kLeastStep, std::min(next, block.step));
      std::swap(placed_, block.trial_counts);
      block.trial_counts.resize(block.size());
      try_step(block, placed_);
    }
  }
  // Where scores are too large for this precision: w stays, or goes back to where the example stood.
  double give_up(Block& block, bool moved) {
    standing_.lost = true;
    for (std::size_t p = 0; moved && p < block.size(); ++p)
      block.difference[p] = placed_[p] - block.counts[p];
    if (moved) pour(block);
    block.trial = block.theta;
    block.trial_counts = block.counts;
    if constexpr (!kDouble)
      if (block.shortens) block.shortened.set_short(block.trial);
    keep(block);
    if (std::isinf(standing_.gap[block.example])) standing_.gap[block.example] = 0;
    return 0;
  }
  // Newton's step on the line that the trial was on.
  double next_step(const Block& block, double noise, double gain) const {
    const double kappa = this->kappa(block), step = block.step, next = standing_.state->step[block.example];
    const double q = (block.ahead - block.behind) / step;
    const double Q = std::max(0.0, block.growth + 2 * kappa * (block.ahead - block.loss + block.loss_from)) /
                     (kappa * step * step);
    if (kappa * step * std::max(q, Q * step) > 10 * noise)
      return std::clamp(q > 0 ? q / (q + Q) : step, kLeastStep, kMostStep);
    // Too little to measure, and so to harm.
    return gain >= -noise ? std::max(next, std::min(2 * step, kFirstStep)) : next;
  }
  // Others have moved w since the trial was made: back, and from where w is now.
  void look_again(Block& block) {
    for (std::size_t p = 0; p < block.size(); ++p)
      block.difference[p] = block.trial_counts[p] - block.counts[p];
    pour(block);
    block.look(block.example, w());
    block.growth = 0;
    try_step(block, block.counts);
  }
  void try_step(Block& block, const std::vector<Real>& placed) {
    block.attempt(temperature_);
    keep(block);
    block.measure(placed);
  }

  // The first visit, and as many as it takes until D is not below what it was at the label; else back to that.
  void leave_labels() {
    wave_.in_order([this](Block& block) { look_first(block); },
                   [this](Block& block) { set_out_first(block); },
                   [this](Block& block) {
                     if (block.size() == 0)  // nothing to choose
                       standing_.gap[block.example] = 0;
                     else if (std::isnan(block.gap))
                       leave_label(block);
                     else
                       have_left(block, block.gap, block.label);
                   });
  }
  void look_first(Block& block) {
    block.look(block.example, w());
    if (block.size() > 0) exact_.at_label<Real>(block, w());
  }
  // To where the task would go first, if it knows.
  void set_out_first(Block& block) {
    if (block.size() == 0) return;
    block.theta.assign(block.s.begin(), block.s.end());
    block.gap = kappa(block) * block.parts->first(kappa(block), share(), block.trial);
    if (std::isnan(block.gap)) return;
    block.solve_trial();
    keep(block);
    block.measure(block.label);
    block.growth = 0;
  }
  void leave_label(Block& block) {
    const std::size_t i = block.example;
    block.look(i, w());
    const double before = value(block) + exact_.offset(i), kappa = this->kappa(block);
    exact_.at_label<Real>(block, w());
    block.theta.assign(block.s.begin(), block.s.end());
    const double soft = block.parts->solve(block.theta, block.counts).value;
    if (!std::isfinite(soft)) {
      standing_.lost = true;
      return stay_at_label(block, 0, block.label);
    }
    const double gap = kappa * std::max(0.0, soft - product(block.theta, block.label) +
                                                 block.parts->loss(block.label) - before);
    for (std::size_t p = 0; p < block.size(); ++p) block.difference[p] = block.label[p] - block.counts[p];
    block.growth = pour(block);
    block.look(i, w());
    block.welcome(temperature_);
    keep(block);
    block.measure(block.counts);
    have_left(block, gap, block.counts);
  }
  // Moves w to where the trial leads, and visits the block again until D is not below what it was at the label.
  // w had the counts `placed` of it until now.
  void have_left(Block& block, double gap, const std::vector<Real>& placed) {
    const std::size_t i = block.example;
    const double offset = exact_.offset(i), before = value(block) + offset;
    if (!sound(block)) {
      standing_.lost = true;
      return stay_at_label(block, std::isfinite(gap) ? gap : 0, placed);
    }
    block.growth += pour(block);
    double gain = kappa(block) * (block.value - before) - 0.5 * block.growth;
    account(block);
    standing_.gap[i] = gap;
    for (int tries = 0; gain < 0 && tries < kTries; ++tries) {
      look(block);
      set_out(block);
      gain += settle(block);
    }
    if (gain < 0) stay_at_label(block, gap, block.trial_counts);
  }
  void stay_at_label(Block& block, double gap, const std::vector<Real>& placed) {
    const std::size_t i = block.example;
    standing_.gap[i] = gap;
    placed_ = placed;
    value(block) = exact_.at_label<Real>(block, w()) - exact_.offset(i);
    for (std::size_t p = 0; p < block.size(); ++p) block.difference[p] = placed_[p] - block.label[p];
    pour(block);
    theta(i).clear();
  }

  Objective& objective_;
  Run& run_;
  ExactDual& exact_;
  Standing& standing_;
  double temperature_;
  bool keeps_counts_;
  double rounding_;
  DualWave<Real> wave_;
  std::vector<Real> share_;   // in the layout; empty: ones
  std::vector<Real> placed_;  // the counts that w has of an example whose trial was not accepted
};

// An earlier run's potentials under this C, or new ones.
void take(Start& start, const Objective& objective, ExactDual& exact, Standing& standing) {
  const std::size_t n = objective.size();
  Potentials& state = *standing.state;
  standing.gap.assign(n, INFINITY);
  standing.faint.assign(n, false);
  standing.order.resize(n);
  std::iota(standing.order.begin(), standing.order.end(), std::size_t{0});
  const bool fresh = start.potentials == nullptr || start.potentials->theta.size() != n;
  if (!fresh) {
    state = *start.potentials;
    GrowingC::rescale(state.step, objective.C() / state.C);
  } else {
    state.theta.resize(n);
    state.step.assign(n, kFirstStep);
    standing.course.growing.begin(objective.C() / static_cast<double>(n));
  }
  state.counts.assign(n, {});
  state.C = objective.C();
  start.potentials.reset();
  standing.single = !objective.needs_linearizing() && Ascent<float>::parts(exact) != nullptr;
  if (objective.needs_linearizing())
    exact.linearized_at(starting_weights(objective, start));
  else if (fresh && std::ranges::any_of(start.weights, [](double w) { return w != 0; }))
    exact.look_from(starting_weights(objective, start), state);
}

// Passes in one precision, to the end of the run; nothing where it must go on more exactly.
template <class Real>
std::optional<Summary> climb_in(const SoftDualOptions& settings, double patience, Objective& objective,
                                ExactDual& exact, Standing& standing, Run& run) {
  Ascent<Real> ascent(settings, objective, exact, standing, run);
  run.stands_at([&] { return ascent.hash(); });
  return climb(settings, patience, run, standing.course, ascent);
}

}  // namespace

std::string SoftDual::refusal(const Oracle& oracle, const Formulation& formulation) {
  if (!formulation.smooth()) return "it needs positive temperatures: use frank_wolfe.";
  if (formulation.output_temperature != formulation.latent_temperature)
    return "it needs one temperature for what is known and what is hidden: use lbfgs.";
  const Query query = formulation.query(Side::free);
  if (own_oracle(oracle).parts(query) == nullptr)
    return "it needs a task made of parts whose engine shows its numbers (FlatEngine in inference/engine.h): "
           "use lbfgs.";
  for (std::size_t i = 0; i < oracle.size(); ++i)
    if (oracle.may_approximate(i, query))
      return fmt::format("inference on example {} is approximate, where its bound would not hold: use lbfgs.",
                         i + 1);
  return {};
}

Summary SoftDual::solve(Objective& objective, Start start, const Observer& observer) const {
  validate(settings);
  const auto refuse = [&] {
    if (const std::string why = refusal(objective.oracle(), objective.formulation()); !why.empty())
      fail("solver {} does not serve this problem: {}", name(), why);
  };
  if (Ranks* const ranks = objective.executor().ranks())
    ranks->together(refuse);  // each may know of its own examples alone
  else
    refuse();
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  if (objective.regulariser().bounded())
    fail("solver soft_dual does not keep weights nonnegative, as this task wants some of them: use lbfgs.");
  if (const std::size_t batch = shared_batch(settings, objective); batch > 0)
    return share_visits(settings, batch, patience, objective, std::move(start), observer);
  Run run(name(), objective, observer);
  ExactDual exact(objective);
  Standing standing(settings.seed);
  run.start(exact.narrow_weights<double>(exact.w()));
  try {
    if (!run.resumes()) run.still([&] { take(start, objective, exact, standing); });
    run.keeps([&](Snapshot& snapshot) { snapshot(standing, exact); });
    exact.take_share(standing.course.growing.share);
  } catch (const Stopped&) {
    return run.stopped();
  }
  // More exactly, from the same potentials.
  const auto begin_anew = [&] {
    standing.course = {};
    standing.lost = false;
  };
  if (standing.single) {
    if (auto summary = climb_in<float>(settings, patience, objective, exact, standing, run)) return *summary;
    standing.single = false;
    begin_anew();
  }
  if (auto summary = climb_in<double>(settings, patience, objective, exact, standing, run)) return *summary;
  standing.finds_counts = true;
  begin_anew();
  return *climb_in<double>(settings, patience, objective, exact, standing, run);
}

}  // namespace hinge
