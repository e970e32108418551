#include "hinge/solvers/soft_dual.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/random.h"
#include "hinge/core/sum.h"
#include "hinge/core/workspace.h"
#include "hinge/solvers/dual_block.h"
#include "hinge/solvers/potentials.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

constexpr double kFirstStep = 0.5, kLeastStep = 1e-6, kMostStep = 0.95;
// Of the numbers that a change of D is made from; where counts are kept in single precision, w follows those.
constexpr double kRounding = 1e-13, kKeptRounding = 1e-9;
constexpr double kSingle = 1e-5;  // for gaps below it counts are not kept: their rounding would be in the way
constexpr int kTries = 5, kIdle = 50;
constexpr double kLeastChance = 0.2;
// The gap as a share of the one seen in a pass: at least, and at most, as a primal that was bad by chance may say.
constexpr double kHope = 0.8, kDoubt = 1.5;
// Examples that are solved at the same weights, at most, and how many there must be for each of them: fixed,
// so that no bit depends on the number of threads.
constexpr std::size_t kWave = 16, kExamplesOfOne = 64;

// The state of one run, and the steps of its loop.
class Ascent {
 public:
  Ascent(const SoftDualOptions& options, Objective& objective, Run& run, Start& start)
      : objective_(objective),
        run_(run),
        layout_(objective.layout()),
        query_(objective.formulation().query(Side::free)),
        hard_{.side = Side::excess},
        temperature_(query_.output_temperature),
        keeps_counts_(options.room == "full" && options.gap >= kSingle),
        rounding_(keeps_counts_ ? kKeptRounding : kRounding),
        random_(options.seed),
        state_(std::make_shared<Potentials>()),
        value_(objective.size()),
        gap_(objective.size(), INFINITY),
        determined_(objective.size()),
        order_(objective.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    wave_.resize(std::clamp<std::size_t>(objective.size() / kExamplesOfOne, 1, kWave));
    for (DualBlock& block : wave_) block.parts = layout_.oracle.parts(query_);
    for (std::size_t i = 0; i < objective.size(); ++i) determined_[i] = objective.oracle().determined(i);
    lay_out();
    take(start);
  }

  void keep(Snapshot& snapshot) {
    snapshot(random_, *state_, value_, gap_, order_, w_, linearized_at_, square_);
  }

  // Whether D belongs to w up to the rounding of sums. Counts that are kept are rounded, and w follows them: D
  // is then true only after a rebuild.
  bool exact() const { return !keeps_counts_; }
  // Goes to where given weights see the examples: θ = s at these weights, which at the optimum gives them back.
  void begin() {
    if (first_.empty()) return;
    std::vector<std::size_t> examples(objective_.size());
    std::iota(examples.begin(), examples.end(), std::size_t{0});
    objective_.count_calls(examples.size());
    in_waves(examples, [this] {
      in_parallel([this](DualBlock& block) {
        block.look(block.example, first_);
        narrow(block.s, state_->theta[block.example]);
      });
    });
    first_ = {};
  }
  // w and what D is made of, anew from θ.
  void rebuild() {
    std::ranges::copy(centre_, w_.begin());
    std::vector<std::size_t> examples;
    for (std::size_t i = 0; i < objective_.size(); ++i) {
      value_[i] = 0;
      if (!determined_[i] || !state_->theta[i].empty()) examples.push_back(i);
    }
    in_waves(examples, [this] { place(); });
    square_ = square();
  }

  // Visits examples in random order, those with small gaps less often; returns the gap seen.
  double pass() {
    random_.shuffle(order_);
    const double seen = seen_gap(), mean = seen / static_cast<double>(gap_.size());
    std::vector<std::size_t> first, again;
    for (const std::size_t i : order_) {
      const double chance = std::isfinite(mean) ? std::max(kLeastChance, gap_[i] / mean) : 1;
      if (chance < 1 && random_.uniform() >= chance) continue;
      (state_->theta[i].empty() && !apart(i, wave_[0].planes) ? first : again).push_back(i);
    }
    objective_.count_calls(first.size() + again.size());
    in_wave_ = 1;
    for (const std::size_t i : first) {
      objective_.throw_if_stopped();
      wave_[0].example = i;
      leave_label(wave_[0]);
    }
    in_waves(again, [this] { visit(); });
    square_ = square();
    return seen_gap();
  }

  double seen_gap() const { return tree_sum(gap_); }
  double dual() const {
    Vector terms(value_.size());
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = objective_.block_weight(i) * value_[i];
    return tree_sum(terms) + 0.5 * (centre_square_ - square_);
  }

