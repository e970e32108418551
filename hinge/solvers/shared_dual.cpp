#include "hinge/solvers/shared_dual.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "hinge/core/random.h"
#include "hinge/core/stopped.h"
#include "hinge/solvers/dual_climb.h"
#include "hinge/solvers/own_visits.h"
#include "hinge/solvers/run.h"

namespace hinge {
namespace {

constexpr std::size_t kSmaller = 8;  // waves of examples that are visited again, so many times
constexpr std::size_t kSettled = 4;  // examples that have left their labels, for each that may do so at once

class SharedDual {
 public:
  SharedDual(const SoftDualOptions& options, std::size_t batch, Objective& objective, Run& run)
      : objective_(objective),
        run_(run),
        batch_(batch),
        owned_(std::make_shared<OwnedExamples>(objective)),
        state_(std::make_shared<Potentials>()),
        exact_(options.room != "full" || options.gap < kKept),
        visits_(objective, *owned_, *state_, !exact_),
        random_(options.seed),
        terms_{Vector(objective.size()), Vector(objective.size()), Vector(objective.size())},
        left_(objective.size()),
        centre_(objective.dimension()) {
    for (std::size_t j = 0; j < centre_.size(); ++j) centre_[j] = objective.regulariser().centre_at(j);
    terms_.centre_square = square(centre_);
    w_ = centre_;
    take_share();
    state_->owned = owned_;
  }

  // An earlier run's potentials under this C, or new ones.
  void take(Start& start) {
    const std::size_t n = objective_.size();
    gap_.assign(n, INFINITY);
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const bool fresh = start.potentials == nullptr || start.potentials->theta.size() != n;
    if (!fresh) {
      state_->theta = start.potentials->theta;
      owned_->forget_others(state_->theta);
      state_->step = start.potentials->step;
      GrowingC::rescale(state_->step, objective_.C() / start.potentials->C);
    } else {
      state_->theta.resize(n);
      state_->step.assign(n, kFirstStep);
      course.growing.begin(objective_.C() / static_cast<double>(n));
      take_share();
    }
    state_->counts.assign(n, {});
    state_->C = objective_.C();
    start.potentials.reset();
    if (objective_.needs_linearizing()) {
      visits_.linearized_at = starting_weights(objective_, start);
    } else if (fresh && std::ranges::any_of(start.weights, [](double w) { return w != 0; })) {
      const Vector first = starting_weights(objective_, start);
      objective_.count_calls(n);
      each_of_mine([&](std::size_t i) { visits_.look_from(i, first); });
    }
  }

  // w and what D is made of, anew from θ.
  void rebuild() {
    Vector sum(w_.size());
    std::ranges::fill(terms_.value, 0.0);
    std::ranges::fill(terms_.doubt, 0.0);
    run_.oracle([&] {
      sum_(
          objective_.size(), objective_.executor(),
          [&](std::size_t i, std::span<double> to) {
            heed_wishes();
            return visits_.place(i, terms_.value[i], terms_.doubt[i], to);
          },
          sum);
    });
    owned_->tell(terms_.value);
    owned_->tell(terms_.doubt);
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] = !state_->theta[i].empty();
    owned_->tell(left_);
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = centre_[j] + sum[j];
  }
  double dual() const { return terms_.dual(square(w_)); }
  double proven_dual() const { return terms_.proven(square(w_)); }
  double primal() {
    Vector excess(objective_.size());
    objective_.count_calls(excess.size());
    run_.oracle([&] {
      owned_->share(std::span<double>(excess), std::identity(), [&] {
        run_mine([&](std::size_t i) { excess[i] = visits_.kappa(i) * visits_.excess(i, w_); });
      });
    });
    return objective_.regulariser().value(w_) + tree_sum(excess);
  }
  // Whether D belongs to w up to the rounding of sums, so that it may be told before it is made anew.
  bool exact() const { return exact_; }
  const Vector& weights() const { return w_; }
  std::shared_ptr<const Potentials> potentials() const { return state_; }

  // Visits examples in random order, those with small gaps less often, until the gap seen is small enough; returns it. A pass
  // that was begun is gone on with.
  double pass(double enough) {
    const auto point = [this] { run_.point(); };
    if (!pass_.begun) {
      point();
      pass_.enough = enough;
      pass_.choose(random_, order_, gap_, [this](std::size_t i) { return !left_[i]; });
      pass_.first = by_turns(pass_.first);
      pass_.again = by_turns(pass_.again);
      settled_ = static_cast<std::size_t>(std::ranges::count(left_, 1));
    }
    leave_labels();
    pass_.visit_again(
        batch_, [this] { return seen_gap(); }, point, [](std::size_t) {},
        [this](DualPass::Examples examples) { visit(examples, batch_); });
    pass_ = {};
    return seen_gap();
  }
  bool in_pass() const { return pass_.begun; }
  // The share of C that passes are made at has changed.
  void take_share() {
    visits_.take_share(course.growing.share);
    for (std::size_t i = 0; i < terms_.kappa.size(); ++i) terms_.kappa[i] = visits_.kappa(i);
  }
  Vector& steps() { return state_->step; }
  // Whether some example could not be solved where it stands.
  bool lost() const { return lost_; }

