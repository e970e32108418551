// What prior knowledge says about the labels of one example, as binary features of a labelling y:
//
//     φ_k(y) = [y_t ∈ S]                 at a position: a set of labels
//     φ_k(y) = [table(y_t, y_{t+1})]     at a pair of neighbours: a table of 0 and 1
//     φ_k(y) = [A accepts y]             of the whole: a deterministic automaton that reads one label after another
//
// so that |φ|² = Σ_k φ_k. The places of φ are those of positions, then pairs, then wholes, each in its order.
// Sets, tables and automata are few and shared by all examples. Each feature belongs to a rule, whose penalty
// says what is wanted of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hinge {

using LabelFlags = std::vector<char>;  // K flags

struct PairTable {
  std::size_t labels = 0;     // K
  std::vector<char> allowed;  // K x K flags
  bool operator()(std::size_t from, std::size_t to) const { return allowed[from * labels + to] != 0; }
};

// Reads y from left to right, from state 0.
struct Automaton {
  std::size_t labels = 0;           // K
  std::vector<std::uint16_t> next;  // states x K
  std::vector<char> accepts;        // states
  std::size_t states() const { return accepts.size(); }
};

struct ConstraintTables {
  std::vector<LabelFlags> sets;
  std::vector<PairTable> tables;
  std::vector<Automaton> automata;
};

struct Constraints {
  struct Position {
    std::uint32_t position, set, rule;
  };
  struct Pair {
    std::uint32_t position, table, rule;  // between `position` and the next
  };
  struct Whole {
    std::uint32_t automaton, rule;
  };
  std::vector<Position> positions;
  std::vector<Pair> pairs;
  std::vector<Whole> wholes;
  std::size_t size() const { return positions.size() + pairs.size() + wholes.size(); }  // of φ
};

// What is wanted of the features of a rule.
struct RulePenalty {
  enum class Kind {
    satisfied,  // weight · Σ |v_jk − 1|: every feature 1
    about,      // weight · |mean − target|: the mean of the rule's features over the sample
    at_least,   // weight · max(0, target − mean)
    at_most     // weight · max(0, mean − target)
  };
  std::string name;  // the rule as it was written
  Kind kind = Kind::satisfied;
  double weight = 1;
  double target = 1;
  bool hard = false;  // labellings that break it are excluded rather than penalised (kind satisfied only)
};

// All that rules say about a set of examples.
struct Knowledge {
  ConstraintTables shared;
  std::vector<RulePenalty> rules;
  std::vector<Constraints> examples;
};

}  // namespace hinge
