// The one objective, as solvers see it:
//
//     objective(w) = Ω(w) + Σ_i κ_i excess_i(w),     κ_i = C c_i / n,
//     excess_i(w)  = free_i(w) − clamped_i(w).
//
// Where a label admits one structure, clamped is linear and the excess convex. Where it does not,
// `linearize(w)` replaces clamped by its plane at w, and the excess below means that convex upper bound (the
// step of CCCP); `follow()` takes clamped as it is, and the objective is not convex.
#pragma once

#include <atomic>
#include <mutex>

#include "hinge/core/executor.h"
#include "hinge/learning/formulation.h"
#include "hinge/learning/regulariser.h"

namespace hinge {

class Objective {
 public:
  // Throws InputError when the oracle cannot serve the formulation. Oracle and executor must outlive the
  // objective.
  Objective(const Oracle& oracle, Formulation formulation, double C, Executor& executor,
            Regulariser regulariser = {});

  std::size_t size() const { return oracle_.size(); }
  Index dimension() const { return oracle_.dimension(); }
  double C() const { return C_; }
  void set_C(double C);  // planes, and what was linearised, stay valid
  double block_weight(std::size_t i) const {
    return C_ * oracle_.weight(i) / static_cast<double>(size());
  }  // κ_i
  const Formulation& formulation() const { return formulation_; }
  const Regulariser& regulariser() const { return regulariser_; }
  const Oracle& oracle() const { return oracle_; }
  Executor& executor() const { return executor_; }
  bool smooth() const { return formulation_.smooth(); }

  // Whether some label admits several structures, so that `linearize` or `follow` must come first.
  bool needs_linearizing() const { return needs_linearizing_; }
  // Replaces clamped by its planes at w, where the bound then touches.
  struct Linearization {
    double fall = 0;  // by how much the bound fell at w: Σ_i κ_i (clamped_i − its last plane)(w)
    std::vector<Plane> changes;  // last plane − new plane of every example: what planes of the excess gain
  };
  Linearization linearize(Weights w);
  bool linearized() const { return !clamped_.empty(); }
  // From now on planes touch the objective itself where they are asked, but need not lie below it: for
  // solvers that use values and gradients only.
  void follow() { clamped_.clear(), following_ = true; }
  bool convex() const { return !needs_linearizing_ || linearized(); }

  // The plane of excess_i that touches at w.
  void plane(std::size_t i, Weights w, Plane& out) const;
  // The same at scale · v, which is never formed: a solver whose weights shrink at every step then pays for
  // what a step touches, not for the dimension. Only where `serves_scaling`.
  void plane_at_scale(std::size_t i, double scale, Weights v, Plane& out) const;
  bool serves_scaling() const;
  // Every plane of excess_i, where the oracle can list them; finding the highest one is left to the caller,
  // who counts each search as an oracle call.
  bool all_planes(std::size_t i, ProductPlanes& out) const;
  void count_calls(std::size_t calls) const { calls_ += calls; }
  // The planes of several examples at one w, computed in parallel: out[k] is that of examples[k].
  void planes(std::span<const std::size_t> examples, Weights w, std::span<Plane> out) const;
  // Σ_i κ_i excess_i(w), and its gradient, which is overwritten. The same bits for any number of workers.
  double sum_of_excesses(Weights w, std::span<double> gradient) const;
  // Ω(w) + Σ_i κ_i excess_i(w)
  double value(Weights w) const;

  // Answers of the oracle so far: one for each example and side that was asked.
  std::size_t oracle_calls() const { return calls_; }
  // How inference answered them, in either layout of the weights.
  InferenceReport inference() const {
    InferenceReport report = oracle_.inference();
    if (widening_) report += widening_->oracle->inference();
    return report;
  }

 private:
  double sum_over(const Oracle& oracle, Weights w, std::span<double> gradient) const;

  const Oracle& oracle_;
  Formulation formulation_;
  double C_;
  Executor& executor_;
  Regulariser regulariser_;
  bool needs_linearizing_ = false, following_ = false;
  std::vector<Plane> clamped_;  // of the examples that are not determined, since the last linearize
  mutable std::once_flag widening_asked_;
  mutable std::optional<Widening> widening_;  // for passes over all examples
  mutable std::atomic<std::size_t> calls_ = 0;
};

}  // namespace hinge
