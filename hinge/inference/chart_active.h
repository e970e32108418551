// What the loops of a chart may leave out, exactly. Of the pairs of a block and their rules, those whose right child ends where
// the span at hand does and begins behind its beginning; of right children that begin somewhere, those beside which some left
// child ends.
//
// Inside, the ends go up and, at each, beginnings go down: right children come, and their pairs with them, at the end of their
// blocks' lists. On the way back beginnings go up, and what came last goes first.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hinge/inference/chart_selection.h"

namespace hinge {

class ChartActive {
 public:
  void shape(const ChartSelection& selection, std::size_t words) {
    selection_ = &selection;
    rights_ = selection.rights().size();
    pairs_.resize(selection.pairs().size());
    uses_.resize(selection.rules().size());
    counts_.assign(selection.blocks().size(), 0);
    came_.resize((words + 1) * rights_);
    begins_.resize(came_.size());
    came_count_.assign(words + 1, 0);
    beside_.resize((words + 1) * rights_);
    beside_count_.assign(words + 1, 0);
    marks_.resize(rights_);
  }

  // The pairs of a block at the span at hand: pairs()[the block's first], … counts()[the block] of them; and their rules.
  const std::vector<Index>& pairs() const { return pairs_; }
  const std::vector<Index>& counts() const { return counts_; }
  std::span<const ChartSelection::Use> uses() const { return {uses_.data(), use_count_}; }

  // On the way up: spans that end here follow, none of whose right children is known.
  void begin_end(std::size_t end) {
    end_ = end;
    clear();
    came_count_[end] = here_ = 0;
  }
  // A right child that begins at `begin` and at none behind it; from the next beginning on.
  void add(Index right_slot, std::size_t begin) {
    came_[end_ * rights_ + here_] = right_slot;
    begins_[end_ * rights_ + here_] = static_cast<Index>(begin);
    came_count_[end_] = ++here_;
    activate(right_slot);
  }
  // On the way back: all that came at an end, then without those that do not begin behind `begin`.
  void resume_end(std::size_t end) {
    end_ = end;
    clear();
    here_ = came_count_[end];
    for (const Index slot : came(end)) activate(slot);
  }
  void retreat(std::size_t begin) {
    for (; here_ > 0 && begins_[end_ * rights_ + here_ - 1] <= begin; --here_) {
      const Index slot = came_[end_ * rights_ + here_ - 1];
      for (const Index pair : selection_->pairs_of(slot)) --counts_[selection_->block_of(pair)];
      use_count_ -= selection_->uses_of(slot).size();
    }
  }
  std::span<const Index> came(std::size_t end) const {
    return {came_.data() + end * rights_, came_count_[end]};
  }

  // Right slots that may begin at a place: all, or those with a partner among the left slots that end there.
  void allow_all(std::size_t begin) {
    for (Index slot = 0; slot < rights_; ++slot) beside_[begin * rights_ + slot] = slot;
    beside_count_[begin] = rights_;
  }
  void allow_beside(std::size_t begin, std::span<const char> lefts_that_end) {
    std::ranges::fill(marks_, 0);
    for (const ChartGrammar::Block& block : selection_->blocks())
      if (lefts_that_end[block.left] != 0)
        for (Index p = block.first; p < block.last; ++p) marks_[selection_->pairs()[p].right] = 1;
    std::size_t count = 0;
    for (Index slot = 0; slot < rights_; ++slot)
      if (marks_[slot] != 0) beside_[begin * rights_ + count++] = slot;
    beside_count_[begin] = count;
  }
  std::span<const Index> allowed(std::size_t begin) const {
    return {beside_.data() + begin * rights_, beside_count_[begin]};
  }

 private:
  void activate(Index right_slot) {
    for (const Index pair : selection_->pairs_of(right_slot)) {
      const Index block = selection_->block_of(pair);
      pairs_[selection_->blocks()[block].first + counts_[block]++] = pair;
    }
    const auto uses = selection_->uses_of(right_slot);
    std::ranges::copy(uses, uses_.begin() + static_cast<std::ptrdiff_t>(use_count_));
    use_count_ += uses.size();
  }
  void clear() {
    std::ranges::fill(counts_, 0);
    use_count_ = 0;
  }

  const ChartSelection* selection_ = nullptr;
  std::size_t rights_ = 0, end_ = 0, here_ = 0, use_count_ = 0;
  std::vector<Index> pairs_, counts_;  // by block
  std::vector<ChartSelection::Use> uses_;
  std::vector<Index> came_,
      begins_;  // by end: right slots in the order in which they came, and where they begin
  std::vector<std::size_t> came_count_, beside_count_;
  std::vector<Index> beside_;  // by beginning
  std::vector<char> marks_;
};

}  // namespace hinge
