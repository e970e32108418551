// The way back of sums: how probable the parts of a chart are.
#include "hinge/inference/chart_rings.h"

namespace hinge {

using chart_loops::PairLoop;

template <class F>
void Chart::for_each_span_down(F&& f) {
  left_share_.assign(left_.size(), 0.0);
  right_share_.assign(right_.size(), 0.0);
  bottom_share_.resize(grammar_->symbols());
  split_share_.resize(split_.size());
  for (std::size_t end = words_; end > 0; --end)
    for (std::size_t begin = 0; begin < end; ++begin) f(begin, end);
}

void Chart::count_splits(std::size_t begin, std::size_t end, Counts& counts) const {
  for (std::size_t g = 0; g < grammar_->groups(); ++g)
    for (std::size_t k = begin + 1; k < end; ++k) {
      const double amount = split_share_[g * stride_ + k];
      counts.at(g)[k] += amount;
      counts.before(g)[k - begin] += amount;
      counts.behind(g)[end - k] += amount;
    }
}

void Chart::outside(const Scores& scores, ProductRing& ring, Counts& counts) {
  top_slope_.resize(grammar_->symbols());
  pair_slope_.resize(pair_.size());
  sums_.resize(stride_);
  for_each_span_down([&](std::size_t begin, std::size_t end) {
    if (lower_tops(scores, ring, begin, end, counts) && end - begin > 1)
      lower_rules(scores, ring, begin, end, counts);
  });
  for (std::size_t r = 0; r < grammar_->rules().size(); ++r) counts.rule()[r] *= rule_[r];
}

// Derivatives by bottoms from those by tops; whether any is not 0. What is 0 has none here: it is in no tree, and its
// derivative has no bound.
bool Chart::lower_tops(const Scores& scores, ProductRing& ring, std::size_t begin, std::size_t end,
                       Counts& counts) {
  const bool whole = begin == 0 && end == words_;
  const std::size_t span = ChartTables::span(begin, end), symbols = grammar_->symbols();
  bool used = whole;
  std::ranges::fill(top_slope_, 0.0);
  for (std::size_t slot = 0; slot < lefts_; ++slot) {
    const std::size_t at = left_place(begin, slot) + end;
    if (left_[at] == 0 || left_share_[at] == 0) continue;
    top_slope_[selection_.lefts()[slot]] = left_share_[at] / best_top_[span];
    used = true;
  }
  for (std::size_t slot = 0; slot < rights_; ++slot) {
    const std::size_t at = right_place(end, slot) + begin;
    if (right_[at] == 0 || right_share_[at] == 0) continue;
    top_slope_[selection_.rights()[slot]] += right_share_[at] / best_top_[span];
    used = true;
  }
  if (!used) return false;
  const double* bottom = bottoms_.data() + span * symbols;
  const double* unary = ring.unaries(scores, begin, end);
  if (whole) {
    const Index root = grammar_->root();
    double sum = grammar_->bare(root) ? bottom[root] * unary[ChartGrammar::kBare] : 0;
    for (const auto& [step, above, below] : selection_.chains(true))
      if (above == root) sum += bottom[below] * unary[step];
    top_slope_[root] += 1 / sum;
  }
  double* count = counts.unary(begin, end);
  std::ranges::fill(bottom_share_, 0.0);
  for (const Index s : selection_.bare()) {
    if (bottom[s] == 0) continue;
    bottom_share_[s] = top_slope_[s] * unary[ChartGrammar::kBare];
    count[ChartGrammar::kBare] += bottom[s] * bottom_share_[s];
  }
  for (const auto& [step, above, below] : selection_.chains(whole)) {
    if (bottom[below] == 0 || top_slope_[above] == 0) continue;
    const double slope = top_slope_[above] * unary[step];
    count[step] += bottom[below] * slope;
    bottom_share_[below] += slope;
  }
  if (end - begin == 1)
    for (std::size_t t = 0; t < grammar_->terminals(); ++t)
      counts.lexical(begin)[t] += bottom[t] * bottom_share_[t];
  return true;
}

// Counts of rules want their own exponentials still.
void Chart::lower_rules(const Scores& scores, ProductRing& ring, std::size_t begin, std::size_t end,
                        Counts& counts) {
  ring.score_splits(scores, begin, end);
  std::ranges::fill(split_share_, 0.0);
  const double *rule = ring.rules(), *slope = bottom_share_.data();
  const Index* parent = grammar_->parents().data();
  double* count = counts.rule();
  for (const ChartGrammar::Block& block : selection_.blocks()) {
    const Live live = left_live_[begin * lefts_ + block.left];
    const Index first = std::max(live.first, static_cast<Index>(begin + 1));
    const Index last = std::min(live.last, static_cast<Index>(end));
    if (first >= last) continue;
    const Live* rights = right_live_.data() + end * rights_;
    bool used = false;
    for (Index p = block.first; p < block.last; ++p) {
      const ChartGrammar::Pair& pair = selection_.pairs()[p];
      double sum = 0;
      if (const Live right = rights[pair.right]; right.first < last && first < right.last)
        for (Index r = pair.first; r < pair.last; ++r) sum += rule[r] * slope[parent[r]];
      pair_slope_[p] = sum;
      used = used || sum != 0;
    }
    if (!used) continue;
    const std::size_t left = left_place(begin, block.left), right = right_place(end, 0);
    chart_loops::lower_pairs(
        PairLoop{selection_.pairs().data() + block.first, block.last - block.first, left_.data() + left,
                 split_.data() + block.group * split_stride_, first, last, right_.data() + right, stride_,
                 rights, products_.data(), pair_.data() + block.first},
        pair_slope_.data() + block.first, sums_.data(), left_share_.data() + left,
        right_share_.data() + right, split_share_.data() + block.group * stride_);
    for (Index p = block.first; p < block.last; ++p) {
      if (pair_slope_[p] == 0) continue;
      const ChartGrammar::Pair& pair = selection_.pairs()[p];
      for (Index r = pair.first; r < pair.last; ++r) count[r] += pair_[p] * slope[parent[r]];
    }
  }
  count_splits(begin, end, counts);
}

void Chart::outside(const Scores& scores, LogRing& ring, Counts& counts) {
  for_each_span_down([&](std::size_t begin, std::size_t end) {
    if (share_tops(scores, ring, begin, end, counts) && end - begin > 1)
      share_rules(ring, begin, end, counts);
  });
}

// Whether the span has any node that is used.
bool Chart::share_tops(const Scores& scores, LogRing& ring, std::size_t begin, std::size_t end,
                       Counts& counts) {
  const bool whole = begin == 0 && end == words_;
  const auto share_of = [&](Index symbol) {
    double share = whole && symbol == grammar_->root() ? 1 : 0;
    if (const Index slot = selection_.left_slot(symbol); slot != ChartGrammar::kNone)
      share += left_share_[left_place(begin, slot) + end];
    if (const Index slot = selection_.right_slot(symbol); slot != ChartGrammar::kNone)
      share += right_share_[right_place(end, slot) + begin];
    return share;
  };
  bool used = false;
  for (Index s = 0; s < grammar_->symbols() && !used; ++s) used = share_of(s) > 0;
  if (!used) return false;
  make_bottoms(scores, ring, begin, end);
  make_tops(scores, ring, begin, end);
  const double* unary = ring.unaries(scores, begin, end);
  double* count = counts.unary(begin, end);
  for (Index s = 0; s < grammar_->symbols(); ++s) {
    const double share = share_of(s);
    bottom_share_[s] = grammar_->bare(s) && bottom_[s] != LogRing::kZero && share > 0
                           ? share * ring.share(LogRing::times(bottom_[s], unary[0]), top_[s])
                           : 0;
    count[ChartGrammar::kBare] += bottom_share_[s];
  }
  for (const auto& [step, above, below] : selection_.chains(whole)) {
    if (bottom_[below] == LogRing::kZero || unary[step] == LogRing::kZero) continue;
    const double share = share_of(above);
    if (share == 0) continue;
    const double amount = share * ring.share(LogRing::times(bottom_[below], unary[step]), top_[above]);
    count[step] += amount;
    bottom_share_[below] += amount;
  }
  if (end - begin == 1)
    for (std::size_t t = 0; t < grammar_->terminals(); ++t) counts.lexical(begin)[t] += bottom_share_[t];
  return true;
}

void Chart::share_rules(LogRing& ring, std::size_t begin, std::size_t end, Counts& counts) {
  std::ranges::fill(split_share_, 0.0);
  const double* rule = ring.rules();
  for (const ChartGrammar::Block& block : selection_.blocks()) {
    const Live left = left_live_[begin * lefts_ + block.left];
    const std::size_t from = left_place(begin, block.left);
    for (Index p = block.first; p < block.last; ++p) {
      if (pair_[p] == LogRing::kZero) continue;
      const ChartGrammar::Pair& pair = selection_.pairs()[p];
      double share = 0;
      for (Index r = pair.first; r < pair.last; ++r) {
        const Index parent = grammar_->parents()[r];
        if (bottom_share_[parent] == 0) continue;
        const double amount =
            bottom_share_[parent] * ring.share(LogRing::times(pair_[p], rule[r]), bottom_[parent]);
        counts.rule()[r] += amount;
        share += amount;
      }
      if (share == 0) continue;
      const Live right = right_live_[end * rights_ + pair.right];
      const Index first = std::max({left.first, right.first, static_cast<Index>(begin + 1)});
      const Index last = std::min({left.last, right.last, static_cast<Index>(end)});
      const std::size_t to = right_place(end, pair.right);
      ring.spread(share, pair_[p], left_.data() + from, right_.data() + to,
                  split_.data() + block.group * split_stride_, first, last, left_share_.data() + from,
                  right_share_.data() + to, split_share_.data() + block.group * stride_);
    }
  }
  count_splits(begin, end, counts);
}

}  // namespace hinge
