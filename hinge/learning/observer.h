// Who watches a run, and may end it in two ways:
//
//     observer(progress)    told after every round: false ends the run there, in good order, with a last
//                           evaluation where the solver needs one to know its objective
//     observer.stops()      asked before every oracle call, by every worker: true ends the run at once:
//                           each worker finishes the call that it is in and none begins another
//
// Any function of a Progress is an observer that only knows the first way. The second must last: once true,
// always true; and it is asked from several threads.
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "hinge/core/stopped.h"
#include "hinge/learning/progress.h"

namespace hinge {

class Keeper;

class Observer {
 public:
  using Round = std::function<bool(const Progress&)>;
  using Stop = std::function<bool()>;

  Observer() = default;
  Observer(std::nullptr_t) {}
  template <class F>
    requires(std::is_invocable_r_v<bool, F&, const Progress&> &&
             !std::same_as<std::remove_cvref_t<F>, Observer>)
  Observer(F&& round) : round_(std::forward<F>(round)) {}
  Observer(Round round, Stop stop) : round_(std::move(round)), stop_(std::move(stop)) {}

  bool operator()(const Progress& progress) const { return !round_ || round_(progress); }
  bool stops() const { return stop_ && stop_(); }

  // An upper bound on the gap that is enough for this observer, absolute or a share of the primal: solvers
  // that compute the primal only near their own goal compute it here too.
  double enough(double dual) const { return std::max(gap_, relative_gap_ * std::abs(dual)); }
  Observer content_with(double gap, double relative_gap) && {
    gap_ = std::max(gap_, gap);
    relative_gap_ = std::max(relative_gap_, relative_gap);
    return std::move(*this);
  }

  // Who keeps the state of the run for a later process (keeper.h); null where nobody does.
  Keeper* keeper() const { return keeper_; }
  Observer keeping(Keeper* keeper) && {
    keeper_ = keeper;
    return std::move(*this);
  }

  // This observer, and when it has been told and would go on, another rule.
  Observer and_also(Round round, Stop stop = {}) const {
    Observer both;
    both.round_ = [first = *this, round = std::move(round)](const Progress& progress) {
      const bool go_on = first(progress);
      return go_on && round(progress);
    };
    if (stop_ || stop)
      both.stop_ = [first = stop_, second = std::move(stop)] {
        return (first && first()) || (second && second());
      };
    both.keeper_ = keeper_;
    both.gap_ = gap_;
    both.relative_gap_ = relative_gap_;
    return both;
  }

 private:
  Round round_;
  Stop stop_;
  Keeper* keeper_ = nullptr;
  double gap_ = 0, relative_gap_ = 0;
};

}  // namespace hinge