  // Ω(w) + Σ κ excess(w)
  double primal() {
    constexpr std::size_t kPiece = 128;
    const std::size_t n = objective_.size();
    Vector excess(n);
    const Vector weights = narrow_weights();
    objective_.executor().run((n + kPiece - 1) / kPiece, [&](std::size_t piece) {
      const auto parts = layout_.oracle.parts(query_);
      Vector counts;
      for (std::size_t i = piece * kPiece; i < std::min(n, (piece + 1) * kPiece); ++i) {
        ask();
        const std::span<const double> s = parts->look(i, w_);
        counts.resize(s.size());
        const double free = parts->solve(s, counts);
        const bool determined = determined_[i];
        excess[i] = objective_.block_weight(i) *
                    (free - (determined ? parts->clamped(w_, counts) : objective_.clamped(i).at(weights)));
      }
    });
    return objective_.regulariser().value(weights) + tree_sum(excess);
  }

  Vector narrow_weights() const {
    if (layout_.places.empty()) return {w_.begin(), w_.end()};
    Vector weights(layout_.places.size());
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = w_[layout_.places[j]];
    return weights;
  }
  const std::shared_ptr<Potentials>& state() const { return state_; }

 private:
  void ask() const {
    objective_.throw_if_stopped();
    objective_.count_calls(1);
  }
  Index place_of(std::size_t j) const {
    return layout_.places.empty() ? static_cast<Index>(j) : layout_.places[j];
  }

  // Centre and shares 1 / r in the layout of the oracle. Its other weights have no share: they are −0, which
  // no sum of numbers that are there becomes, and stay so.
  void lay_out() {
    const Regulariser& regulariser = objective_.regulariser();
    centre_.assign(layout_.oracle.dimension(), layout_.places.empty() ? 0.0 : -0.0);
    if (!regulariser.curvature.empty()) share_.resize(centre_.size());
    for (std::size_t j = 0; j < objective_.dimension(); ++j) {
      centre_[place_of(j)] = regulariser.centre_at(j) + 0.0;
      if (!share_.empty()) share_[place_of(j)] = 1 / regulariser.curvature_at(j);
    }
    w_ = centre_;
    centre_square_ = square();
  }
  const double* share() const { return share_.empty() ? nullptr : share_.data(); }
  double square() const {  // |w|²_R
    if (share_.empty()) return squared_norm(w_);
    double sum = 0;
    for (std::size_t j = 0; j < w_.size(); ++j)
      if (share_[j] > 0) sum += w_[j] * w_[j] / share_[j];
    return sum;
  }

  // An earlier run's potentials under this C, and the weights at which labels were linearised.
  void take(Start& start) {
    const std::size_t n = objective_.size();
    const bool fresh = start.potentials == nullptr || start.potentials->theta.size() != n;
    if (!fresh) {
      *state_ = *start.potentials;
      const double ratio = objective_.C() / state_->C;  // Q / q is proportional to C
      for (double& step : state_->step)
        step = std::clamp(1 / (1 + ratio * (1 / step - 1)), kLeastStep, kMostStep);
    } else {
      state_->theta.resize(n);
      state_->step.assign(n, kFirstStep);
    }
    state_->counts.resize(n);
    state_->C = objective_.C();
    start.potentials.reset();
    if (objective_.needs_linearizing())
      linearized_at_ = laid_out(starting_weights(objective_, start));
    else if (fresh && std::ranges::any_of(start.weights, [](double w) { return w != 0; }))
      first_ = laid_out(starting_weights(objective_, start));
  }
  Vector laid_out(const Vector& weights) const {
    Vector laid(centre_.size());
    for (std::size_t j = 0; j < weights.size(); ++j) laid[place_of(j)] = weights[j];
    return laid;
  }

  // Turns the blocks of a wave to the examples, so many at a time.
  void in_waves(std::span<const std::size_t> examples, const std::function<void()>& work) {
    for (std::size_t first = 0; first < examples.size(); first += wave_.size()) {
      in_wave_ = std::min(wave_.size(), examples.size() - first);
      for (std::size_t k = 0; k < in_wave_; ++k) wave_[k].example = examples[first + k];
      objective_.throw_if_stopped();
      work();
    }
  }
  std::span<DualBlock> wave() { return {wave_.data(), in_wave_}; }
  // Does for each block of the wave what leaves w as it is.
  void in_parallel(const std::function<void(DualBlock&)>& work) {
    objective_.executor().run(in_wave_, [&](std::size_t k) { work(wave_[k]); });
  }
  double kappa(const DualBlock& block) const { return objective_.block_weight(block.example); }
  double offset(std::size_t i) const { return determined_[i] ? 0 : objective_.clamped(i).offset; }
  double pour(DualBlock& block) { return block.parts->pour(block.difference, kappa(block), w_, share()); }

