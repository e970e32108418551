// Answers every query for a task made of parts: score the parts, add the loss or forbid what the label
// excludes, run the engine, and turn the counts of the parts into features.
#pragma once

#include <cmath>

#include "hinge/oracle/decoding.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"

namespace hinge {

template <FactoredTask T>
class Factored {
 public:
  using Engine = typename T::Engine;

  // Pours the slope of the plane into sink and returns the queried function's value at w.
  // `offset` becomes the plane's offset when the query is hard and NaN otherwise (then it is value − <slope,
  // w>).
  template <class Sink>
  double operator()(const T& task, const typename T::Input& x, const typename T::Label& y, Weights w,
                    const Query& query, Sink&& sink, double& offset) {
    configure(task);
    task.score(x, w, scores_);
    if (query.rescaling == Rescaling::slack && query.side == Side::excess)
      return slack(task, x, y, sink, offset);
    const double reference = query.side == Side::excess ? scores_.of(task.structure(y)) : 0;
    take_side(task, y, query);
    const double value = engine_.solve(scores_, output_temperature(query), query.latent_temperature, counts_);
    offset = !query.hard()                 ? NAN
             : query.side == Side::clamped ? 0
                                           : query.loss_weight * task.loss(y, counts_.structure());
    if (query.side == Side::excess) counts_.subtract(task.structure(y));
    task.features(x, counts_, sink);
    return value - reference;
  }

  // Whether the answer to the query could be other than exact at some weights; `zero` are as many as the task
  // has.
  bool may_approximate(const T& task, const typename T::Input& x, const typename T::Label& y, Weights zero,
                       const Query& query) {
    configure(task);
    task.score(x, zero, scores_);
    take_side(task, y, query);
    return engine_.may_approximate(scores_, output_temperature(query), query.latent_temperature);
  }

  typename T::Structure predict(const T& task, const typename T::Input& x, Weights w,
                                const Decoding& decoding = {}) {
    configure(task);
    task.score(x, w, scores_);
    if (decoding.max_marginals) {
      engine_.solve(scores_, 1, 1, counts_);
      return counts_.most_probable();
    }
    engine_.solve(scores_, 0, decoding.latent_temperature, counts_);
    return counts_.structure();
  }

  Engine& engine() { return engine_; }
  typename Engine::Scores& scores() { return scores_; }
  typename Engine::Counts& counts() { return counts_; }

 private:
  void take_side(const T& task, const typename T::Label& y, const Query& query) {
    if constexpr (HidingTask<T>)
      if (query.side == Side::free) task.hide(y, scores_);
    if (query.side == Side::clamped)
      task.forbid(y, scores_);
    else if (query.loss_weight != 0)
      task.add_loss(y, query.loss_weight, scores_);
  }
  // Clamped is T_τh over all that the label leaves open, outputs too.
  static double output_temperature(const Query& query) {
    return query.side == Side::clamped ? query.latent_temperature : query.output_temperature;
  }

  // A task may offer settings() for an engine that has some.
  void configure([[maybe_unused]] const T& task) {
    if constexpr (SettingTask<T>) engine_.settings = task.settings();
  }

  template <class Sink>
  double slack(const T& task, const typename T::Input& x, const typename T::Label& y, Sink& sink,
               double& offset) {
    if constexpr (SlackEngine<Engine>) {
      losses_ = scores_;
      losses_.clear();
      task.add_loss(y, 1.0, losses_);
      const double value = engine_.solve_slack(scores_, losses_, scores_.of(task.structure(y)), counts_);
      offset = task.loss(y, counts_.structure());
      counts_.subtract(task.structure(y));
      counts_.scale(offset);
      task.features(x, counts_, sink);
      return value;
    } else {
      offset = NAN;
      return NAN;  // never asked: refusal() says so first
    }
  }

  Engine engine_;
  typename Engine::Scores scores_, losses_;
  typename Engine::Counts counts_;
};

}  // namespace hinge
