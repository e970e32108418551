// A binarised grammar, laid out for the loops of chart.h. Symbols are numbers, terminals first. Over a span of
// words stands one rule and, above it, one unary step:
//
//     top X      = chain u: X … Y above bottom Y,   or bottom X itself where X may stand bare
//     bottom Y   = rule Y → left right of two tops, or Y is a terminal and the span one word
//
// A chain is all that stands between, as one step, so that each tree has one derivation. Rules are sorted by
// (group, left, right), where a group is a set of parents that score splits alike: for each pair of children
// the splits are gone through once, whatever the number of parents.
#pragma once

#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

class ChartGrammar {
 public:
  struct Rule {
    Index parent, left, right, group;
    friend bool operator==(const Rule&, const Rule&) = default;
  };
  struct Chain {
    Index top, bottom;
    friend bool operator==(const Chain&, const Chain&) = default;
  };
  // Two children of rules of one group.
  struct Pair {
    Index right;        // a right slot
    Index first, last;  // its rules
  };
  // Pairs with one left child.
  struct Block {
    Index group, left;  // a left slot
    Index first, last;  // its pairs
  };
  static constexpr Index kBare = 0;  // the unary step that is none; chain c is step c + 1
  static constexpr Index kNone = static_cast<Index>(-1);

  // bare[X]: whether symbol X may stand without a chain. Rules are sorted and made unique; chains stay as they
  // are, those with the root on top behind all others.
  ChartGrammar(Index terminals, std::vector<char> bare, Index root, std::vector<Rule> rules,
               std::vector<Chain> chains);

  Index terminals() const { return terminals_; }
  Index symbols() const { return static_cast<Index>(bare_.size()); }
  Index root() const { return root_; }
  Index groups() const { return groups_; }
  bool bare(Index symbol) const { return bare_[symbol] != 0; }
  const std::vector<Rule>& rules() const { return rules_; }
  const std::vector<Chain>& chains() const { return chains_; }
  Index steps() const { return static_cast<Index>(chains_.size() + 1); }  // unary ones, kBare too
  Index inner_chains() const { return inner_chains_; }                    // without those of the root
  const std::vector<Index>& parents() const { return parents_; }          // of each rule
  Index find(const Rule& rule) const;                                     // kNone where there is none

  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  // Symbols that are some rule's left or right child have a slot of that side; others kNone.
  Index left_slot(Index symbol) const { return left_slot_[symbol]; }
  Index right_slot(Index symbol) const { return right_slot_[symbol]; }
  const std::vector<Index>& lefts() const { return lefts_; }  // the symbol of each slot
  const std::vector<Index>& rights() const { return rights_; }
  // The rules of each parent, and the chains of each top: from first(X) up to first(X + 1).
  const std::vector<Index>& rules_by_parent() const { return by_parent_; }
  Index first_by_parent(Index symbol) const { return first_by_parent_[symbol]; }
  const std::vector<Index>& chains_by_top() const { return by_top_; }
  Index first_by_top(Index symbol) const { return first_by_top_[symbol]; }

 private:
  void number_slots();
  void group_pairs();

  Index terminals_, root_, groups_ = 1, inner_chains_ = 0;
  std::vector<char> bare_;
  std::vector<Rule> rules_;
  std::vector<Chain> chains_;
  std::vector<Pair> pairs_;
  std::vector<Block> blocks_;
  std::vector<Index> parents_;
  std::vector<Index> left_slot_, right_slot_, lefts_, rights_;
  std::vector<Index> by_parent_, first_by_parent_, by_top_, first_by_top_;
};

}  // namespace hinge
