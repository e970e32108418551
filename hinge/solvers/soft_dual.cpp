#include "hinge/solvers/soft_dual.h"

#include <algorithm>
#include <numeric>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/clones.h"
#include "hinge/core/random.h"
#include "hinge/core/sum.h"
#include "hinge/solvers/potentials.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

constexpr double kFirstStep = 0.5, kLeastStep = 1e-6, kMostStep = 0.95;
// Of the numbers that a change of D is made from; where counts are kept in single precision, w follows those.
constexpr double kRounding = 1e-13, kKeptRounding = 1e-8;
constexpr double kSingle = 1e-5;  // for gaps below it counts are not kept: their rounding would be in the way
constexpr int kTries = 5, kMostTries = 10, kIdle = 50;
constexpr double kLeastChance = 0.2;
constexpr double kHope = 0.8;  // the gap is about this share of the one seen in a pass

HINGE_CLONES void widen(const float* in, std::size_t size, double* out) {
  for (std::size_t p = 0; p < size; ++p) out[p] = in[p];
}
HINGE_CLONES void narrow(const double* in, std::size_t size, float* out) {
  for (std::size_t p = 0; p < size; ++p) out[p] = static_cast<float>(in[p]);
}
// out = from + step (to − from), in single precision
HINGE_CLONES void go(const double* from, const double* to, double step, std::size_t size, double* out) {
  for (std::size_t p = 0; p < size; ++p)
    out[p] = static_cast<double>(static_cast<float>(from[p] + step * (to[p] - from[p])));
}

// What a move from some counts to others is worth.
struct Move {
  double ahead = 0;   // <s, to − from>
  double behind = 0;  // <θ, to − from>
  double score = 0;   // <θ', to>
};
// Besides, difference = at − to.
HINGE_CLONES Move measure(const double* s, const double* theta, const double* trial, const double* from,
                          const double* to, const double* at, std::size_t size, double* difference) {
  double ahead[4] = {}, behind[4] = {}, score[4] = {};
  const std::size_t whole = size - size % 4;
  const auto add = [&](std::size_t p, std::size_t k) __attribute__((always_inline)) {
    const double d = to[p] - from[p];
    ahead[k] += s[p] * d;
    behind[k] += theta[p] * d;
    score[k] += trial[p] * to[p];
    difference[p] = at[p] - to[p];
  };
  for (std::size_t p = 0; p < whole; p += 4)
    for (std::size_t k = 0; k < 4; ++k) add(p + k, k);
  for (std::size_t p = whole; p < size; ++p) add(p, 0);
  const auto sum = [](const double* v) { return (v[0] + v[1]) + (v[2] + v[3]); };
  return {sum(ahead), sum(behind), sum(score)};
}

// The b with b = most (1 − p(b)), where a part of probability p has p(b) = p e^{b/τ} / (1 − p + p e^{b/τ}).
double own_share(double most, double probability, double temperature) {
  const double odds = std::max(1 - probability, 0.0) / std::max(probability, 1e-300);
  double low = 0, high = most;
  for (int k = 0; k < 12; ++k) {
    const double b = 0.5 * (low + high), against = odds * std::exp(-b / temperature);
    (b < most * against / (1 + against) ? low : high) = b;
  }
  return 0.5 * (low + high);
}

