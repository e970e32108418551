// The way back of sums: how probable the parts of a chart are.
#include "hinge/inference/chart_rings.h"

namespace hinge {

template <class F>
void Chart::for_each_span_down(F&& f) {
  left_share_.assign(left_.size(), 0.0);
  right_share_.resize(rights_ * stride_);
  bottom_share_.resize(grammar_->symbols());
  split_share_.resize(split_.size());
  for (std::size_t end = words_; end > 0; --end) {
    active_.resume_end(end);
    for (const Index slot : active_.came(end))
      std::fill_n(right_share_.data() + slot * stride_, stride_, 0.0);
    for (std::size_t begin = 0; begin < end; ++begin) {
      active_.retreat(begin);
      f(begin, end);
    }
  }
}

void Chart::count_splits(std::size_t begin, std::size_t end, Counts& counts) const {
  for (const Index g : selection_.groups())
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
  rule_count_.assign(selection_.rules().size(), 0.0);
  for_each_span_down([&](std::size_t begin, std::size_t end) {
    if (lower_tops(scores, ring, begin, end, counts) && end - begin > 1)
      lower_rules(scores, ring, begin, end, counts);
  });
  for (std::size_t r = 0; r < rule_count_.size(); ++r)
    counts.rule()[selection_.rules()[r]] += rule_count_[r] * rule_[r];
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
  for (const Index slot : active_.allowed(begin)) {
    if (!has_right(end, slot) || right_[right_place(end, slot) + begin] == 0) continue;
    const double share = right_share_[slot * stride_ + begin];
    if (share == 0) continue;
    top_slope_[selection_.rights()[slot]] += share / best_top_[span];
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
  std::ranges::fill(pair_slope_, 0.0);
  for (const auto& [pair, rule, parent] : active_.uses())
    pair_slope_[pair] += rule_[rule] * bottom_share_[parent];
  chart_loops::lower_splits(span_loop(begin, end),
                            {pair_slope_.data(), sums_.data(), left_share_.data() + left_place(begin, 0),
                             right_share_.data(), split_share_.data()});
  for (const auto& [pair, rule, parent] : active_.uses())
    rule_count_[rule] += pair_[pair] * bottom_share_[parent];
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
    if (const Index slot = selection_.right_slot(symbol); slot != ChartGrammar::kNone && has_right(end, slot))
      share += right_share_[slot * stride_ + begin];
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
  for (std::size_t b = 0; b < selection_.blocks().size(); ++b) {
    const ChartGrammar::Block& block = selection_.blocks()[b];
    const Live left = left_live_[begin * lefts_ + block.left];
    const std::size_t from = left_place(begin, block.left);
    for (const Index p : std::span(active_.pairs()).subspan(block.first, active_.counts()[b])) {
      if (pair_[p] == LogRing::kZero) continue;
      const ChartGrammar::Pair& pair = selection_.pairs()[p];
      double share = 0;
      for (Index r = pair.first; r < pair.last; ++r) {
        const Index parent = selection_.parents()[r];
        if (bottom_share_[parent] == 0) continue;
        const double amount =
            bottom_share_[parent] * ring.share(LogRing::times(pair_[p], rule_[r]), bottom_[parent]);
        counts.rule()[selection_.rules()[r]] += amount;
        share += amount;
      }
      if (share == 0) continue;
      const Live right = right_live_[end * rights_ + pair.right];
      const Index first = std::max({left.first, right.first, static_cast<Index>(begin + 1)});
      const Index last = std::min({left.last, right.last, static_cast<Index>(end)});
      ring.spread(share, pair_[p], left_.data() + from, right_.data() + right_place(end, pair.right),
                  split_.data() + block.group * split_stride_, first, last, left_share_.data() + from,
                  right_share_.data() + pair.right * stride_, split_share_.data() + block.group * stride_);
    }
  }
  count_splits(begin, end, counts);
}

}  // namespace hinge
