#include "hinge/inference/product_automaton.h"

#include <algorithm>

namespace hinge {
namespace {

bool same(const Automaton& a, const Automaton& b) {
  return a.labels == b.labels && a.next == b.next && a.accepts == b.accepts;
}

// From which states an accepting one can be reached.
std::vector<char> hope(const Automaton& automaton) {
  std::vector<char> reaches = automaton.accepts;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < reaches.size(); ++s)
      for (std::size_t k = 0; k < automaton.labels && reaches[s] == 0; ++k)
        if (reaches[automaton.next[s * automaton.labels + k]] != 0) reaches[s] = 1, changed = true;
  }
  return reaches;
}

}  // namespace

void ProductAutomaton::make(const ConstraintTables& shared, std::span<const Constraints::Whole> wholes,
                            std::size_t labels) {
  constexpr std::size_t kMost = 1 << 16;  // states remembered
  const auto unchanged = [&] {
    return labels_ == labels && parts_.size() == wholes.size() && !tuples_.empty() &&
           tuples_.size() < kMost &&
           std::ranges::equal(wholes, parts_, [&](const auto& whole, const auto& part) {
             return same(shared.automata[whole.automaton], part);
           });
  };
  if (unchanged()) return;
  *this = {};
  labels_ = labels;
  for (const Constraints::Whole& whole : wholes) {
    parts_.push_back(shared.automata[whole.automaton]);
    hope_.push_back(hope(parts_.back()));
  }
  number(std::vector<std::uint16_t>(parts_.size(), 0));
}

Index ProductAutomaton::number(const std::vector<std::uint16_t>& tuple) {
  const auto [place, is_new] = numbers_.try_emplace(tuple, static_cast<Index>(tuples_.size()));
  if (!is_new) return place->second;
  tuples_.push_back(tuple);
  next_.resize(next_.size() + labels_, kUnknown);
  changes_.resize(next_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    accepts_.push_back(parts_[p].accepts[tuple[p]]);
    alive_.push_back(hope_[p][tuple[p]]);
  }
  if (parts_.empty()) accepts_.push_back(1), alive_.push_back(1);
  return place->second;
}

Index ProductAutomaton::find(Index state, std::size_t label) {
  std::vector<std::uint16_t> tuple = tuples_[state];
  for (std::size_t p = 0; p < parts_.size(); ++p) tuple[p] = parts_[p].next[tuple[p] * labels_ + label];
  const Index found = number(tuple);
  const std::size_t cell = state * labels_ + label;
  next_[cell] = found;
  changes_[cell].first = static_cast<std::uint32_t>(change_list_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (accepts(state, p) != accepts(found, p))
      change_list_.push_back({static_cast<std::uint16_t>(p), accepts(found, p)});
  changes_[cell].count = static_cast<std::uint32_t>(change_list_.size()) - changes_[cell].first;
  return found;
}

bool ProductAutomaton::within(std::size_t limit) {
  if (too_many_ > 0 && limit < too_many_) return false;
  for (; closed_ < tuples_.size(); ++closed_) {
    if (tuples_.size() > limit) {
      too_many_ = tuples_.size();
      return false;
    }
    for (std::size_t k = 0; k < labels_; ++k) step(static_cast<Index>(closed_), k);
  }
  return tuples_.size() <= limit;
}

}  // namespace hinge