  // There is nobody who would come further.
  bool gives_way() const { return false; }
  void measure_weights() {}

  DualCourse course;
  void keep(Snapshot& snapshot) {
    snapshot(random_, *state_, gap_, order_, terms_.value, terms_.doubt, left_, w_, visits_.linearized_at,
             pass_, settled_, lost_, course);
    take_share();
  }

 private:
  double seen_gap() const { return tree_sum(gap_); }
  double square(const Vector& w) const {
    const Vector& share = visits_.shares();
    if (share.empty()) return squared_norm(w);
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += w[j] * w[j] / share[j];
    return sum;
  }

  // While something is made for an exchange, a rank may stop by itself.
  void heed_wishes() const {
    objective_.throw_if_stopped();
    if (owned_->ranks() != nullptr && owned_->ranks()->wishes()) throw Stopped();
  }

  template <class Work>
  void run_mine(const Work& work) {
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < objective_.size(); ++i)
      if (owned_->mine(i)) mine.push_back(i);
    objective_.executor().run(mine.size(), [&](std::size_t k) {
      heed_wishes();
      work(mine[k]);
    });
  }
  template <class Work>
  void each_of_mine(const Work& work) {
    if (owned_->ranks() != nullptr)
      owned_->ranks()->together([&] { run_mine(work); });
    else
      run_mine(work);
  }

  // From all pieces in turn, each in the order given.
  std::vector<std::size_t> by_turns(const std::vector<std::size_t>& examples) const {
    std::vector<std::vector<std::size_t>> of(owned_->pieces());
    for (const std::size_t i : examples) of[owned_->piece(i)].push_back(i);
    std::vector<std::size_t> turns;
    for (std::size_t round = 0; turns.size() < examples.size(); ++round)
      for (const auto& own : of)
        if (round < own.size()) turns.push_back(own[round]);
    return turns;
  }

  // The visits of a wave, each made by its owner.
  template <class Make>
  std::vector<DualVisit> visits_of(std::span<const std::size_t> wave, const Make& make) {
    std::vector<DualVisit> visits(wave.size());
    objective_.throw_if_stopped();  // which ranks agree on
    objective_.count_calls(wave.size());
    visits_.begin(wave.size());
    std::vector<std::size_t> mine;
    for (std::size_t k = 0; k < wave.size(); ++k)
      if (owned_->mine(wave[k])) mine.push_back(k);
    const auto make_mine = [&] {
      objective_.executor().run(mine.size(), [&](std::size_t m) {
        heed_wishes();
        visits[mine[m]] = make(mine[m]);
      });
    };
    run_.oracle([&] {
      owned_->share(
          std::span<DualVisit>(visits), [&](std::size_t k) { return wave[k]; }, make_mine);
    });
    return visits;
  }
  void accept(std::size_t k, std::size_t i, const DualVisit& visit) {
    terms_.value[i] = visit.value - visits_.offset(i);
    terms_.doubt[i] = doubt_of(visit.magnitude, visits_.temperature());
    if (owned_->mine(i)) visits_.accept(k, i);
    undo_.clear();
  }

  // w += κ R⁻¹ move; returns by how much |w|²_R grows, and how large the move is. What stood there is remembered until a
  // move is accepted.
  struct Moved {
    double growth = 0, square = 0;
  };
  Moved go(const SparseVector& move, double kappa) {
    const Vector& share = visits_.shares();
    Moved moved;
    for (std::size_t k = 0; k < move.size(); ++k) {
      const Index j = move.indices()[k];
      const double before = w_[j], v = kappa * move.values()[k];
      undo_.emplace_back(j, before);
      const double step = share.empty() ? v : v * share[j];
      w_[j] += step;
      moved.growth += v * (before + w_[j]);
      moved.square += v * step;
    }
    return moved;
  }
  void go_back() {
    for (; !undo_.empty(); undo_.pop_back()) w_[undo_.back().first] = undo_.back().second;
  }

