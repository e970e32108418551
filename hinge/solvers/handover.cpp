#include "hinge/solvers/handover.h"

#include <algorithm>

#include "hinge/solvers/lbfgs.h"

namespace hinge {

Summary Handover::solve(Objective& objective, Start start, const Observer& observer) const {
  constexpr double kPatience = 400;  // a gap of 1e-3 takes 10 to 200 where soft_dual is the right choice
  SoftDual first;
  first.settings = first_.settings;
  first.patience = kPatience;
  Summary run = first.descend(objective, std::move(start), observer);
  const double spent = static_cast<double>(run.oracle_calls) / static_cast<double>(objective.size());
  const bool over = spent >= first.settings.max_passes;
  if (run.termination == Termination::converged || run.termination == Termination::stopped || over)
    return run;
  Lbfgs second;
  second.settings.gap = first.settings.gap;
  second.settings.max_passes = static_cast<int>(std::max(1.0, first.settings.max_passes - spent));
  const bool finite = std::ranges::all_of(run.weights, [](double w) { return std::isfinite(w); });
  const Observer later = Observer([&](const Progress& progress) { return observer(run.then(progress)); },
                                  [&] { return observer.stops(); })
                             .keeping(observer.keeper());
  Summary last = second.descend(objective, {.weights = finite ? run.weights : Vector()}, later);
  last.solver = run.solver + ", then " + last.solver;
  last.go_on_from(std::move(run));
  return last;
}

}  // namespace hinge
