// Automata for what rules say of a whole labelling.
//
//     tokens(S) = |{t : y_t ∈ S}|        segments(S) = |{t : y_t ∈ S, a segment begins at t}|
#pragma once

#include "hinge/rules/label_segments.h"
#include "hinge/rules/rules.h"

namespace hinge {

// tokens(S) or segments(S) is at most, at least or exactly `count`; no states where more than 65,535 were needed.
Automaton count_automaton(const LabelSegments& labels, const LabelFlags& set, Rule::Unit unit,
                          Rule::Comparison comparison, std::size_t count);
// Every segment of S has at most, at least or exactly `count` tokens; the same.
Automaton length_automaton(const LabelSegments& labels, const LabelFlags& set, Rule::Comparison comparison,
                           std::size_t count);
// No label of `first` behind one of `second`.
Automaton order_automaton(const LabelSegments& labels, const LabelFlags& first, const LabelFlags& second);
// Not both a label of `first` and one of `second`.
Automaton exclusion_automaton(const LabelSegments& labels, const LabelFlags& first, const LabelFlags& second);
// With a label of `first` also one of `second`.
Automaton need_automaton(const LabelSegments& labels, const LabelFlags& first, const LabelFlags& second);

bool accepts(const Automaton& automaton, std::span<const int> labels);

}  // namespace hinge