  // Adds the examples' shares of w, and sets their values.
  void place() {
    in_parallel([this](DualBlock& block) {
      const std::size_t i = block.example;
      std::vector<float>& theta = state_->theta[i];
      block.look(i, w_);
      if (theta.size() != block.size()) theta.clear();  // of other data
      if (theta.empty()) {
        block.value = at_label(block);
        block.counts = block.label;
      } else {
        widen(theta, block.theta);
        block.value = block.solve(block.theta, block.counts);
      }
      if (determined_[i]) block.parts->clamped(w_, block.label);
      for (std::size_t p = 0; p < block.size(); ++p)  // w is exact
        block.difference[p] = (determined_[i] ? block.label[p] : 0) - block.counts[p];
      if (!theta.empty() && keeps_counts_) narrow_counts(block.counts, label_of(block), state_->counts[i]);
    });
    for (DualBlock& block : wave()) {
      const std::size_t i = block.example;
      pour(block);
      value_[i] = block.value - offset(i);
      if (determined_[i]) continue;
      const Plane& plane = objective_.clamped(i);
      for (std::size_t k = 0; k < plane.slope.size(); ++k) {
        const Index j = place_of(plane.slope.indices()[k]);
        w_[j] += kappa(block) * plane.slope.values()[k] * (share_.empty() ? 1 : share_[j]);
      }
    }
  }
  // What the counts that are kept are differences to, if they are.
  const Vector* label_of(const DualBlock& block) const {
    return determined_[block.example] ? &block.label : nullptr;
  }
  // The label's own distribution becomes `label`; returns τ H + ρ <Δ, μ>, of which 0 is a lower bound where it
  // is determined (and all there is, unless it is a mean of structures).
  double at_label(DualBlock& block) {
    const std::size_t i = block.example;
    if (determined_[i]) return block.parts->clamped(w_, block.label), 0.0;
    // The scores at the weights of the linearisation, which the entropy needs, are without the loss.
    block.look(i, linearized_at_);
    block.theta.assign(block.s.begin(), block.s.end());
    const double value = block.parts->clamped(linearized_at_, block.label);
    const double loss = block.parts->loss(block.label), score = dot(block.theta, block.label) - loss;
    block.look(i, w_);
    return value - score + loss;
  }

  // Keeps where the trial leads, rounded, before it is known whether that is accepted.
  void keep(DualBlock& block) {
    narrow(block.trial, state_->theta[block.example]);
    if (keeps_counts_) narrow_counts(block.trial_counts, label_of(block), state_->counts[block.example]);
  }

