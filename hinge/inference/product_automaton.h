// Several automata that read the same labels, as one: its states are tuples of theirs, numbered as they are
// met from 0 on, where all begin,
//
//     step((s_1, …, s_n), y) = (next_1(s_1, y), …, next_n(s_n, y)).
//
// Steps are remembered. It copies the automata that it is made of, and is made again where they differ.
#pragma once

#include <span>
#include <vector>

#include "hinge/core/vector.h"
#include "hinge/inference/constraints.h"

namespace hinge {

class ProductAutomaton {
 public:
  // Begins anew unless it was made of the same automata.
  void make(const ConstraintTables& shared, std::span<const Constraints::Whole> wholes, std::size_t labels);

  std::size_t parts() const { return parts_.size(); }
  std::size_t states() const { return accepts_.size() / stride(); }  // met so far
  Index step(Index state, std::size_t label) {
    const Index next = next_[state * labels_ + label];
    return next != kUnknown ? next : find(state, label);
  }
  // The parts that accept on one side of a step and not on the other: f(part, accepts behind it).
  template <class F>
  void for_each_change(Index state, std::size_t label, F&& f) const {
    const std::size_t cell = state * labels_ + label;
    for (std::size_t k = 0; k < changes_[cell].count; ++k) {
      const Change& change = change_list_[changes_[cell].first + k];
      f(std::size_t{change.part}, change.accepts);
    }
  }
  bool accepts(Index state, std::size_t part) const { return accepts_[state * stride() + part] != 0; }
  // Whether the part may still accept.
  bool alive(Index state, std::size_t part) const { return alive_[state * stride() + part] != 0; }
  // Whether all reachable states are at most so many; meets them all then.
  bool within(std::size_t limit);

 private:
  static constexpr Index kUnknown = static_cast<Index>(-1);
  std::size_t stride() const { return std::max<std::size_t>(parts_.size(), 1); }
  struct Change {
    std::uint16_t part;
    bool accepts;
  };
  struct Changes {
    std::uint32_t first = 0, count = 0;
  };
  Index find(Index state, std::size_t label);
  // The number of the tuple in scratch_, a new one where it was not met.
  Index number();
  const std::uint16_t* tuple(std::size_t state) const { return tuples_.data() + state * stride(); }
  std::size_t slot_of(const std::uint16_t* tuple) const;
  void grow();

  std::size_t labels_ = 0, closed_ = 0, too_many_ = 0;
  std::vector<Automaton> parts_;
  std::vector<std::vector<char>> hope_;  // of each part and state: whether an accepting one can be reached
  std::vector<std::uint16_t> tuples_, scratch_;
  std::vector<Index> slots_;  // by the hash of a tuple: its number, or kUnknown; at most half are taken
  std::vector<Index> next_;
  std::vector<Changes> changes_;  // of each step that is known
  std::vector<Change> change_list_;
  std::vector<char> accepts_, alive_;
};

}  // namespace hinge
