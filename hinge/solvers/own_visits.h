// The visits that a process makes of its own examples, where ranks share those of soft_dual: all that needs an example,
// its potentials θ or its parts. With the names of soft_dual.h,
//
//     again   θ' = θ + η (s − θ), the counts μ' there, the move Φ_i (μ − μ') and what it is worth
//     first   the same from the label, where θ is infinite
//     place   adds κ_i R⁻¹ (g_i − Φ_i μ_i) to a sum; returns κ_i value_i
//     excess  free − clamped
//
// Weights are only read. A move stands at the weights that its example reads, which is found once, by pouring every part
// with an amount of its own. Everything is in double precision.
#pragma once

#include <mutex>

#include "hinge/solvers/dual_block.h"
#include "hinge/solvers/owned_examples.h"
#include "hinge/solvers/potentials.h"

namespace hinge {

// What the owner of an example tells all ranks of a visit.
struct DualVisit {
  bool empty = false;  // there is nothing to choose
  double step = 0;     // η
  double value = 0;    // τ H + ρ <Δ, μ'>, made from numbers of this
  double magnitude = 0;
  double ahead = 0, behind = 0;    // <s, μ' − μ> and <θ, μ' − μ>
  double loss = 0, loss_from = 0;  // ρ <Δ, μ'> and ρ <Δ, μ>
  double gap = NAN;                // of the block before the move, where it was computed
  SparseVector move = {};          // Φ_i (μ − μ')
  void keep(Snapshot& snapshot) {
    snapshot(empty, step, value, magnitude, ahead, behind, loss, loss_from, gap, move);
  }
};

class OwnVisits {
 public:
  // `keeps_counts`: those at θ are kept beside it, rounded, instead of found again at each visit.
  OwnVisits(const Objective& objective, const OwnedExamples& owned, Potentials& state, bool keeps_counts);

  // Makes room for a wave of so many.
  void begin(std::size_t wave) { pending_.resize(std::max(wave, pending_.size())); }
  // Of the wave's k-th example, from where w and `before`, its value, stand.
  DualVisit again(std::size_t k, std::size_t i, double step, double before, Weights w);
  DualVisit first(std::size_t k, std::size_t i, double before, Weights w);
  // The example goes where the visit led it.
  void accept(std::size_t k, std::size_t i);
  void back_to_label(std::size_t i);

  // θ = s at the weights.
  void look_from(std::size_t i, Weights w);
  // Value and doubt become those of the block; θ of other data is forgotten.
  double place(std::size_t i, double& value, double& doubt, std::span<double> sum);
  double excess(std::size_t i, Weights w);

  // From now on of the objective at this share of its C.
  void take_share(double share) { C_share_ = share; }
  double kappa(std::size_t i) const { return C_share_ * objective_.block_weight(i); }
  double temperature() const { return temperature_; }
  double offset(std::size_t i) const { return determined(i) ? 0 : objective_.clamped(i).offset; }  // a_i
  const Vector& shares() const { return share_; }  // 1 / r of each weight; empty: ones
  // Where labels were linearised, which their entropy needs.
  Vector linearized_at;

 private:
  using Block = DualBlock<double>;
  // What one thread at a time has.
  struct Worker {
    Block block;
    Vector poured;  // zeros
    Vector moved;
  };
  // Where a visit led.
  struct Pending {
    PotentialRow theta;
    std::vector<float> counts;
  };
  // Lends a worker.
  class Lent;

  bool determined(std::size_t i) const { return objective_.oracle().determined(i); }
  const double* share() const { return share_.empty() ? nullptr : share_.data(); }
  const Vector* label_of(std::size_t i, const Block& block) const {
    return determined(i) ? &block.label : nullptr;
  }
  double at_label(std::size_t i, Block& block, Weights w) const;
  void find_counts(std::size_t i, Block& block, Weights w) const;
  void hold(std::size_t k, std::size_t i, Block& block);
  double hidden_gap(Block& block, double before) const;
  DualVisit told(std::size_t i, Worker& worker);
  const std::vector<Index>& reads(std::size_t i, Worker& worker);

  const Objective& objective_;
  const OwnedExamples& owned_;
  Potentials& state_;
  Query query_;
  double temperature_, C_share_ = 1;
  bool keeps_counts_;
  Vector share_;
  std::vector<std::vector<Index>> reads_;  // of each own example that was visited
  std::vector<Pending> pending_;           // of the wave
  std::mutex lock_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace hinge