  void visit(std::span<const std::size_t> examples, std::size_t at_once) {
    for (std::size_t first = 0; first < examples.size(); first += at_once) {
      const auto wave = examples.subspan(first, std::min(at_once, examples.size() - first));
      const auto visits =
          visits_of(wave, [&](std::size_t k) { return make_again(k, wave[k], state_->step[wave[k]]); });
      std::vector<std::size_t> fell;
      for (std::size_t k = 0; k < wave.size(); ++k)
        if (!settle(k, wave[k], visits[k], at_once == 1)) fell.push_back(wave[k]);
      if (fell.empty()) continue;
      if (at_once > 1)
        visit(fell, std::max<std::size_t>(1, at_once / kSmaller));
      else
        visit_alone(wave[0], visits[0]);
    }
  }
  DualVisit make_again(std::size_t k, std::size_t i, double step) {
    return visits_.again(k, i, step, terms_.value[i] + visits_.offset(i), w_);
  }
  // With smaller steps than the one that failed, until D does not fall.
  void visit_alone(std::size_t i, const DualVisit& failed) {
    double& next = state_->step[i];
    double step = failed.step;
    for (int tries = 0; tries < kTries; ++tries) {
      step = std::min(0.5 * step, next);
      next = std::max(kLeastStep, std::min(next, step));
      const std::size_t wave[] = {i};
      if (settle(0, i, visits_of(wave, [&](std::size_t k) { return make_again(k, i, step); })[0], true))
        return;
    }
    lost_ = lost_ || !sound(failed);
    if (std::isinf(gap_[i]))
      gap_[i] = sound(failed) ? gap_of(i, failed) : 0;  // rounding lets it go no further
  }
  double gap_of(std::size_t i, const DualVisit& visit) const {
    const double seen = 0.5 * (visit.ahead - visit.behind) / visit.step;
    return visits_.kappa(i) * std::max(0.0, std::isnan(visit.gap) ? seen : visit.gap);
  }
  // Moves w along; back where D falls. Returns whether it stays. Nobody moved before one that is alone, so that what it
  // tells of the line is true.
  bool settle(std::size_t k, std::size_t i, const DualVisit& visit, bool alone) {
    if (!sound(visit)) return false;
    const double kappa = visits_.kappa(i), before = terms_.value[i] + visits_.offset(i);
    const auto [growth, square] = go(visit.move, kappa);
    const double gain = kappa * (visit.value - before) - 0.5 * growth;
    const double noise =
        (exact_ ? kRounding : kKeptRounding) * (std::abs(growth) + 2 * kappa * std::abs(visit.ahead)) +
        kappa * kRounding * (1 + visit.magnitude);
    gained_ = gain;
    const bool stays = gain >= -noise;
    if (stays || alone) state_->step[i] = next_step(i, visit, square, noise, gain);
    if (!stays) {
      go_back();
      return false;
    }
    gap_[i] = gap_of(i, visit);
    accept(k, i, visit);
    return true;
  }
  // Newton's step on the line that the visit was on.
  double next_step(std::size_t i, const DualVisit& visit, double square, double noise, double gain) const {
    const double kappa = visits_.kappa(i), step = visit.step, next = state_->step[i];
    const double q = (visit.ahead - visit.behind) / step;
    const double Q = square / (kappa * step * step);
    if (kappa * step * std::max(q, Q * step) > 10 * noise)
      return std::clamp(q > 0 ? q / (q + Q) : step, kLeastStep, kMostStep);
    return gain >= -noise ? std::max(next, std::min(2 * step, kFirstStep)) : next;  // too little to measure
  }

