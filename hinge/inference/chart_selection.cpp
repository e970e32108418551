#include "hinge/inference/chart_selection.h"

#include <algorithm>

namespace hinge {

// One pass: what stands on top of bottoms, and bottoms of rules whose children may be; whether there is any more.
bool ChartSelection::grow(const ChartGrammar& grammar) {
  bool more = false;
  const auto add = [&](std::vector<char>& to, Index symbol) {
    more = more || to[symbol] == 0;
    to[symbol] = 1;
  };
  for (Index s = 0; s < grammar.symbols(); ++s)
    if (bottoms_[s] != 0 && grammar.bare(s)) add(tops_, s);
  for (const auto& [top, bottom] : grammar.chains())
    if (bottoms_[bottom] != 0) add(tops_, top);
  for (const ChartGrammar::Block& block : grammar.blocks()) {
    if (tops_[grammar.lefts()[block.left]] == 0) continue;
    for (Index p = block.first; p < block.last; ++p) {
      const auto& [right, first, last] = grammar.pairs()[p];
      if (tops_[grammar.rights()[right]] == 0) continue;
      for (Index r = first; r < last; ++r) add(bottoms_, grammar.parents()[r]);
    }
  }
  return more;
}

void ChartSelection::select(const ChartGrammar& grammar, std::span<const char> terminals) {
  bottoms_.assign(grammar.symbols(), 0);
  tops_.assign(grammar.symbols(), 0);
  std::ranges::copy(terminals, bottoms_.begin());
  while (grow(grammar)) {
  }
  const auto number = [&](const std::vector<Index>& all, std::vector<Index>& chosen,
                          std::vector<Index>& slots) {
    chosen.clear();
    slots.assign(grammar.symbols(), ChartGrammar::kNone);
    for (const Index symbol : all)
      if (tops_[symbol] != 0) {
        slots[symbol] = static_cast<Index>(chosen.size());
        chosen.push_back(symbol);
      }
  };
  number(grammar.lefts(), lefts_, left_slot_);
  number(grammar.rights(), rights_, right_slot_);
  pairs_.clear();
  blocks_.clear();
  block_of_.clear();
  pair_of_.assign(grammar.pairs().size(), ChartGrammar::kNone);
  for (const auto& [group, left, begin, end] : grammar.blocks()) {
    const Index left_slot = left_slot_[grammar.lefts()[left]];
    const auto first = static_cast<Index>(pairs_.size());
    for (Index p = begin; p < end && left_slot != ChartGrammar::kNone; ++p) {
      const auto& [right, rules, rules_end] = grammar.pairs()[p];
      const Index right_slot = right_slot_[grammar.rights()[right]];
      if (right_slot == ChartGrammar::kNone) continue;
      pair_of_[p] = static_cast<Index>(pairs_.size());
      block_of_.push_back(static_cast<Index>(blocks_.size()));
      pairs_.push_back({right_slot, rules, rules_end});
    }
    if (first < pairs_.size())
      blocks_.push_back({group, left_slot, first, static_cast<Index>(pairs_.size())});
  }
  bare_.clear();
  for (Index s = 0; s < grammar.symbols(); ++s)
    if (bottoms_[s] != 0 && grammar.bare(s)) bare_.push_back(s);
  chains_.clear();
  inner_chains_ = 0;
  for (Index c = 0; c < grammar.chains().size(); ++c) {
    if (const auto& [top, bottom] = grammar.chains()[c]; bottoms_[bottom] != 0)
      chains_.push_back({c + 1, top, bottom});
    if (c + 1 == grammar.inner_chains()) inner_chains_ = chains_.size();
  }
}

}  // namespace hinge
