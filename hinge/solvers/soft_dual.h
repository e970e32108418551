// Block ascent in the dual of soft methods (one temperature τ > 0), the sibling of frank_wolfe. Since
//
//     free_i(w) = max over distributions α of  <Φ_iᵀ w + ρ Δ_i, μ(α)> + τ H(α),        μ: expected counts of parts
//
// the dual of the objective has one distribution α_i for each example. With g_i the counts of its label (of a
// linearised label: g_i is its plane's slope, a_i its offset) and Ω(w) = 1/2 |w − w0|²_R,
//
//     w = w0 + R⁻¹ Σ_i κ_i (g_i − Φ_i μ_i)
//     D = Σ_i κ_i (τ H(α_i) + ρ <Δ_i, μ_i> − a_i) + 1/2 |w0|²_R − 1/2 |w|²_R   ≤   minimum
//
// for any α: the gap is always true. A block's state is not α_i but scores θ_i of its parts, α_i ∝ exp(θ_i / τ),
// so that an example needs the room of its parts (where parts share a score, of the shared ones), in single
// precision or in two bytes (potential_row.h): rounded before inference, so that the bound belongs to what is stored. The
// counts at θ are kept beside it, or found again (`room`).
//
// Where the task has its parts in single precision (Oracle::single_parts: chains), whole visits are made in it, with
// weights and counts: half the bytes, twice the numbers at a time. Elsewhere, and where single
// precision comes no further or hides what steps gain, they are made in double. In both, w follows counts that are rounded; D is
// true when w and H were made anew from θ in double (exact_dual.h), and only that D is told, with a primal in double.
//
// A visit of example i, with s = Φ_iᵀ w + ρ Δ_i (Collins et al. 2008, with a step of its own for each example):
//
//     θ' = θ + η_i (s − θ)         counts μ' by inference at θ'; s = θ everywhere is the optimum
//     w' = w + κ_i R⁻¹ Φ_i (μ − μ')
//     D' ≥ D, else again with a smaller η
//     q = <s − θ, μ' − μ> / η,  Q = |w' − w|²_R / (κ η²);   next η_i = q / (q + Q), Newton's step on that line
//     gap_i ≈ κ_i q / 2
//
// First visit: the block stands at its label, where θ is infinite. Where the task knows how much its label's parts will
// add to their own scores (Parts::first), from there to s and that much. Elsewhere to the counts μ at s, which moves w
// and so the scores of the block's own parts, by B; the block goes to s and a share of B, such that it is what the
// block's own share of w will then be: on a part of the label b = B (1 − p(b)) / (1 − p(0)), on the others as much.
//
// Where C/n is large, first visits are made at a smaller C, to a rough gap, and C grows tenfold at a time; θ stays.
//
// Where parts share no feature (multiclass; the rows of `binary`, which are learned from as examples: Oracle::divided)
// the example's own optimum is found instead: θ = s at the w that it leads
// to (apart.h). No step is chosen, and gap_i is known. Elsewhere gap_i is computed too where θ is far from s and yet
// nothing moves: so sure is an example that was pushed too far.
//
// Order: shuffled; from the third pass on with probability gap_i / mean gap, at least 0.2. Visits go in waves of
// fixed size: the examples of a wave are looked at at one w, perhaps at the same time, then moved one after the
// other; where D falls by such a move, because others moved before it, the example is looked at again. When the gaps
// sum to little enough, a pass at w gives the primal; where that is near D, w and H are made anew from θ, and D is
// told. Where ranks share visits, and wherever `batch` is given, shared_dual.h says how.
#pragma once

#include <cmath>

#include "hinge/solvers/solver.h"

namespace hinge {

struct SoftDualOptions {
  double gap = 1e-3;
  double max_passes = 1000;
  std::uint64_t seed = 1;
  std::string room = "full";
  int batch = 0;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("gap", self.gap, range::not_negative, "stop when (primal - dual) / primal is at most this");
    visit("max_passes", self.max_passes, range::positive, "stop after this many visits per example");
    visit("seed", self.seed, range::any, "of the order in which examples are visited");
    visit("room", self.room, range::one_of({"full", "small", "short"}),
          "8 bytes for each part of an example, or 4: then inference is done twice at each visit; or 2, "
          "rounded, as "
          "long as visits are in single precision");
    visit("batch", self.batch, range::not_negative,
          "examples of a wave whose visits ranks share; 0: every rank makes all visits, one after the other "
          "(usual: 64 on several ranks where that pays, else 0)");
  }
};

class SoftDual final : public Solver {
 public:
  std::string name() const override { return "soft_dual"; }
  std::vector<OptionRef> options() override { return list_options(settings); }
  Summary solve(Objective& objective, Start start, const Observer& observer) const override;

  bool divides() const override { return true; }

  // Why it cannot minimise what this formulation makes of the oracle: a sentence; empty when it can.
  static std::string refusal(const Oracle& oracle, const Formulation& formulation);

  SoftDualOptions settings;
  double patience = INFINITY;  // visits per example that it may take, where another solver stands behind it
};

}  // namespace hinge