// The state of one run, and the steps of its loop.
class Ascent {
 public:
  Ascent(const SoftDualOptions& options, Objective& objective, Run& run, Start& start)
      : objective_(objective),
        run_(run),
        layout_(objective.layout()),
        query_(objective.formulation().query(Side::free)),
        temperature_(query_.output_temperature),
        parts_(layout_.oracle.parts(query_)),
        keeps_counts_(options.room == "full" && options.gap >= kSingle),
        rounding_(keeps_counts_ ? kKeptRounding : kRounding),
        random_(options.seed),
        state_(std::make_shared<Potentials>()),
        value_(objective.size()),
        gap_(objective.size(), std::numeric_limits<double>::infinity()),
        determined_(objective.size()),
        order_(objective.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t i = 0; i < objective.size(); ++i) determined_[i] = objective.oracle().determined(i);
    lay_out();
    take(start);
  }

  void keep(Snapshot& snapshot) {
    snapshot(random_, *state_, value_, gap_, order_, w_, linearized_at_, square_, part_norm_, knows_norm_);
  }

  // Whether D belongs to w up to the rounding of sums. Counts that are kept are rounded, and w follows them: D
  // is then true only after a rebuild.
  bool exact() const { return !keeps_counts_; }
  // w and what D is made of, anew from θ.
  void rebuild() {
    std::ranges::copy(centre_, w_.begin());
    for (std::size_t i = 0; i < objective_.size(); ++i) place(i);
    square_ = square();
  }

  // Visits examples in random order, those with small gaps less often; returns the gap seen.
  double pass() {
    random_.shuffle(order_);
    const double seen = seen_gap(), mean = seen / static_cast<double>(gap_.size());
    for (const std::size_t i : order_) {
      const double chance = std::isfinite(mean) ? std::max(kLeastChance, gap_[i] / mean) : 1;
      if (chance < 1 && random_.uniform() >= chance) continue;
      ask();
      if (state_->theta[i].empty())
        leave_label(i);
      else
        visit(i);
    }
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
    if (start.potentials != nullptr && start.potentials->theta.size() == n) {
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
    if (!objective_.needs_linearizing()) return;
    const Vector weights = starting_weights(objective_, start);
    linearized_at_.assign(centre_.size(), 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j) linearized_at_[place_of(j)] = weights[j];
  }

  // Adds an example's share of w, and sets its value.
  void place(std::size_t i) {
    const bool determined = determined_[i];
    std::vector<float>& theta = state_->theta[i];
    if (determined && theta.empty()) {
      value_[i] = 0;
      return;
    }
    objective_.throw_if_stopped();
    const double kappa = objective_.block_weight(i);
    look(i);
    if (theta.size() != s_.size()) theta.clear();  // of other data
    if (theta.empty()) {
      value_[i] = at_label(i);
    } else {
      widen(theta.data(), size(), theta_.data());
      value_[i] = solve(theta_, counts_);
      if (keeps_counts_) {
        state_->counts[i].resize(size());
        narrow(counts_.data(), size(), state_->counts[i].data());
      }
    }
    if (determined) {
      parts_->clamped(w_, label_);
      for (std::size_t p = 0; p < size(); ++p) difference_[p] = label_[p] - counts_[p];
      parts_->pour(difference_, kappa, w_, share());
    } else {
      const Plane& plane = objective_.clamped(i);
      value_[i] -= plane.offset;
      for (std::size_t k = 0; k < plane.slope.size(); ++k) {
        const Index j = place_of(plane.slope.indices()[k]);
        w_[j] += kappa * plane.slope.values()[k] * (share_.empty() ? 1 : share_[j]);
      }
      parts_->pour(counts_, -kappa, w_, share());
    }
  }
  // The label's own distribution becomes the counts; returns τ H + ρ <Δ, μ>, of which 0 is a lower bound where
  // it is determined (and all there is, unless it is a mean of structures).
  double at_label(std::size_t i) {
    if (determined_[i]) return parts_->clamped(w_, counts_), 0.0;
    // The scores at the weights of the linearisation, which the entropy needs, are without the loss.
    const std::span<const double> s = parts_->look(i, linearized_at_);
    theta_.assign(s.begin(), s.end());
    const double value = parts_->clamped(linearized_at_, counts_), loss = parts_->loss(counts_);
    const double score = dot(theta_, counts_) - loss;
    return value - score + loss;
  }

  std::size_t size() const { return s_.size(); }
  void look(std::size_t i) {
    s_ = parts_->look(i, w_);
    for (Vector* v : {&theta_, &trial_, &counts_, &trial_counts_, &label_, &difference_}) v->resize(size());
  }
  // Returns τ H + ρ <Δ, μ>.
  double solve(const Vector& theta, Vector& counts) {
    const double value = parts_->solve(theta, counts);
    return value - dot(theta, counts) + parts_->loss(counts);
  }
  void keep(std::size_t i, double value) {
    std::vector<float>& theta = state_->theta[i];
    theta.resize(size());
    narrow(trial_.data(), size(), theta.data());
    if (keeps_counts_) {
      std::vector<float>& counts = state_->counts[i];
      counts.resize(size());
      narrow(trial_counts_.data(), size(), counts.data());
    }
    value_[i] = value - offset(i);
  }
  double offset(std::size_t i) const { return determined_[i] ? 0 : objective_.clamped(i).offset; }

  void visit(std::size_t i) {
    const double kappa = objective_.block_weight(i), before = value_[i] + offset(i);
    double& next = state_->step[i];
    look(i);
    widen(state_->theta[i].data(), size(), theta_.data());
    if (keeps_counts_)
      widen(state_->counts[i].data(), size(), counts_.data());
    else
      parts_->solve(theta_, counts_);
    Vector* at = &counts_;  // where w stands
    const double loss_before = parts_->loss(counts_);
    double step = next, growth = 0;
    for (int tries = 0;; ++tries) {
      go(theta_.data(), s_.data(), step, size(), trial_.data());
      const double soft = parts_->solve(trial_, trial_counts_), loss = parts_->loss(trial_counts_);
      if (keeps_counts_) round(trial_counts_);
      const auto [ahead, behind, score] =
          measure(s_.data(), theta_.data(), trial_.data(), counts_.data(), trial_counts_.data(), at->data(),
                  size(), difference_.data());
      growth += parts_->pour(difference_, kappa, w_, share());
      const double value = soft - score + loss;
      if (step == 0) return keep(i, value);
      const double q = (ahead - behind) / step;
      const double Q =
          std::max(0.0, growth + 2 * kappa * (ahead - loss + loss_before)) / (kappa * step * step);
      const double gain = kappa * (value - before) - 0.5 * growth;
      const double noise = rounding_ * (std::abs(growth) + 2 * kappa * std::abs(ahead) +
                                        kappa * (1 + std::abs(soft) + std::abs(score)));
      if (kappa * step * std::max(q, Q * step) > 10 * noise)
        next = std::clamp(q > 0 ? q / (q + Q) : step, kLeastStep, kMostStep);
      else if (gain >= -noise)
        next = std::max(next, std::min(2 * step, kFirstStep));  // too little to measure, and so to harm
      if (gain < -noise) {
        step = tries < kTries ? std::min(0.5 * step, next) : 0;
        next = std::max(kLeastStep, std::min(next, step));
        std::swap(label_, trial_counts_);
        at = &label_;
        continue;
      }
      gap_[i] = 0.5 * kappa * std::max(0.0, q);
      return keep(i, value);
    }
  }

  void leave_label(std::size_t i) {
    const double kappa = objective_.block_weight(i), before = value_[i] + offset(i);
    const bool determined = determined_[i];
    look(i);
    if (size() == 0) {  // nothing to choose
      gap_[i] = 0;
      return;
    }
    if (determined) {
      parts_->clamped(w_, label_);
    } else {
      at_label(i);
      label_ = counts_;
      look(i);
    }
    theta_.assign(s_.begin(), s_.end());
    const double at_scores = parts_->solve(theta_, counts_);
    double farthest = 1e-300;  // of the label from the counts at s
    for (std::size_t p = 0; p < size(); ++p) farthest = std::max(farthest, std::abs(label_[p] - counts_[p]));
    Vector at = label_;  // where w stands
    const double loss_before = parts_->loss(label_);
    double growth = 0, more = 0;
    for (int tries = 0;; ++tries) {
      for (std::size_t p = 0; p < size(); ++p) {
        const double odds = label_[p] > 0 ? std::clamp(counts_[p] / label_[p], 0.0, 1.0) : 1;
        const double bonus = label_[p] > 0 ? own_share(kappa * part_norm_, odds, temperature_) : 0;
        const double towards = label_[p] > 0 ? 1 : (label_[p] - counts_[p]) / farthest;
        trial_[p] = static_cast<float>(s_[p] + bonus + more * towards);
      }
      const double soft = parts_->solve(trial_, trial_counts_), loss = parts_->loss(trial_counts_);
      if (keeps_counts_) round(trial_counts_);
      const Move move = measure(s_.data(), label_.data(), trial_.data(), label_.data(), trial_counts_.data(),
                                at.data(), size(), difference_.data());
      growth += parts_->pour(difference_, kappa, w_, share());
      const double value = soft - move.score + loss, gain = kappa * (value - before) - 0.5 * growth;
      const bool first = !learn_norm(growth + 2 * kappa * (move.ahead - loss + loss_before), kappa);
      if (gain >= 0 && !first) return keep(i, value);
      if (tries == kMostTries) break;
      if (!first) more = more == 0 ? 2 * temperature_ : 2 * more;
      std::swap(at, trial_counts_);
    }
    for (std::size_t p = 0; p < size(); ++p) difference_[p] = trial_counts_[p] - label_[p];
    parts_->pour(difference_, kappa, w_, share());
    gap_[i] = kappa * std::max(0.0, at_scores - dot(theta_, label_) + loss_before - before);
  }
  // Takes |Δw|²_R of a move away from the label, κ² |Φ (g − μ')|², into the running mean of M. Returns whether
  // there was one.
  bool learn_norm(double square, double kappa) {
    double distance = 0;
    for (std::size_t p = 0; p < size(); ++p) {
      const double d = trial_counts_[p] - label_[p];
      distance += d * d;
    }
    const bool knew = knows_norm_;
    if (const double norm = square / (kappa * kappa * distance); distance > 1e-12 && std::isfinite(norm)) {
      part_norm_ = knew ? 0.9 * part_norm_ + 0.1 * norm : norm;
      knows_norm_ = true;
    }
    return knew;
  }
  static void round(Vector& counts) {
    for (double& v : counts) v = static_cast<double>(static_cast<float>(v));
  }

  Objective& objective_;
  Run& run_;
  Objective::Layout layout_;
  Query query_;
  double temperature_;
  std::unique_ptr<Parts> parts_;
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
  double square_ = 0, centre_square_ = 0;
  double part_norm_ = 1;  // M
  bool knows_norm_ = false;
  // Of the example that is looked at.
  std::span<const double> s_;
  Vector theta_, trial_, counts_, trial_counts_, label_, difference_;
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
    if (!run.keeps([&](Snapshot& snapshot) { snapshot(ascent, seen, hope, best, idle); })) ascent.rebuild();
    for (;;) {
      run.point();
      seen = run.oracle([&] { return ascent.pass(); });
      const double dual = ascent.dual(), goal = std::max(settings.gap * std::abs(dual), run.enough());
      if (ascent.exact()) run.dual(dual);
      if (hope * seen <= goal) hope = certify(goal) / seen;
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