  void visit() {
    in_parallel([this](DualBlock& block) { set_out(block); });
    for (DualBlock& block : wave()) settle(block);
  }
  void set_out(DualBlock& block) {
    const std::size_t i = block.example;
    block.look(i, w_);
    block.growth = 0;
    block.step = state_->step[i];
    measure_apart(block);
    if (state_->theta[i].empty()) {  // only where parts are apart
      at_label(block);
      block.counts = block.label;
      block.theta.assign(block.s.begin(), block.s.end());
    } else if (widen(state_->theta[i], block.theta); keeps_counts_) {
      if (determined_[i]) block.parts->clamped(w_, block.label);
      widen_counts(state_->counts[i], label_of(block), block.counts);
    } else {
      block.parts->solve(block.theta, block.counts);
    }
    block.loss_from = block.parts->loss(block.counts);
    try_step(block, block.counts);
    block.gap = hidden_gap(block);
  }
  // Where the oracle lists the planes of an example, one for each of its parts, these share no feature.
  bool apart(std::size_t i, ProductPlanes& planes) const {
    return layout_.places.empty() && layout_.oracle.all_planes(i, hard_, planes);
  }
  void measure_apart(DualBlock& block) const {
    ProductPlanes& planes = block.planes;
    block.curvature.clear();
    if (!apart(block.example, planes)) return;
    block.curvature.assign(block.size(), 0.0);
    double sum = 0;
    for (std::size_t k = 0; k < planes.row.size(); ++k) {
      const double square = static_cast<double>(planes.value[k]) * static_cast<double>(planes.value[k]);
      sum += square;
      for (std::size_t p = 0; !share_.empty() && p < block.size(); ++p)
        block.curvature[p] += square * share_[planes.row[k] * block.size() + p];
    }
    for (double& c : block.curvature) c = kappa(block) * (share_.empty() ? sum : c);
    block.step = 1;
  }
  // Where an example is so sure of itself that a step changes nothing, its gap is not seen in that: computed.
  double hidden_gap(DualBlock& block) const {
    const double q = (block.ahead - block.behind) / block.step;
    if (block.curvature.empty() && q > 0.1 * temperature_) return NAN;
    double farthest = 0;
    for (std::size_t p = 0; p < block.size(); ++p)
      farthest = std::max(farthest, std::abs(block.s[p] - block.theta[p]));
    if (block.curvature.empty() && farthest < 4 * temperature_) return NAN;
    Vector& scores = scratch<Vector, struct HiddenScores>();
    Vector& counts = scratch<Vector, struct HiddenCounts>();
    scores.assign(block.s.begin(), block.s.end());
    counts.resize(block.size());
    return block.parts->solve(scores, counts) - dot(block.s, block.counts) + block.loss_from -
           (value_[block.example] + offset(block.example));
  }
  // Moves w along, and takes the trial back as long as D falls by it. Returns the gain in D.
  double settle(DualBlock& block) {
    const std::size_t i = block.example;
    const double kappa = this->kappa(block), before = value_[i] + offset(i);
    const bool apart = !block.curvature.empty();
    double& next = state_->step[i];
    double seen = 0;  // by the last trial that went anywhere
    for (int tries = 0;; ++tries) {
      block.growth += pour(block);
      const double gain = kappa * (block.value - before) - 0.5 * block.growth;
      value_[i] = block.value - offset(i);
      const auto gap = [&] { return kappa * std::max(0.0, std::isnan(block.gap) ? seen : block.gap); };
      if (block.step == 0) {  // it stands where rounding lets it go no further, perhaps since it began
        if (std::isinf(gap_[i])) gap_[i] = gap();
        return gain;
      }
      seen = 0.5 * (block.ahead - block.behind) / block.step;
      const double noise = rounding_ * (std::abs(block.growth) + 2 * kappa * std::abs(block.ahead)) +
                           kRounding * kappa * (1 + block.magnitude);
      if (!apart) next = next_step(block, noise, gain);
      if (gain >= -noise || (apart && tries > 0)) {  // the optimum of the example, but for rounding
        gap_[i] = gap();
        return gain;
      }
      if (tries == 0 && in_wave_ > 1) {
        look_again(block);
        value_[i] = before - offset(i);
        continue;
      }
      block.step = tries < kTries ? std::min(0.5 * block.step, next) : 0;
      if (block.step > 0) next = std::max(kLeastStep, std::min(next, block.step));
      std::swap(placed_, block.trial_counts);
      block.trial_counts.resize(block.size());
      try_step(block, placed_);
    }
  }
  // Newton's step on the line that the trial was on.
  double next_step(const DualBlock& block, double noise, double gain) const {
    const double kappa = this->kappa(block), step = block.step, next = state_->step[block.example];
    const double q = (block.ahead - block.behind) / step;
    const double Q = std::max(0.0, block.growth + 2 * kappa * (block.ahead - block.loss + block.loss_from)) /
                     (kappa * step * step);
    if (kappa * step * std::max(q, Q * step) > 10 * noise)
      return std::clamp(q > 0 ? q / (q + Q) : step, kLeastStep, kMostStep);
    // Too little to measure, and so to harm.
    return gain >= -noise ? std::max(next, std::min(2 * step, kFirstStep)) : next;
  }
  // Others have moved w since the trial was made: back, and from where w is now.
  void look_again(DualBlock& block) {
    for (std::size_t p = 0; p < block.size(); ++p)
      block.difference[p] = block.trial_counts[p] - block.counts[p];
    pour(block);
    block.look(block.example, w_);
    block.growth = 0;
    try_step(block, block.counts);
  }
  void try_step(DualBlock& block, const Vector& placed) {
    block.attempt(temperature_);
    keep(block);
    block.measure(placed);
  }

