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
  rules_.clear();
  parents_.clear();
  groups_.clear();
  for (const auto& [group, left, begin, end] : grammar.blocks()) {
    const Index left_slot = left_slot_[grammar.lefts()[left]];
    const auto first = static_cast<Index>(pairs_.size());
    for (Index p = begin; p < end && left_slot != ChartGrammar::kNone; ++p) {
      const auto& [right, rules, rules_end] = grammar.pairs()[p];
      const Index right_slot = right_slot_[grammar.rights()[right]];
      if (right_slot == ChartGrammar::kNone) continue;
      block_of_.push_back(static_cast<Index>(blocks_.size()));
      const auto place = static_cast<Index>(rules_.size());
      pairs_.push_back({right_slot, place, place + rules_end - rules});
      for (Index r = rules; r < rules_end; ++r) {
        rules_.push_back(r);
        parents_.push_back(grammar.parents()[r]);
      }
    }
    if (first == pairs_.size()) continue;
    blocks_.push_back({group, left_slot, first, static_cast<Index>(pairs_.size())});
    if (groups_.empty() || groups_.back() != group) groups_.push_back(group);
  }
  first_of_right_.assign(rights_.size() + 1, 0);
  for (const ChartGrammar::Pair& pair : pairs_) ++first_of_right_[pair.right + 1];
  for (std::size_t slot = 0; slot < rights_.size(); ++slot)
    first_of_right_[slot + 1] += first_of_right_[slot];
  next_.assign(first_of_right_.begin(), first_of_right_.end());
  of_right_.resize(pairs_.size());
  for (Index p = 0; p < pairs_.size(); ++p) of_right_[next_[pairs_[p].right]++] = p;
  uses_.clear();
  first_use_.clear();
  for (Index slot = 0; slot < rights_.size(); ++slot) {
    first_use_.push_back(static_cast<Index>(uses_.size()));
    for (const Index p : pairs_of(slot))
      for (Index r = pairs_[p].first; r < pairs_[p].last; ++r) uses_.push_back({p, r, parents_[r]});
  }
  first_use_.push_back(static_cast<Index>(uses_.size()));
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
