// What a task must offer: a ladder. Each rung says what it unlocks.
//
// | rung         | offers                                                  | unlocks                    |
// |--------------|---------------------------------------------------------|----------------------------|
// | Task         | Input, Label, Structure; dimension(); loss(y, s);       |                            |
// |              | structure(y), determined(y)                             |                            |
// | PlainTask    | + features(x, s, sink), predict(x, w),                  | structural SVM, prediction |
// |              | most_violating(x, y, w)                                 |                            |
// | SlackTask    | + most_violating_slack(x, y, w)                         | slack rescaling            |
// | LatentTask   | + complete(x, y, w): the best structure a label admits  | latent structural SVM      |
// | FactoredTask | parts instead of the three searches:                    | every method with one      |
// |              | Engine; score, add_loss, forbid, features               | temperature                |
// | HidingTask   | + hide(y, scores): what a label leaves open is hidden   | two temperatures (mssvm)   |
//
// A structure is what inference chooses; a label is what the data says of it. `determined(y)` tells whether
// the label admits one structure only, `structure(y)` is that structure.
#pragma once

#include <concepts>

#include "hinge/core/random.h"
#include "hinge/inference/answer.h"
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

// Any task may offer start(examples, chosen, attempt): weights to begin with on the chosen examples, where
// the objective has local optima (see Oracle::start).

// A task that can draw one of the structures that a label admits, each as probable as any other, for a first
// round that begins from such (see Oracle::draw).
template <class T>
concept DrawingTask =
    Task<T> && requires(const T& task, const typename T::Input& x, const typename T::Label& y, Random& random,
                        SparseSink& sink) { task.draw_features(x, y, random, sink); };

// An engine of inference/: Scores are what it maximises or sums over, Counts how often each part is used.
template <class E>
concept Engine = requires(E& engine, const typename E::Scores& scores, typename E::Counts& counts,
                          const typename E::Structure& s, double temperature) {
  // T_τy over outputs of T_τh over hidden parts of the scores; counts become its gradient. −∞ when everything
  // is forbidden.
  { engine.solve(scores, temperature, temperature, counts) } -> std::convertible_to<double>;
  { scores.of(s) } -> std::convertible_to<double>;  // the score of one structure
  // After a solve with τy = 0: the winner, hidden parts at their most probable.
  { counts.structure() } -> std::convertible_to<const typename E::Structure&>;
  // After a solve with τy > 0: each part at its most probable.
  { counts.most_probable() } -> std::convertible_to<typename E::Structure>;
  counts.subtract(s);
  // How exact the last answer was, and whether scores of this shape could get one that is not: no engine may
  // leave that open (see inference/answer.h).
  { engine.answer() } -> std::convertible_to<Answer>;
  { E::ways[0] } -> std::convertible_to<const char*>;
  { engine.may_approximate(scores, temperature, temperature) } -> std::convertible_to<bool>;
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

// A task whose free side has hidden parts besides outputs. Which they are may depend on the label.
template <class T>
concept HidingTask = FactoredTask<T> &&
                     requires(const T& task, const typename T::Label& y, typename T::Engine::Scores& scores) {
                       task.hide(y, scores);  // marks the parts that the label leaves open as hidden
                     };

// A task that knows a faster layout of its weights (see Widening in oracle.h): another task with the same
// labels, which makes its own form of each input and says where each weight of this one stands.
template <class T>
concept WidenedTask = FactoredTask<T> && requires(const T& task, const typename T::Input& x) {
  { task.widened()->places() } -> std::convertible_to<std::vector<Index>>;
  task.widened()->widen(x);
};

// An engine that can also answer slack rescaling: max over s of losses(s) (1 + scores(s) − reference).
template <class E>
concept SlackEngine =
    Engine<E> && requires(E& engine, const typename E::Scores& scores, typename E::Counts& counts) {
      { engine.solve_slack(scores, scores, 0.0, counts) } -> std::convertible_to<double>;
    };

}  // namespace hinge
