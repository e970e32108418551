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
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hinge/core/product_planes.h"
#include "hinge/core/random.h"
#include "hinge/inference/engine.h"
#include "hinge/oracle/parts.h"
#include "hinge/oracle/query.h"
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

// What a task may offer besides, each by itself.

// What a call on this input costs, in multiplications: the clock by which solvers choose between oracle calls
// and cached planes.
template <class T>
concept TimedTask = Task<T> && requires(const T& task, const typename T::Input& x) {
  { task.work(x) } -> std::convertible_to<double>;
};

// Weights that must not become negative (see Oracle::nonnegative).
template <class T>
concept BoundedTask = Task<T> && requires(const T& task) {
  { task.nonnegative() } -> std::convertible_to<std::vector<Index>>;
};

// Weights that are known beforehand (see Oracle::centre).
template <class T>
concept CentredTask = Task<T> && requires(const T& task) {
  { task.centre() } -> std::convertible_to<Vector>;
};

// Why a query cannot be served, a sentence; empty when it can.
template <class T>
concept RefusingTask = Task<T> && requires(const T& task, const Query& query) {
  { task.refusal(query) } -> std::convertible_to<std::string>;
};

// Why its loss has no search for slack rescaling, a sentence for those who use the task; others are told what a task
// would have to add.
template <class T>
concept SlacklessTask = requires {
  { T::no_slack } -> std::convertible_to<const char*>;
};

// Every plane of an example at once (see Oracle::all_planes); false where they are not listed.
template <class T>
concept ListingTask =
    Task<T> && requires(const T& task, const typename T::Input& x, const typename T::Label& y,
                        const Query& query, ProductPlanes& planes) {
      { task.all_planes(x, y, query, planes) } -> std::convertible_to<bool>;
    };

// Excesses that are sums of independent terms, of which each is the maximum of few planes (see Oracle::divided).
template <class T>
concept DividedTask =
    Task<T> && requires(const T& task, const typename T::Input& x, const typename T::Label& y,
                        std::size_t term, const Query& query, ProductPlanes& planes) {
      { task.has_terms(query) } -> std::convertible_to<bool>;
      { task.terms(x) } -> std::convertible_to<std::size_t>;
      task.term_planes(x, y, term, query, planes);
    };

// Weights to begin with on the chosen examples, where the objective has local optima (see Oracle::start).
template <class T>
concept StartingTask = Task<T> && requires(const T& task, std::span<const Example<T>> examples,
                                           std::span<const std::size_t> chosen, std::size_t attempt) {
  { task.start(examples, chosen, attempt) } -> std::convertible_to<Vector>;
};

// Settings of its engine.
template <class T>
concept SettingTask =
    requires(const T& task, typename T::Engine& engine) { engine.settings = task.settings(); };

// A task that can draw one of the structures that a label admits, each as probable as any other, for a first
// round that begins from such (see Oracle::draw).
template <class T>
concept DrawingTask =
    Task<T> && requires(const T& task, const typename T::Input& x, const typename T::Label& y, Random& random,
                        SparseSink& sink) { task.draw_features(x, y, random, sink); };

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

// A task that shapes parts without scoring them.
template <class T>
concept ShapingTask =
    FactoredTask<T> && requires(const T& task, const typename T::Input& x,
                                typename T::Engine::Scores& scores) { task.shape(x, scores); };

// A task whose parts exist in single precision too (see parts.h); `note` is told how each solve was answered.
template <class T>
concept SingleTask =
    FactoredTask<T> && requires(const T& task, std::span<const Example<T>> examples, const Query& query,
                                std::function<void(const Answer&)> note) {
      { task.single_parts(examples, query, note) } -> std::convertible_to<std::unique_ptr<SingleParts>>;
    };

// A task that knows a faster layout of its weights (see Widening in oracle.h): another task with the same
// labels, which makes its own form of each input and says where each weight of this one stands.
template <class T>
concept WidenedTask = FactoredTask<T> && requires(const T& task, const typename T::Input& x) {
  { task.widened()->places() } -> std::convertible_to<std::vector<Index>>;
  task.widened()->widen(x);
};

}  // namespace hinge
