// What an engine must offer: it maximises or sums over the structures that scores of parts describe, at any
// pair of temperatures, and says how exact each answer was.
#pragma once

#include <concepts>
#include <span>

#include "hinge/inference/answer.h"

namespace hinge {

// Scores are what it maximises or sums over, Counts how often each part is used.
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

// An engine that can also answer slack rescaling: max over s of losses(s) (1 + scores(s) − reference).
template <class E>
concept SlackEngine =
    Engine<E> && requires(E& engine, const typename E::Scores& scores, typename E::Counts& counts) {
      { engine.solve_slack(scores, scores, 0.0, counts) } -> std::convertible_to<double>;
    };

// An engine that finds maxima only, and says why.
template <class E>
concept MaximumEngine = Engine<E> && requires {
  { E::no_sums } -> std::convertible_to<const char*>;
};

// An engine whose scores and counts are rows of numbers too, of one order: a structure's score is the sum of
// the scores of its parts, each times its count, so that at one temperature τ for outputs and hidden parts
//
//     solve(θ, τ) = <θ, counts> + τ · entropy of the distribution that the scores θ define.
//
// What belongs to every structure is a part with count 1.
template <class E>
concept FlatEngine = Engine<E> && requires(typename E::Scores& scores, typename E::Counts& counts,
                                           std::span<double> out, std::span<const double> in) {
  { scores.parts() } -> std::convertible_to<std::size_t>;  // how many there are
  scores.get(out);
  scores.set(in);          // of the shape that they have; nothing but numbers changes
  counts.get(out);         // less what was subtracted
  counts.set(scores, in);  // as after a solve of scores of that shape with τy > 0
};

// An engine that finds a sum quicker without its gradient.
template <class E>
concept ValuingEngine = Engine<E> && requires(E& engine, const typename E::Scores& scores) {
  { engine.value(scores, 1.0) } -> std::convertible_to<double>;  // solve(scores, τ, τ), τ > 0
};

// An engine that says how many structures scores of a shape have.
template <class E>
concept CountingEngine = Engine<E> && requires(const typename E::Scores& scores) {
  { E::structures(scores) } -> std::convertible_to<double>;
};

}  // namespace hinge
