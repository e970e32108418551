// What is missing of a task, in one line a member: `require_task<T>()` does not compile otherwise. The
// concepts of task.h say the same to the compiler; this says it to people.
#pragma once

#include "hinge/oracle/task.h"

namespace hinge {

namespace contract {

template <class T>
concept HasTypes = requires {
  typename T::Input;
  typename T::Label;
  typename T::Structure;
};
template <class T>
concept ComparesStructures = std::equality_comparable<typename T::Structure>;
template <class T>
concept HasDimension = requires(const T& task) {
  { task.dimension() } -> std::convertible_to<Index>;
};
template <class T>
concept HasLoss = requires(const T& task, const typename T::Label& y, const typename T::Structure& s) {
  { task.loss(y, s) } -> std::convertible_to<double>;
};
template <class T>
concept HasDetermined = requires(const T& task, const typename T::Label& y) {
  { task.determined(y) } -> std::convertible_to<bool>;
};
template <class T>
concept HasStructure = requires(const T& task, const typename T::Label& y) {
  { task.structure(y) } -> std::convertible_to<typename T::Structure>;
};

// Plain.
template <class T>
concept HasFeatures = requires(const T& task, const typename T::Input& x, const typename T::Structure& s,
                               SparseSink& sink) { task.features(x, s, sink); };
template <class T>
concept HasPredict = requires(const T& task, const typename T::Input& x, Weights w) {
  { task.predict(x, w) } -> std::convertible_to<typename T::Structure>;
};
template <class T>
concept HasMostViolating =
    requires(const T& task, const typename T::Input& x, const typename T::Label& y, Weights w) {
      { task.most_violating(x, y, w) } -> std::convertible_to<typename T::Structure>;
    };

// Factored.
template <class T>
concept HasEngine = requires { typename T::Engine; };
template <class T>
concept HasScore = requires(const T& task, const typename T::Input& x, Weights w,
                            typename T::Engine::Scores& scores) { task.score(x, w, scores); };
template <class T>
concept HasAddLoss = requires(const T& task, const typename T::Label& y, typename T::Engine::Scores& scores) {
  task.add_loss(y, 1.0, scores);
};
template <class T>
concept HasForbid = requires(const T& task, const typename T::Label& y, typename T::Engine::Scores& scores) {
  task.forbid(y, scores);
};
template <class T>
concept HasCountFeatures =
    requires(const T& task, const typename T::Input& x, const typename T::Engine::Counts& counts,
             SparseSink& sparse, DenseSink& dense) {
      task.features(x, counts, sparse);
      task.features(x, counts, dense);
    };

}  // namespace contract

// Whether the concepts of task.h are met, so that code behind `require_task` need not be looked at.
template <class T>
inline constexpr bool is_task = FactoredTask<T> || PlainTask<T>;

template <class T>
consteval void require_task() {
  using namespace contract;
  static_assert(HasTypes<T>, "a task names its types: using Input, Label, Structure");
  if constexpr (HasTypes<T>) {
    static_assert(ComparesStructures<T>, "a task's Structure needs: operator==");
    static_assert(HasDimension<T>, "a task needs: Index dimension() const");
    static_assert(HasLoss<T>, "a task needs: double loss(const Label&, const Structure&) const");
    static_assert(HasDetermined<T>, "a task needs: bool determined(const Label&) const");
    static_assert(HasStructure<T>, "a task needs: Structure structure(const Label&) const");
    if constexpr (HasEngine<T>) {
      static_assert(
          Engine<typename T::Engine>,
          "the task's Engine is none: see Engine in hinge/inference/engine.h for what it must have");
      static_assert(HasScore<T>,
                    "a task of parts needs: void score(const Input&, Weights, Engine::Scores&) const");
      static_assert(
          HasAddLoss<T>,
          "a task of parts needs: void add_loss(const Label&, double weight, Engine::Scores&) const");
      static_assert(HasForbid<T>, "a task of parts needs: void forbid(const Label&, Engine::Scores&) const");
      static_assert(HasCountFeatures<T>,
                    "a task of parts needs: template <class Sink> void features(const Input&, const "
                    "Engine::Counts&, Sink&) const");
    } else {
      static_assert(HasFeatures<T>,
                    "a plain task needs: void features(const Input&, const Structure&, SparseSink&) const");
      static_assert(HasPredict<T>, "a plain task needs: Structure predict(const Input&, Weights) const");
      static_assert(
          HasMostViolating<T>,
          "a plain task needs: Structure most_violating(const Input&, const Label&, Weights) const");
    }
  }
}

}  // namespace hinge
