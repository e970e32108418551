// The part of a grammar that a sentence can use: symbols that may stand over some of its words, were these in any order, and
// the pairs, blocks and chains of such symbols. Short sentences use a small part of a large grammar; rows and loops of a
// chart are of that alone.
#pragma once

#include <span>
#include <vector>

#include "hinge/inference/chart_grammar.h"

namespace hinge {

class ChartSelection {
 public:
  // A unary step, and the symbols above and below it.
  struct Chain {
    Index step, top, bottom;
  };

  // A rule of a pair: its place in rules().
  struct Use {
    Index pair, rule, parent;
  };

  // terminals[t]: whether some word may be terminal t.
  void select(const ChartGrammar& grammar, std::span<const char> terminals);

  // As those of a grammar; a pair's rules are places in rules(), the grammar's numbers.
  const std::vector<ChartGrammar::Pair>& pairs() const { return pairs_; }
  const std::vector<ChartGrammar::Block>& blocks() const { return blocks_; }
  const std::vector<Index>& lefts() const { return lefts_; }
  const std::vector<Index>& rights() const { return rights_; }
  Index left_slot(Index symbol) const { return left_slot_[symbol]; }
  Index right_slot(Index symbol) const { return right_slot_[symbol]; }
  const std::vector<Index>& rules() const { return rules_; }
  const std::vector<Index>& parents() const { return parents_; }  // of each of rules()
  const std::vector<Index>& groups() const { return groups_; }    // those of some block
  // The pairs with a right child, and the block of each pair.
  std::span<const Index> pairs_of(Index right_slot) const {
    return {of_right_.data() + first_of_right_[right_slot],
            first_of_right_[right_slot + 1] - first_of_right_[right_slot]};
  }
  Index block_of(Index pair) const { return block_of_[pair]; }
  // And their rules.
  std::span<const Use> uses_of(Index right_slot) const {
    return {uses_.data() + first_use_[right_slot], first_use_[right_slot + 1] - first_use_[right_slot]};
  }
  const std::vector<Index>& bare() const { return bare_; }  // symbols that may stand bare
  std::span<const Chain> chains(bool of_root) const {
    return {chains_.data(), of_root ? chains_.size() : inner_chains_};
  }

 private:
  bool grow(const ChartGrammar& grammar);

  std::vector<char> bottoms_, tops_;  // of each symbol: whether it may be one
  std::vector<ChartGrammar::Pair> pairs_;
  std::vector<ChartGrammar::Block> blocks_;
  std::vector<Index> lefts_, rights_, left_slot_, right_slot_, rules_, parents_, groups_, block_of_, bare_;
  std::vector<Index> of_right_, first_of_right_, next_, first_use_;
  std::vector<Use> uses_;
  std::vector<Chain> chains_;
  std::size_t inner_chains_ = 0;
};

}  // namespace hinge
