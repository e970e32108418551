#include "hinge/rules/rule_automata.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace hinge {
namespace {

using Comparison = Rule::Comparison;
constexpr std::size_t kMostStates = std::numeric_limits<std::uint16_t>::max();

// Of the label before what matters of it, and two numbers.
using State = std::array<int, 3>;

// The states that step(state, label) reaches from the first, {kNothing, 0, 0}; none where they are too many.
template <class Step, class Accepts>
Automaton reached(std::size_t labels, const Step& step, const Accepts& accepts) {
  Automaton made;
  made.labels = labels;
  std::vector<State> states = {{LabelSegments::kNothing, 0, 0}};
  std::map<State, std::uint16_t> number = {{states[0], 0}};
  for (std::size_t s = 0; s < states.size(); ++s) {
    made.accepts.push_back(accepts(states[s]));
    for (std::size_t k = 0; k < labels; ++k) {
      const State next = step(states[s], static_cast<int>(k));
      const auto [found, is_new] = number.try_emplace(next, static_cast<std::uint16_t>(states.size()));
      if (is_new) states.push_back(next);
      if (states.size() > kMostStates) return {};
      made.next.push_back(found->second);
    }
  }
  return made;
}

// Whether a segment of S begins depends on the label before: before[k] stands for all labels that are as k is.
std::vector<int> alike_before(const LabelSegments& labels, const LabelFlags& set) {
  const auto alike = [&](int a, int b) {
    for (std::size_t k = 0; k < labels.size(); ++k)
      if (set[k] != 0 && labels.begins(a, static_cast<int>(k)) != labels.begins(b, static_cast<int>(k)))
        return false;
    return true;
  };
  std::vector<int> before(labels.size());
  for (std::size_t k = 0; k < labels.size(); ++k)
    for (int other = LabelSegments::kNothing;; ++other)
      if (alike(other, static_cast<int>(k))) {
        before[k] = other;
        break;
      }
  return before;
}

bool right(Comparison comparison, int found, int wanted) {
  return comparison == Comparison::at_most    ? found <= wanted
         : comparison == Comparison::at_least ? found >= wanted
                                              : found == wanted;
}

// Numbers from here on are all alike.
int enough(Comparison comparison, std::size_t count) {
  return static_cast<int>(count) + (comparison == Comparison::at_least ? 0 : 1);
}

}  // namespace

bool accepts(const Automaton& automaton, std::span<const int> labels) {
  std::size_t state = 0;
  for (const int label : labels)
    state = automaton.next[state * automaton.labels + static_cast<std::size_t>(label)];
  return automaton.accepts[state] != 0;
}

Automaton count_automaton(const LabelSegments& labels, const LabelFlags& set, Rule::Unit unit,
                          Comparison comparison, std::size_t count) {
  const int wanted = static_cast<int>(count), most = enough(comparison, count);
  const std::vector<int> before = alike_before(labels, set);
  return reached(
      labels.size(),
      [&](State state, int label) -> State {
        const auto k = static_cast<std::size_t>(label);
        const bool counts = set[k] != 0 && (unit == Rule::Unit::tokens || labels.begins(state[0], label));
        if (counts && state[1] < most) ++state[1];
        state[0] = unit == Rule::Unit::tokens || state[1] == most ? LabelSegments::kNothing : before[k];
        return state;
      },
      [&](const State& state) { return right(comparison, state[1], wanted); });
}

// The numbers: tokens of the segment so far (0 outside of S), and whether a segment was wrong.
Automaton length_automaton(const LabelSegments& labels, const LabelFlags& set, Comparison comparison,
                           std::size_t count) {
  const int wanted = static_cast<int>(count), most = enough(comparison, count);
  const State broken = {LabelSegments::kNothing, 0, 1};
  const std::vector<int> before = alike_before(labels, set);
  const auto wrong = [&](const State& state) { return state[1] > 0 && !right(comparison, state[1], wanted); };
  return reached(
      labels.size(),
      [&](const State& state, int label) -> State {
        if (state == broken) return broken;
        const auto k = static_cast<std::size_t>(label);
        const bool inside = set[k] != 0;
        if (inside && state[1] > 0 && !labels.begins(state[0], label))
          return {before[k], std::min(state[1] + 1, std::max(most, 1)), 0};
        if (wrong(state)) return broken;
        return {before[k], inside ? 1 : 0, 0};
      },
      [&](const State& state) { return state != broken && !wrong(state); });
}

Automaton order_automaton(const LabelSegments& labels, const LabelFlags& first, const LabelFlags& second) {
  return reached(
      labels.size(),
      [&](State state, int label) {
        const auto k = static_cast<std::size_t>(label);
        if (first[k] != 0 && state[1] != 0) state[2] = 1;
        if (second[k] != 0) state[1] = 1;
        return state;
      },
      [](const State& state) { return state[2] == 0; });
}

namespace {

template <class Accepts>
Automaton seen_automaton(const LabelSegments& labels, const LabelFlags& first, const LabelFlags& second,
                         const Accepts& accepts) {
  return reached(
      labels.size(),
      [&](State state, int label) {
        const auto k = static_cast<std::size_t>(label);
        state[1] |= first[k] != 0;
        state[2] |= second[k] != 0;
        return state;
      },
      [&](const State& state) { return accepts(state[1] != 0, state[2] != 0); });
}

}  // namespace

Automaton exclusion_automaton(const LabelSegments& labels, const LabelFlags& first,
                              const LabelFlags& second) {
  return seen_automaton(labels, first, second, [](bool a, bool b) { return !(a && b); });
}

Automaton need_automaton(const LabelSegments& labels, const LabelFlags& first, const LabelFlags& second) {
  return seen_automaton(labels, first, second, [](bool a, bool b) { return !a || b; });
}

}  // namespace hinge
