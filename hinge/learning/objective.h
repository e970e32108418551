// The one objective, as solvers see it:
//
//     objective(w) = Ω(w) + Σ_i κ_i excess_i(w),     κ_i = C c_i / n,
//     excess_i(w)  = free_i(w) − clamped_i(w).
//
// Where a label admits one structure, clamped is linear and the excess convex. Where it does not, the
// objective is not convex: planes touch it where they are asked, but need not lie below. `linearize(w)` then
// replaces clamped by its plane at w, and the excess below means that convex upper bound (the step of CCCP),
// until `follow()` takes clamped as it is again.
//
// Weights that the oracle's task wants nonnegative are bounded by Ω: every solver keeps them so, or refuses.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "hinge/core/executor.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/weight_shares.h"
#include "hinge/learning/formulation.h"
#include "hinge/learning/observer.h"
#include "hinge/learning/regulariser.h"

namespace hinge {

class Objective {
 public:
  // Throws InputError when the oracle cannot serve the formulation. Oracle and executor must outlive the
  // objective. A regulariser without a centre takes that of the oracle.
  Objective(const Oracle& oracle, Formulation formulation, double C, Executor& executor,
            Regulariser regulariser = {});
  Objective(const Oracle&&, Formulation, double, Executor&, Regulariser = {}) = delete;
  ~Objective();

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
  bool smooth() const { return formulation_.smooth() && oracle_.smooth(); }

  // Whether some label admits several structures, so that the objective is convex only where it is
  // linearised.
  bool needs_linearizing() const { return needs_linearizing_; }
  // Replaces clamped by its planes at w, where the bound then touches.
  struct Linearization {
    double fall = 0;  // by how much the bound fell at w: Σ_i κ_i (clamped_i − its last plane)(w)
    double size = 0;  // of the numbers that these are made from, which may nearly cancel
    std::vector<Plane> changes;  // last plane − new plane of every example: what planes of the excess gain
  };
  Linearization linearize(Weights w) { return linearize(w, clamped_at(w)); }
  // The same in two steps, of which asking changes nothing.
  std::vector<Plane> clamped_at(Weights w);  // of the examples that are not determined
  Linearization linearize(Weights w, std::vector<Plane> clamped);
  bool linearized() const { return linearized_; }
  // Whether there was a linearisation that the next one will know its changes from.
  bool was_linearized() const { return !clamped_.empty(); }
  // Ends the linearisation: the objective itself again. Planes made under it are shifted by the next one.
  void follow() { linearized_ = false; }
  bool convex() const { return !needs_linearizing_ || linearized_; }

  // The plane that stands for clamped of an example that is not determined; only while linearised.
  const Plane& clamped(std::size_t i) const { return clamped_[i]; }

  // The oracle over the weights that passes over all examples are fastest in, and where each weight stands
  // among those (see Widening); no places: at its own.
  struct Layout {
    const Oracle& oracle;
    std::span<const Index> places;
  };
  Layout layout() const;

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

  // The weights that this process works at, for solvers that can have some of all: where `shards` says how examples are
  // cut, and the oracle has parts, by which it is known what every example reads. All weights by number elsewhere. It is
  // found once, by pouring the parts of all examples.
  const WeightShares& shares() const;
  const WeightShares& all_weights() const { return all_weights_; }
  double sum_of_excesses(const WeightShares& shares, Weights w, std::span<double> gradient) const;

  // Gives back the room that passes over all examples have kept for the next.
  void give_back_room() const;

  // Answers of the oracle so far: one for each example and side that was asked.
  std::size_t oracle_calls() const { return calls_; }
  // How inference answered them, in either layout of the weights.
  InferenceReport inference() const {
    InferenceReport report = executor_.ranks() == nullptr ? own_inference() : of_ranks_;
    report += earlier_;
    return report;
  }

  // What was asked so far; and back to that, where what came after it is forgotten.
  struct Asked {
    std::size_t calls;
    InferenceReport inference;
  };
  Asked asked() const { return {calls_, inference()}; }
  void go_back_to(const Asked& asked) const {
    calls_ = asked.calls;
    answered_before(asked.inference);
  }

  // Where there are ranks: agrees on how inference answered, and throws std::logic_error when the weights of two
  // ranks differ. After every round.
  void agree(Weights w) const { agree(all_weights_, w); }
  void agree(const WeightShares& shares, Weights w) const;

  // The linearisation, for a later process.
  void keep(Snapshot& snapshot) { snapshot(linearized_, clamped_); }
  // What `inference` was in an earlier process, which this one goes on from.
  void answered_before(const InferenceReport& report) const {
    earlier_ = {};
    earlier_ = report.since(inference());
  }

  // While one lives, every member above that asks the oracle throws Stopped once the observer stops, before
  // its next call. The last one made is asked.
  class Watch {
   public:
    Watch(const Objective& objective, const Observer& observer)
        : objective_(objective), before_(std::exchange(objective.watch_, &observer)) {}
    ~Watch() { objective_.watch_ = before_; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    const Objective& objective_;
    const Observer* before_;
  };
  bool stops() const { return watch_ != nullptr && watch_->stops(); }
  void throw_if_stopped() const {
    if (stops()) throw Stopped();
  }

 private:
  struct Pass;  // room for sums over all examples, kept from pass to pass
  template <class Sum>
  double sum_over(const Oracle& oracle, Weights w, const Sum& sum) const;
  template <class Body>
  double in_pass(const Body& body) const;  // body(room)
  std::optional<std::vector<SetOfNumbers>> reads(std::size_t pieces) const;
  // values[k] by fill(k), which asks about example(k); where there are ranks, each by one of them for all.
  template <class T, class Example, class Fill>
  void spread(std::span<T> values, const Example& example, const Fill& fill) const;
  // Where there are ranks: counts the calls that all of them made since `before` for the examples, as one process
  // would have, and agrees on the report where answers may not be exact.
  template <class Example>
  void count_for_all(std::size_t before, std::size_t examples, const Example& example) const;
  InferenceReport own_inference() const {
    InferenceReport report = oracle_.inference();
    if (widening_) report += widening_->oracle->inference();
    return report;
  }
  void ask() const {  // before every call of the oracle
    throw_if_stopped();
    ++calls_;
  }

  const Oracle& oracle_;
  Formulation formulation_;
  double C_;
  Executor& executor_;
  Regulariser regulariser_;
  bool needs_linearizing_ = false, linearized_ = false;
  WeightShares all_weights_{oracle_.dimension()};
  bool may_approximate_ = false;  // asked only where there are ranks
  std::vector<Plane> clamped_;    // of the examples that are not determined, since the last linearize
  mutable const Observer* watch_ = nullptr;
  mutable std::mutex pass_lock_;
  mutable std::unique_ptr<Pass> pass_;
  mutable std::once_flag widening_asked_;
  mutable std::optional<Widening> widening_;  // for passes over all examples
  mutable std::once_flag shares_asked_;
  mutable std::optional<WeightShares> shares_;
  mutable std::atomic<std::size_t> calls_ = 0;
  mutable InferenceReport earlier_;   // of an earlier process
  mutable InferenceReport of_ranks_;  // as of the last exchange, where there are several
};

}  // namespace hinge
