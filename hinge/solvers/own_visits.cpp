#include "hinge/solvers/own_visits.h"

#include <algorithm>

#include "hinge/core/random.h"

namespace hinge {

class OwnVisits::Lent {
 public:
  explicit Lent(OwnVisits& visits) : visits_(visits) {
    {
      const std::lock_guard lock(visits.lock_);
      if (!visits.idle_.empty()) {
        worker_ = std::move(visits.idle_.back());
        visits.idle_.pop_back();
      }
    }
    if (worker_) return;
    worker_ = std::make_unique<Worker>();
    worker_->block.parts = own_oracle(visits.objective_.oracle()).parts(visits.query_);
    worker_->poured.resize(visits.objective_.dimension());
  }
  ~Lent() {
    const std::lock_guard lock(visits_.lock_);
    visits_.idle_.push_back(std::move(worker_));
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  Worker& worker() { return *worker_; }
  Block& block() { return worker_->block; }

 private:
  OwnVisits& visits_;
  std::unique_ptr<Worker> worker_;
};

OwnVisits::OwnVisits(const Objective& objective, const OwnedExamples& owned, Potentials& state,
                     bool keeps_counts)
    : objective_(objective),
      owned_(owned),
      state_(state),
      query_(objective.formulation().query(Side::free)),
      temperature_(query_.output_temperature),
      keeps_counts_(keeps_counts),
      reads_(owned.size()) {
  const Regulariser& regulariser = objective.regulariser();
  if (!regulariser.curvature.empty())
    for (std::size_t j = 0; j < objective.dimension(); ++j) share_.push_back(1 / regulariser.curvature_at(j));
}

const std::vector<Index>& OwnVisits::reads(std::size_t i, Worker& worker) {
  std::vector<Index>& found = reads_[i];
  if (!found.empty()) return found;
  Random random(i);
  Vector amounts;
  for (const double score : worker.block.s) amounts.push_back(score > Parts::kOut ? 1 + random.uniform() : 0);
  worker.block.parts->pour(amounts, 1, worker.poured, nullptr);
  for (std::size_t j = 0; j < worker.poured.size(); ++j)
    if (std::exchange(worker.poured[j], 0.0) != 0) found.push_back(static_cast<Index>(j));
  found.shrink_to_fit();
  return found;
}

DualVisit OwnVisits::told(std::size_t i, Worker& worker) {
  Block& block = worker.block;
  DualVisit visit{.step = block.step,
                  .value = block.value,
                  .magnitude = block.magnitude,
                  .ahead = block.ahead,
                  .behind = block.behind,
                  .loss = block.loss,
                  .loss_from = block.loss_from,
                  .gap = block.gap};
  const std::vector<Index>& places = reads(i, worker);
  block.parts->pour(block.difference, 1, worker.poured, nullptr);
  for (const Index j : places)
    if (const double v = std::exchange(worker.poured[j], 0.0); v != 0) visit.move.add(j, v);
  return visit;
}

double OwnVisits::at_label(std::size_t i, Block& block, Weights w) const {
  if (determined(i)) {
    block.parts->clamped(w, block.label);
    return 0;
  }
  // The scores at the weights of the linearisation, which the entropy needs, are without the loss.
  block.look(owned_.local(i), linearized_at);
  block.theta.assign(block.s.begin(), block.s.end());
  const double value = block.parts->clamped(linearized_at, block.label);
  const double loss = block.parts->loss(block.label), score = dot(block.theta, block.label) - loss;
  block.look(owned_.local(i), w);
  return value - score + loss;
}

void OwnVisits::find_counts(std::size_t i, Block& block, Weights w) const {
  if (!keeps_counts_) {
    block.parts->solve(block.theta, block.counts);
    return;
  }
  if (determined(i)) block.parts->clamped(w, block.label);
  widen_counts(state_.counts[i], label_of(i, block), block.counts);
}

// Keeps where the trial leads, rounded, until it is known whether that is accepted.
void OwnVisits::hold(std::size_t k, std::size_t i, Block& block) {
  pending_[k].theta.set(block.trial);
  if (keeps_counts_) narrow_counts(block.trial_counts, label_of(i, block), pending_[k].counts);
}
void OwnVisits::accept(std::size_t k, std::size_t i) {
  std::swap(state_.theta[i], pending_[k].theta);
  if (keeps_counts_) std::swap(state_.counts[i], pending_[k].counts);
}
void OwnVisits::back_to_label(std::size_t i) { state_.theta[i].clear(); }

DualVisit OwnVisits::again(std::size_t k, std::size_t i, double step, double before, Weights w) {
  Lent lent(*this);
  Block& block = lent.block();
  block.look(owned_.local(i), w);
  block.step = step;
  state_.theta[i].get(block.theta);
  find_counts(i, block, w);
  block.loss_from = block.parts->loss(block.counts);
  block.attempt(temperature_);
  hold(k, i, block);
  block.measure(block.counts);
  block.gap = hidden_gap(block, before);
  return told(i, lent.worker());
}

// Where an example is so sure of itself that a step changes nothing, its gap is not seen in that: computed.
double OwnVisits::hidden_gap(Block& block, double before) const {
  const double q = (block.ahead - block.behind) / block.step;
  if (q > 0.1 * temperature_ || farthest(block.s, block.theta) < 4 * temperature_) return NAN;
  Vector& scores = scratch<Vector, struct OwnHiddenScores>();
  Vector& counts = scratch<Vector, struct OwnHiddenCounts>();
  scores.assign(block.s.begin(), block.s.end());
  counts.resize(block.size());
  return block.parts->solve(scores, counts).value - product(block.s, block.counts) + block.loss_from - before;
}

DualVisit OwnVisits::first(std::size_t k, std::size_t i, double before, Weights w) {
  Lent lent(*this);
  Worker& worker = lent.worker();
  Block& block = worker.block;
  const std::size_t here = owned_.local(i);
  block.look(here, w);
  if (block.size() == 0) return {.empty = true, .gap = 0};
  at_label(i, block, w);
  block.theta.assign(block.s.begin(), block.s.end());
  block.gap = block.parts->first(kappa(i), share(), block.trial);
  block.loss_from = 0;
  if (!std::isnan(block.gap)) {
    block.solve_trial();
  } else {
    const double soft = block.parts->solve(block.theta, block.counts).value;
    if (!std::isfinite(soft)) return {.value = NAN, .gap = 0};  // it stays where it is
    block.gap = soft - product(block.theta, block.label) + block.parts->loss(block.label) - before;
    for (std::size_t p = 0; p < block.size(); ++p) block.difference[p] = block.label[p] - block.counts[p];
    worker.moved.assign(w.begin(), w.end());
    block.parts->pour(block.difference, kappa(i), worker.moved, share());
    block.look(here, worker.moved);
    block.welcome(temperature_);
  }
  hold(k, i, block);
  block.measure(block.label);
  return told(i, worker);
}

void OwnVisits::look_from(std::size_t i, Weights w) {
  Lent lent(*this);
  lent.block().look(owned_.local(i), w);
  state_.theta[i].set(lent.block().s);
}

double OwnVisits::place(std::size_t i, double& value, double& doubt, std::span<double> sum) {
  value = doubt = 0;
  PotentialRow& theta = state_.theta[i];
  if (determined(i) && theta.empty()) return 0;
  Lent lent(*this);
  Block& block = lent.block();
  Vector& zeros = lent.worker().poured;
  block.look(owned_.local(i), zeros);
  if (theta.size() != block.size()) theta.clear();  // of other data
  if (theta.empty()) {
    value = at_label(i, block, zeros);
    block.counts = block.label;
    if (determined(i)) return 0;
  } else {
    theta.get(block.theta);
    value = block.solve(block.theta, block.counts);
    doubt = block.doubt(temperature_);
  }
  if (determined(i)) block.parts->clamped(zeros, block.label);
  for (std::size_t p = 0; p < block.size(); ++p)  // w is exact
    block.difference[p] = (determined(i) ? block.label[p] : 0) - block.counts[p];
  if (!theta.empty() && keeps_counts_) narrow_counts(block.counts, label_of(i, block), state_.counts[i]);
  block.parts->pour(block.difference, kappa(i), sum, share());
  if (!determined(i)) {
    const Plane& plane = objective_.clamped(i);
    for (std::size_t k = 0; k < plane.slope.size(); ++k) {
      const Index j = plane.slope.indices()[k];
      sum[j] += kappa(i) * plane.slope.values()[k] * (share_.empty() ? 1 : share_[j]);
    }
  }
  value -= offset(i);
  return kappa(i) * value;
}

double OwnVisits::excess(std::size_t i, Weights w) {
  Lent lent(*this);
  Block& block = lent.block();
  if (determined(i)) return block.parts->excess(owned_.local(i), w);
  block.look(owned_.local(i), w);
  return block.parts->solve(block.s, block.counts).value - objective_.clamped(i).at(w);
}

}  // namespace hinge
