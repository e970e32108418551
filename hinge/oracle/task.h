// What a task must offer: a ladder. Each rung says what it unlocks.
//
//   Task          types Input, Label, Structure; dimension(); features(x, s, sink); loss(y, s);
//   determined(y), structure(y) PlainTask     + predict(x, w), most_violating(x, y, w)       structural SVM,
//   margin rescaling, and prediction SlackTask     + most_violating_slack(x, y, w)                slack
//   rescaling LatentTask    + complete(x, y, w)                            latent structural SVM: the best
//   structure a label admits FactoredTask  parts instead of the three searches:           every method: SVMs,
//   CRFs, hidden variables, every
//                 Engine; score, add_loss, forbid, features      temperature between
//
// A structure is what inference chooses; a label is what the data says of it. `determined(y)` tells whether
// the label admits one structure only, `structure(y)` is that structure.
#pragma once

#include <concepts>

#include "hinge/oracle/sink.h"

namespace hinge {

template <class T>
struct Example {
  typename T::Input input;
  typename T::Label label;
  double weight = 1;
};

template <class T>
concept Task = requires(const T& task, const typename T::Input& x, const typename T::Label& y,
                        const typename T::Structure& s, SparseSink& sink) {
  { task.dimension() } -> std::convertible_to<Index>;
  { task.loss(y, s) } -> std::convertible_to<double>;
  { task.determined(y) } -> std::convertible_to<bool>;
  { task.structure(y) } -> std::convertible_to<typename T::Structure>;
};

template <class T>
concept PlainTask = Task<T> && requires(const T& task, const typename T::Input& x, const typename T::Label& y,
                                        const typename T::Structure& s, Weights w, SparseSink& sink) {
  task.features(x, s, sink);
  { task.predict(x, w) } -> std::convertible_to<typename T::Structure>;
  { task.most_violating(x, y, w) } -> std::convertible_to<typename T::Structure>;
};

template <class T>
concept SlackTask = PlainTask<T> && requires(const T& task, const typename T::Input& x,
                                             const typename T::Label& y, Weights w) {
  { task.most_violating_slack(x, y, w) } -> std::convertible_to<typename T::Structure>;
};

template <class T>
concept LatentTask = PlainTask<T> && requires(const T& task, const typename T::Input& x,
                                              const typename T::Label& y, Weights w) {
  { task.complete(x, y, w) } -> std::convertible_to<typename T::Structure>;
};

// An engine of inference/: Scores are what it maximises or sums over, Counts how often each part is used.
template <class E>
concept Engine = requires(E& engine, const typename E::Scores& scores, typename E::Counts& counts,
                          const typename E::Structure& s, double temperature) {
  // T_τy T_τh of the scores; counts become its gradient. −∞ when everything is forbidden.
  { engine.solve(scores, temperature, temperature, counts) } -> std::convertible_to<double>;
  { scores.of(s) } -> std::convertible_to<double>;  // the score of one structure
  {
    counts.structure()
  } -> std::convertible_to<const typename E::Structure&>;  // after a hard solve: the winner
  counts.subtract(s);
};

template <class T>
concept FactoredTask =
    Task<T> && Engine<typename T::Engine> &&
    requires(const T& task, const typename T::Input& x, const typename T::Label& y, Weights w,
             typename T::Engine::Scores& scores, const typename T::Engine::Counts& counts, SparseSink& sparse,
             DenseSink& dense) {
      task.score(x, w, scores);          // shapes the parts and scores them: scores = Φ(x)ᵀ w
      task.add_loss(y, 1.0, scores);     // adds weight · Δ, part by part
      task.forbid(y, scores);            // −∞ on the parts that the label does not admit
      task.features(x, counts, sparse);  // the adjoint of score: pours Φ(x) counts
      task.features(x, counts, dense);
    };

// An engine that can also answer slack rescaling: max over s of losses(s) (1 + scores(s) − reference).
template <class E>
concept SlackEngine =
    Engine<E> && requires(E& engine, const typename E::Scores& scores, typename E::Counts& counts) {
      { engine.solve_slack(scores, scores, 0.0, counts) } -> std::convertible_to<double>;
    };

}  // namespace hinge
