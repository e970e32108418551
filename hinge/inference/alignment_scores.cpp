#include "hinge/inference/alignment_scores.h"

#include <algorithm>

#include "hinge/core/clones.h"
#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"

namespace hinge {
namespace {

// out = Σ of the rows.
HINGE_CLONES void add_up(double* __restrict out, const double* profile, std::size_t stride, const Index* rows,
                         std::size_t count) {
  std::fill(out, out + stride, 0.0);
  std::size_t k = 0;
  for (; k + 1 < count; k += 2) {
    const double* __restrict a = profile + rows[k] * stride;
    const double* __restrict b = profile + rows[k + 1] * stride;
    for (std::size_t j = 0; j < stride; ++j) out[j] += a[j] + b[j];
  }
  if (k < count) {
    const double* __restrict a = profile + rows[k] * stride;
    for (std::size_t j = 0; j < stride; ++j) out[j] += a[j];
  }
}

}  // namespace

void AlignmentScores::shape(std::size_t m, std::size_t n, std::size_t stacks, std::size_t rows, bool local) {
  m_ = m;
  n_ = n;
  stacks_ = stacks;
  rows_ = rows;
  local_ = local;
  stride_ = kernels::padded(n);
  profile_.assign(rows * stride_, 0.0);
  rows_of_.assign(m * stacks, 0);
  bars_.assign(m, {});
  closed_.clear();
  hidden_[0].assign(m, 0);
  hidden_[1].assign(n, 0);
  skip_.assign(m, 0.0);
  gaps_[0].shape(m, n);
  gaps_[1].shape(n, m);
}

bool AlignmentScores::hides() const {
  return std::ranges::count(hidden_[0], 1) + std::ranges::count(hidden_[1], 1) > 0;
}

double AlignmentScores::match(std::size_t i, std::size_t j) const {
  if (std::ranges::find(closed_, j) != closed_.end()) return kForbidden;
  double sum = 0;
  for (const Index r : rows_of(i)) sum += row(r)[j];
  const Bar& bar = bars_[i];
  return j >= bar.low && j < bar.high ? sum : sum + bar.outside;
}

void AlignmentScores::match_row(std::size_t i, double* out) const {
  add_up(out, profile_.data(), stride_, rows_of_.data() + i * stacks_, stacks_);
  for (const std::size_t j : closed_) out[j] = kForbidden;
  const Bar& bar = bars_[i];
  if (bar.outside == 0) return;
  for (std::size_t j = 0; j < std::min(bar.low, n_); ++j) out[j] += bar.outside;
  for (std::size_t j = std::max(bar.low, bar.high); j < n_; ++j) out[j] += bar.outside;
}

double AlignmentScores::of(const Partners& s) const {
  double sum = 0;
  walk_alignment(
      s, n_, local_, [&](std::size_t i, std::size_t j) { sum += match(i, j); },
      [&](AlignedSide side, std::size_t letter, std::size_t place, bool opens) {
        sum += gaps(side).of(letter, place, opens);
      });
  if (!local_) return sum;
  const auto paired = [](int j) { return j >= 0; };
  std::size_t first = static_cast<std::size_t>(std::ranges::find_if(s, paired) - s.begin()), last = s.size();
  while (last > first && s[last - 1] < 0) --last;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (i < first || i >= last) sum += skip_[i];
  return sum;
}

void AlignmentCounts::shape(const AlignmentScores& scores, bool hard) {
  hard_ = hard;
  local_ = scores.local();
  n_ = scores.n();
  stride_ = scores.stride();
  reference_.clear();
  partners_.assign(scores.m(), kGap);
  if (hard) return;
  pairs_.clear();
  profile_.assign(scores.rows() * stride_, 0.0);
  gaps_[0].shape(scores.m(), n_);
  gaps_[1].shape(n_, scores.m());
}

void AlignmentCounts::mark_uses(const Partners& s) const {
  if (s.empty()) return;
  uses_[0].assign(s.size(), {});
  uses_[1].assign(n_, {});
  walk_alignment(
      s, n_, local_, [](std::size_t, std::size_t) {},
      [&](AlignedSide side, std::size_t letter, std::size_t place, bool opens) {
        uses_[static_cast<std::size_t>(side)][letter] = {place, opens, true};
      });
}

// best[j]: the most that pairs with letters of z before j can have; kept as a tree of prefix maxima, whose winners
// lead back.
Partners AlignmentCounts::most_probable() const {
  if (hard_) return partners_;
  struct Best {
    double sum = 0;
    std::size_t pair = 0;  // 1 + the last of them
  };
  std::vector<Best> tree(n_ + 1);
  std::vector<std::size_t> before(pairs_.size());
  const auto begin_of_row = [&](std::size_t k) { return k == 0 || pairs_[k - 1].i != pairs_[k].i; };
  Best best;
  std::vector<std::pair<std::size_t, Best>> row;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (begin_of_row(k)) row.clear();
    Best own;
    for (std::size_t j = pairs_[k].j; j > 0; j -= j & (~j + 1))
      if (tree[j].sum > own.sum) own = tree[j];
    before[k] = own.pair;
    row.push_back({pairs_[k].j, {own.sum + pairs_[k].probability, k + 1}});
    if (k + 1 < pairs_.size() && !begin_of_row(k + 1)) continue;
    for (const auto& [j, value] : row) {
      if (value.sum > best.sum) best = value;
      for (std::size_t at = j + 1; at <= n_; at += at & (~at + 1))
        if (value.sum > tree[at].sum) tree[at] = value;
    }
  }
  Partners partners(partners_.size(), kGap);
  for (std::size_t k = best.pair; k > 0; k = before[k - 1])
    partners[pairs_[k - 1].i] = static_cast<int>(pairs_[k - 1].j);
  return partners;
}

}  // namespace hinge