  // The first visit, and as many as it takes until D is not below what it was at the label; else back to that.
  void leave_label(DualBlock& block) {
    const std::size_t i = block.example;
    gap_[i] = 0;
    block.look(i, w_);
    if (block.size() == 0) return;  // nothing to choose
    const double before = value_[i] + offset(i), kappa = this->kappa(block);
    at_label(block);
    block.theta.assign(block.s.begin(), block.s.end());
    const double soft = block.parts->solve(block.theta, block.counts);
    const double gap =
        kappa * std::max(0.0, soft - dot(block.theta, block.label) + block.parts->loss(block.label) - before);
    for (std::size_t p = 0; p < block.size(); ++p) block.difference[p] = block.label[p] - block.counts[p];
    block.growth = pour(block);
    block.look(i, w_);
    block.welcome(temperature_);
    keep(block);
    block.measure(block.counts);
    block.growth += pour(block);
    double gain = kappa * (block.value - before) - 0.5 * block.growth;
    value_[i] = block.value - offset(i);
    gap_[i] = gap;
    for (int tries = 0; gain < 0 && tries < kTries; ++tries) {
      set_out(block);
      gain += settle(block);
    }
    if (gain >= 0) return;
    gap_[i] = gap;
    value_[i] = at_label(block) - offset(i);
    for (std::size_t p = 0; p < block.size(); ++p)
      block.difference[p] = block.trial_counts[p] - block.label[p];
    pour(block);
    state_->theta[i].clear();
  }

  Objective& objective_;
  Run& run_;
  Objective::Layout layout_;
  Query query_, hard_;
  double temperature_;
  bool keeps_counts_;
  double rounding_;
  Random random_;
  std::shared_ptr<Potentials> state_;
  Vector value_;  // τ H + ρ <Δ, μ> − a of each block
  Vector gap_;    // of each block, when last visited
  std::vector<char> determined_;
  std::vector<std::size_t> order_;
  AlignedVector w_, centre_;  // in the layout
  Vector share_, linearized_at_;
  Vector first_;  // weights to begin at, until that is done
  double square_ = 0, centre_square_ = 0;
  std::vector<DualBlock> wave_;
  std::size_t in_wave_ = 0;  // how many of them are used
  Vector placed_;            // the counts that w has of an example whose trial was not accepted
};

}  // namespace

std::string SoftDual::refusal(const Oracle& oracle, const Formulation& formulation) {
  if (!formulation.smooth()) return "it needs positive temperatures: use frank_wolfe.";
  if (formulation.output_temperature != formulation.latent_temperature)
    return "it needs one temperature for what is known and what is hidden: use lbfgs.";
  const Query query = formulation.query(Side::free);
  if (oracle.parts(query) == nullptr)
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
  if (const std::string why = refusal(objective.oracle(), objective.formulation()); !why.empty())
    fail("solver {} does not serve this problem: {}", name(), why);
  require_convex(name(), objective);
  refuse_l1(name(), objective);
  if (objective.regulariser().bounded())
    fail("solver soft_dual does not keep weights nonnegative, as this task wants some of them: use lbfgs.");
  Run run(name(), objective, observer);
  Ascent ascent(settings, objective, run, start);
  // The primal where w stands; and where that is near enough, or the run ends, D. Returns the gap.
  const auto certify = [&](double goal) {
    const double primal = ascent.primal(), gap = primal - ascent.dual();
    run.primal(primal, ascent.narrow_weights());
    if (gap > goal) return gap;
    ascent.rebuild();
    run.dual(ascent.dual());
    return primal - ascent.dual();
  };
  double seen = INFINITY, hope = kHope;  // the gap as a share of the one seen
  double best = -INFINITY;
  int idle = 0;  // rounds since D rose
  run.start(ascent.narrow_weights());
  try {
    if (!run.keeps([&](Snapshot& snapshot) { snapshot(ascent, seen, hope, best, idle); })) {
      ascent.begin();
      ascent.rebuild();
    }
    for (;;) {
      run.point();
      seen = run.oracle([&] { return ascent.pass(); });
      const double dual = ascent.dual(), goal = std::max(settings.gap * std::abs(dual), run.enough());
      if (ascent.exact()) run.dual(dual);
      if (hope * seen <= goal) hope = std::clamp(certify(goal) / seen, kHope, kDoubt);
      idle = dual > best + kRounding * std::abs(dual) ? 0 : idle + 1;
      best = std::max(best, dual);
      const bool go_on = run.round({.estimated_gap = seen});
      const bool done = run.within(settings.gap), spent = run.passes() >= settings.max_passes;
      if (!done && go_on && !spent && idle < kIdle) continue;
      run.potentials(ascent.state());
      if (done) return run.converged(settings.gap);
      if (go_on || run.summary().gap() > run.enough()) certify(INFINITY);
      if (!go_on) return run.stopped();
      return spent ? run.passes_spent(settings.max_passes) : run.no_progress();
    }
  } catch (const Stopped&) {
    if (ascent.exact()) run.dual(ascent.dual());
    run.latest(ascent.narrow_weights(), ascent.dual() + seen);
    return run.stopped();
  }
}

}  // namespace hinge
