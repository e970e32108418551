#include "hinge/inference/chart_grammar.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace hinge {

namespace {

auto key(const ChartGrammar::Rule& r) { return std::tuple(r.group, r.left, r.right, r.parent); }

// Numbers 0 … of `items` in the order of their symbols, and where each symbol's begin.
template <class Items, class Symbol>
void sort_by(const Items& items, std::size_t symbols, Symbol&& symbol, std::vector<Index>& sorted,
             std::vector<Index>& first) {
  first.assign(symbols + 1, 0);
  for (const auto& item : items) ++first[symbol(item) + 1];
  for (std::size_t s = 0; s < symbols; ++s) first[s + 1] += first[s];
  std::vector<Index> next(first.begin(), first.end() - 1);
  sorted.resize(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) sorted[next[symbol(items[k])]++] = static_cast<Index>(k);
}

}  // namespace

ChartGrammar::ChartGrammar(Index terminals, std::vector<char> bare, Index root, std::vector<Rule> rules,
                           std::vector<Chain> chains)
    : terminals_(terminals),
      root_(root),
      bare_(std::move(bare)),
      rules_(std::move(rules)),
      chains_(std::move(chains)) {
  std::ranges::sort(rules_, {}, key);
  rules_.erase(std::unique(rules_.begin(), rules_.end()), rules_.end());
  for (const Rule& rule : rules_) {
    groups_ = std::max(groups_, rule.group + 1);
    parents_.push_back(rule.parent);
  }
  while (inner_chains_ < chains_.size() && chains_[inner_chains_].top != root_) ++inner_chains_;
  assert(std::all_of(chains_.begin() + inner_chains_, chains_.end(),
                     [&](const Chain& chain) { return chain.top == root_; }));
  number_slots();
  group_pairs();
  sort_by(
      rules_, symbols(), [](const Rule& rule) { return rule.parent; }, by_parent_, first_by_parent_);
  sort_by(
      chains_, symbols(), [](const Chain& chain) { return chain.top; }, by_top_, first_by_top_);
}

void ChartGrammar::number_slots() {
  left_slot_.assign(symbols(), kNone);
  right_slot_.assign(symbols(), kNone);
  for (const Rule& rule : rules_) left_slot_[rule.left] = right_slot_[rule.right] = 0;
  for (Index symbol = 0; symbol < symbols(); ++symbol) {
    if (left_slot_[symbol] == 0) {
      left_slot_[symbol] = static_cast<Index>(lefts_.size());
      lefts_.push_back(symbol);
    }
    if (right_slot_[symbol] == 0) {
      right_slot_[symbol] = static_cast<Index>(rights_.size());
      rights_.push_back(symbol);
    }
  }
}

void ChartGrammar::group_pairs() {
  for (Index r = 0; r < rules_.size(); ++r) {
    const Rule& rule = rules_[r];
    const bool same_block = r > 0 && rules_[r - 1].group == rule.group && rules_[r - 1].left == rule.left;
    if (!same_block) {
      const auto next = static_cast<Index>(pairs_.size());
      blocks_.push_back({rule.group, left_slot_[rule.left], next, next});
    }
    if (!same_block || rules_[r - 1].right != rule.right) {
      pairs_.push_back({right_slot_[rule.right], r, r});
      ++blocks_.back().last;
    }
    ++pairs_.back().last;
  }
}

Index ChartGrammar::find(const Rule& rule) const {
  const auto place = std::ranges::lower_bound(rules_, key(rule), {}, key);
  return place != rules_.end() && *place == rule ? static_cast<Index>(place - rules_.begin()) : kNone;
}

}  // namespace hinge