  // First visits, in waves that grow with the number of examples that have left their labels.
  void leave_labels() {
    const std::size_t stride = DualPass::stride(pass_.first, batch_);
    for (std::size_t point = pass_.left; pass_.left < pass_.first.size();) {
      if (pass_.left >= point) {
        if (pass_.left > 0) run_.point();
        point = pass_.left + stride;
      }
      const std::size_t wave =
          std::min(std::clamp<std::size_t>((settled_ + pass_.left) / kSettled, 1, batch_),
                   pass_.first.size() - pass_.left);
      leave(std::span(pass_.first).subspan(pass_.left, wave), wave);
      pass_.left += wave;
    }
  }
  void leave(std::span<const std::size_t> examples, std::size_t at_once) {
    for (std::size_t first = 0; first < examples.size(); first += at_once) {
      const auto wave = examples.subspan(first, std::min(at_once, examples.size() - first));
      const auto visits = visits_of(wave, [&](std::size_t k) {
        return visits_.first(k, wave[k], terms_.value[wave[k]] + visits_.offset(wave[k]), w_);
      });
      std::vector<std::size_t> fell;
      for (std::size_t k = 0; k < wave.size(); ++k)
        if (!settle_first(k, wave[k], visits[k], at_once == 1)) fell.push_back(wave[k]);
      if (!fell.empty()) leave(fell, std::max<std::size_t>(1, at_once / kSmaller));
    }
  }
  // An example that is alone is visited again until D is not below what it was at the label; else it goes back to that.
  bool settle_first(std::size_t k, std::size_t i, const DualVisit& visit, bool alone) {
    gap_[i] = visits_.kappa(i) * std::max(0.0, visit.gap);
    if (visit.empty) return true;
    if (!sound(visit)) {  // it stays at its label
      lost_ = true;
      if (!std::isfinite(gap_[i])) gap_[i] = 0;
      return true;
    }
    const double kappa = visits_.kappa(i), at_label = terms_.value[i], before = at_label + visits_.offset(i);
    double gain = kappa * (visit.value - before) - 0.5 * go(visit.move, kappa).growth;
    if (gain < 0 && !alone) {
      go_back();
      return false;
    }
    std::vector<std::pair<Index, double>> stood = undo_;
    accept(k, i, visit);
    left_[i] = true;
    const double gap = gap_[i];
    for (int tries = 0; gain < 0 && tries < kTries; ++tries) {
      const std::size_t wave[] = {i};
      const DualVisit next =
          visits_of(wave, [&](std::size_t at) { return make_again(at, i, state_->step[i]); })[0];
      // settle forgets what stood before it
      for (const Index j : next.move.indices()) stood.emplace_back(j, w_[j]);
      if (settle(0, i, next, true))
        gain += gained_;
      else
        state_->step[i] = std::max(kLeastStep, 0.5 * state_->step[i]);
    }
    if (gain >= 0) return true;
    undo_ = std::move(stood);
    go_back();
    gap_[i] = gap;
    terms_.value[i] = at_label;
    terms_.doubt[i] = 0;
    left_[i] = false;
    if (owned_->mine(i)) visits_.back_to_label(i);
    return true;
  }

  Objective& objective_;
  Run& run_;
  std::size_t batch_;
  std::shared_ptr<const OwnedExamples> owned_;
  std::shared_ptr<Potentials> state_;
  bool exact_;
  OwnVisits visits_;
  Random random_;
  DenseSum sum_;
  // Of all examples, on every rank:
  Vector gap_;  // when last visited
  std::vector<std::size_t> order_;
  DualTerms terms_;
  std::vector<char> left_;  // its label: θ is there
  DualPass pass_;
  std::size_t settled_ = 0;  // examples that had left their labels when it began
  bool lost_ = false;
  Vector centre_, w_;
  std::vector<std::pair<Index, double>> undo_;  // numbers of w before the moves since the last one that stays
  double gained_ = 0;                           // by the last move that was settled
};

}  // namespace

double telling_share(const Oracle& oracle, const Query& query) {
  constexpr std::size_t kLooked = 16;
  // Multiplications: a chain of 20 labels takes 3 ns for each of its own in a visit, and 16 for a number that is told, packed
  // and added, at 10 Gb a second.
  constexpr double kTelling = 6;
  const Vector zeros(oracle.dimension());
  const auto parts = oracle.parts(query);
  Vector poured(oracle.dimension()), theta, counts;
  double told = 0, work = 0;
  const std::size_t stride = std::max<std::size_t>(1, oracle.size() / kLooked);
  for (std::size_t i = 0; i < oracle.size(); i += stride) {
    const std::span<const double> scores = parts->look(i, zeros);
    if (scores.empty()) continue;  // there is nothing to choose
    theta.assign(scores.begin(), scores.end());
    counts.resize(theta.size());
    parts->solve(theta, counts);  // what no structure has is not told
    parts->pour(counts, 1, poured, nullptr);
    for (double& v : poured) told += std::exchange(v, 0.0) != 0 ? 1 : 0;
    work += oracle.work(i);
  }
  return work > 0 ? kTelling * told / work : INFINITY;
}

std::size_t shared_batch(const SoftDualOptions& settings, const Objective& objective) {
  if (settings.batch > 0) return static_cast<std::size_t>(settings.batch);
  return spread_oracle(objective.oracle()) != nullptr ? kSharedBatch : 0;
}

Summary share_visits(const SoftDualOptions& settings, std::size_t batch, double patience,
                     Objective& objective, Start start, const Observer& observer) {
  Run run(fmt::format("soft_dual in waves of {}", batch), objective, observer);
  SharedDual ascent(settings, batch, objective, run);
  run.start(ascent.weights());
  run.stands_at([&] { return hash_numbers(ascent.weights()); });
  try {
    if (!run.resumes()) run.still([&] { ascent.take(start); });
    run.keeps([&](Snapshot& snapshot) { snapshot(ascent); });
  } catch (const Stopped&) {
    return run.stopped();
  }
  return *climb(settings, patience, run, ascent.course, ascent);
}

}  // namespace hinge
