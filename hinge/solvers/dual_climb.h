// The rounds of soft_dual, whether ranks share its visits or not: passes at a smaller C where C is large, then passes at C, and
// where the gap that they see is small, the primal where w stands and the bound that belongs to θ as it is kept.
#pragma once

#include <optional>

#include "hinge/solvers/dual_course.h"
#include "hinge/solvers/run.h"
#include "hinge/solvers/soft_dual.h"

namespace hinge {

struct DualCourse {
  enum class Next { rebuild, visits, primal, bound, end };
  Next next = Next::rebuild;  // what of a round is to be done next
  GrowingC growing;
  double seen = INFINITY;   // the gap, by the last pass
  double hope = kHope;      // the gap as a share of that,
  bool known = false;       // which a primal has told
  double best = -INFINITY;  // D so far
  int idle = 0;             // rounds since it rose
  // Of the round: the gap seen before it, D after its pass and the gap that is enough there, and what a primal told.
  double before = INFINITY, dual = 0, goal = 0, primal = 0, gap = 0;
  bool looked = false;
};

// Rounds to the end of the run; nothing where it must go on more exactly. An ascent has
//
//     pass(enough), in_pass()   visits examples until the gap seen is that small; returns it. Whether one is begun already
//     dual, proven_dual         D, and what is left of it if rounding has falsified it; `exact`: before `rebuild` too
//     rebuild, primal, weights  w and D anew from θ; the objective where w stands; this w
//     take_share, steps         the share of C in `course` has changed; steps of all examples
//     lost, gives_way           some example cannot be solved; another ascent would come further
template <class Ascent>
std::optional<Summary> climb(const SoftDualOptions& settings, double patience, Run& run, DualCourse& course,
                             Ascent& ascent) {
  // What a pass sees is as far above the gap as this falls in one, at least kSteep of it; once it is known, within kHope and
  // kDoubt, since a primal may be bad by chance.
  constexpr double kSteep = 0.2;
  using Next = DualCourse::Next;
  DualCourse& at = course;
  const double most = std::min(settings.max_passes, patience);
  const auto goal_at = [&](double dual) { return std::max(settings.gap * std::abs(dual), run.enough()); };
  try {
    for (;;) {
      if (at.next == Next::rebuild) {
        run.still([&] { ascent.rebuild(); });
        at.next = Next::visits;
      }
      if (at.growing.grows()) {
        const double rough = ascent.pass(GrowingC::enough(ascent.dual()));
        const bool go_on = run.round({.estimated_gap = rough}), spent = run.passes() >= settings.max_passes;
        if (at.growing.grow(rough, ascent.dual(), !go_on || spent || ascent.lost(), ascent.steps())) {
          ascent.take_share();
          at.next = Next::rebuild;
        }
        continue;
      }
      if (at.next == Next::visits) {
        if (!ascent.in_pass()) at.before = at.seen;
        // 0: what is seen is far too small
        at.seen = ascent.pass(at.hope < kDoubt ? goal_at(ascent.dual()) / at.hope : 0);
        at.dual = ascent.dual();
        at.goal = goal_at(at.dual);
        if (ascent.exact()) run.dual(ascent.proven_dual());
        at.looked = at.hope * at.seen <= at.goal;
        at.next = at.looked ? Next::primal : Next::end;
      }
      if (at.next == Next::primal) {
        run.still([&] { at.primal = ascent.primal(); });
        run.primal(at.primal, ascent.weights());
        at.gap = at.primal - ascent.dual();
        at.next = at.gap <= at.goal ? Next::bound : Next::end;
      }
      if (at.next == Next::bound) {
        run.still([&] { ascent.rebuild(); });
        run.dual(ascent.proven_dual());
        at.gap = at.primal - ascent.proven_dual();
      }
      at.next = Next::visits;
      if (at.looked) at.hope = std::clamp(at.gap / at.seen, kHope, kDoubt);
      at.known = at.known || at.looked;
      if (!at.known && std::isfinite(at.before))
        at.hope = std::clamp(1.2 * at.seen / at.before, kSteep, kHope);
      at.idle = at.dual > at.best + kRounding * std::abs(at.dual) ? 0 : at.idle + 1;
      at.best = std::max(at.best, at.dual);
      const bool go_on = run.round({.estimated_gap = at.seen});
      const bool done = run.within(settings.gap), spent = run.passes() >= most;
      if (!done && go_on && !spent) {
        if (ascent.gives_way()) return std::nullopt;
        if (at.idle < kIdle && !ascent.lost()) continue;
      }
      run.potentials(ascent.potentials());
      if (done) return run.converged(settings.gap);
      if (go_on || (!at.looked && run.summary().gap() > run.enough())) {
        run.primal(ascent.primal(), ascent.weights());
        ascent.rebuild();
        run.dual(ascent.proven_dual());
      }
      if (!go_on) return run.stopped();
      return spent ? run.passes_spent(most) : run.no_progress();
    }
  } catch (const Stopped&) {
    ascent.measure_weights();
    if (ascent.exact()) run.dual(ascent.proven_dual());
    run.latest(ascent.weights(), ascent.dual() + at.seen);
    return run.stopped();
  }
}

}  // namespace hinge
