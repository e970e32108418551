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
    return labels_ == labels && parts_.size() == wholes.size() && states() > 0 && states() < kMost &&
           std::ranges::equal(wholes, parts_, [&](const auto& whole, const auto& part) {
             return same(shared.automata[whole.automaton], part);
           });
  };
  if (unchanged()) return;
  *this = ProductAutomaton();
  labels_ = labels;
  for (const Constraints::Whole& whole : wholes) {
    parts_.push_back(shared.automata[whole.automaton]);
    hope_.push_back(hope(parts_.back()));
  }
  scratch_.assign(stride(), 0);
  number();
}

// Where the tuple is among the slots, or where it would be.
std::size_t ProductAutomaton::slot_of(const std::uint16_t* tuple) const {
  std::uint64_t hash = 0;
  for (std::size_t p = 0; p < stride(); ++p) hash = (hash + tuple[p] + 1) * 0x9e3779b97f4a7c15u;
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash >> 32) & mask;
  while (slots_[slot] != kUnknown &&
         !std::equal(tuple, tuple + stride(), tuples_.data() + slots_[slot] * stride()))
    slot = (slot + 1) & mask;
  return slot;
}

void ProductAutomaton::grow() {
  slots_.assign(std::max<std::size_t>(2 * slots_.size(), 64), kUnknown);
  for (std::size_t s = 0; s < states(); ++s) slots_[slot_of(tuple(s))] = static_cast<Index>(s);
}

Index ProductAutomaton::number() {
  if (2 * (states() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(scratch_.data());
  if (slots_[slot] != kUnknown) return slots_[slot];
  const auto made = static_cast<Index>(states());
  slots_[slot] = made;
  tuples_.insert(tuples_.end(), scratch_.begin(), scratch_.end());
  next_.resize(next_.size() + labels_, kUnknown);
  changes_.resize(next_.size());
  for (std::size_t p = 0; p < stride(); ++p) {
    accepts_.push_back(parts_.empty() ? 1 : parts_[p].accepts[scratch_[p]]);
    alive_.push_back(parts_.empty() ? 1 : hope_[p][scratch_[p]]);
  }
  return made;
}

Index ProductAutomaton::find(Index state, std::size_t label) {
  scratch_.assign(tuple(state), tuple(state) + stride());
  for (std::size_t p = 0; p < parts_.size(); ++p) scratch_[p] = parts_[p].next[scratch_[p] * labels_ + label];
  const Index found = number();
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
  for (; closed_ < states(); ++closed_) {
    if (states() > limit) {
      too_many_ = states();
      return false;
    }
    for (std::size_t k = 0; k < labels_; ++k) step(static_cast<Index>(closed_), k);
  }
  return states() <= limit;
}

}  // namespace hinge
