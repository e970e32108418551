#include "hinge/inference/chart.h"

#include <cassert>
#include <cmath>

#include "hinge/core/kernels.h"
#include "hinge/inference/chart_rings.h"

namespace hinge {

double ChartScores::of(const ChartStep& step) const {
  double sum = unary(step.begin, step.end)[step.unary];
  if (step.end - step.begin == 1) return sum + lexical(step.begin)[step.rule];
  const Index g = grammar().rules()[step.rule].group;
  return sum + rule()[step.rule] + at(g)[step.split] + before(g)[step.split - step.begin] +
         behind(g)[step.end - step.split];
}

double ChartScores::of(const ChartTree& tree) const {
  double sum = 0;
  for (const ChartStep& step : tree) sum += of(step);
  return sum;
}

void ChartCounts::subtract(const ChartTree& tree) {
  if (hard_) {
    assert(reference_.empty());
    reference_ = tree;
  } else {
    for (const ChartStep& step : tree) add(step, -1);
  }
}

void ChartCounts::scale(double factor) {
  factor_ *= factor;
  if (!hard_)
    for_each_table([&](Vector& table) {
      for (double& v : table) v *= factor;
    });
}

void ChartCounts::set(const ChartScores& scores, std::span<const double> in) {
  hard_ = false;
  factor_ = 1;
  tree_.clear();
  reference_.clear();
  shape(scores.grammar(), scores.words());
  set_all(in, [](double v) { return v; });
}

ChartTree ChartCounts::most_probable() const {
  return most_probable([](std::span<const double> count, std::span<double> worth) {
    std::ranges::transform(count, worth.begin(), [](double p) { return 2 * p - 1; });
  });
}

ChartTree ChartCounts::most_probable(const ChainWorth& chain_worth) const {
  if (hard_) return tree_;
  ChartScores scores;
  scores.shape(grammar(), words());
  const auto forbid_where_never = [](std::span<const double> count, std::span<double> worth) {
    for (std::size_t k = 0; k < count.size(); ++k)
      if (!(count[k] > 0)) worth[k] = kForbidden;
  };
  forbid_where_never({rule(), grammar().rules().size()}, {scores.rule(), grammar().rules().size()});
  for (std::size_t j = 1; j <= words(); ++j) {
    const std::span<const double> word(lexical(j - 1), grammar().terminals());
    std::ranges::copy(word, scores.lexical(j - 1));
    forbid_where_never(word, {scores.lexical(j - 1), word.size()});
    for (std::size_t i = 0; i < j; ++i) {
      const std::span<const double> chains(unary(i, j) + 1, grammar().steps() - 1);
      const std::span<double> worth(scores.unary(i, j) + 1, chains.size());
      chain_worth(chains, worth);
      forbid_where_never(chains, worth);
    }
  }
  ChartCounts best;
  Chart().solve(scores, 0, 0, best);
  return best.structure();
}

double Chart::bytes(const ChartGrammar& grammar, std::size_t words) {
  const auto n = static_cast<double>(words), spans = n * (n + 1) / 2;
  const double rows = static_cast<double>(grammar.lefts().size() + grammar.rights().size());
  return 8 * (2 * (n + 1) * rows * static_cast<double>(kernels::padded(words + 1 + chart_loops::kLanes)) +
              spans * static_cast<double>(2 * grammar.steps() + grammar.symbols()));
}

void Chart::shape(const Scores& scores) {
  grammar_ = &scores.grammar();
  words_ = scores.words();
  stride_ = kernels::padded(words_ + 1 + chart_loops::kLanes);
  terminals_.assign(grammar_->terminals(), 0);
  for (std::size_t i = 0; i < words_; ++i)
    for (std::size_t t = 0; t < terminals_.size(); ++t)
      if (scores.lexical(i)[t] != kForbidden) terminals_[t] = 1;
  selection_.select(*grammar_, terminals_);
  lefts_ = selection_.lefts().size();
  rights_ = selection_.rights().size();
  left_.resize((words_ + 1) * lefts_ * stride_);
  right_.resize((words_ + 1) * rights_ * stride_);
  left_live_.assign((words_ + 1) * lefts_, {ChartGrammar::kNone, 0});
  right_live_.assign((words_ + 1) * rights_, {ChartGrammar::kNone, 0});
  left_ends_.assign(lefts_, 0);
  active_.shape(selection_, words_);
  bottom_.resize(grammar_->symbols());
  top_.resize(grammar_->symbols());
  pair_.resize(selection_.pairs().size());
  products_.resize(stride_);
  const auto zero = [&](const double* row) {
    return std::all_of(row, row + grammar_->groups() * (words_ + 1), [](double v) { return v == 0; });
  };
  split_stride_ = zero(scores.at(0)) && zero(scores.before(0)) && zero(scores.behind(0)) ? 0 : stride_;
  split_.assign(grammar_->groups() * stride_, 0.0);
  rule_.resize(selection_.rules().size());
  bottoms_.resize(scores.spans() * grammar_->symbols());
  scale_.assign(scores.spans(), 0.0);
  root_ = kForbidden;
  pruned_ = false;
}

double Chart::stored(std::size_t begin, std::size_t end, Index symbol) const {
  if (const Index slot = selection_.left_slot(symbol); slot != ChartGrammar::kNone)
    return left_[left_place(begin, slot) + end];
  if (const Index slot = selection_.right_slot(symbol); slot != ChartGrammar::kNone)
    return has_right(end, slot) ? right_[right_place(end, slot) + begin] : kForbidden;
  return symbol == grammar_->root() && begin == 0 && end == words_ ? root_ : kForbidden;
}

chart_loops::SpanLoop Chart::span_loop(std::size_t begin, std::size_t end) {
  return {selection_.blocks(),
          selection_.pairs().data(),
          active_.pairs().data(),
          active_.counts().data(),
          static_cast<Index>(begin),
          static_cast<Index>(end),
          left_.data() + left_place(begin, 0),
          right_.data() + right_place(end, 0),
          split_.data(),
          stride_,
          split_stride_,
          left_live_.data() + begin * lefts_,
          products_.data(),
          pair_.data()};
}

template <class Ring>
void Chart::make_bottoms(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end) {
  std::ranges::fill(bottom_, Ring::kZero);
  if (end - begin == 1) {
    std::copy_n(ring.lexical(scores, begin), grammar_->terminals(), bottom_.begin());
    return;
  }
  ring.score_splits(scores, begin, end);
  ring.splits(span_loop(begin, end));
  for (const auto& [pair, rule, parent] : active_.uses())
    ring.add(bottom_[parent], Ring::times(pair_[pair], rule_[rule]));
}

template <class Ring>
void Chart::make_tops(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end) {
  const double* unary = ring.unaries(scores, begin, end);
  std::ranges::fill(top_, Ring::kZero);
  for (const Index s : selection_.bare()) top_[s] = Ring::times(bottom_[s], unary[ChartGrammar::kBare]);
  for (const auto& [step, above, below] : selection_.chains(begin == 0 && end == words_))
    if (bottom_[below] != Ring::kZero) ring.add(top_[above], Ring::times(bottom_[below], unary[step]));
}

template <class Ring>
void Chart::keep_tops(Ring& ring, std::size_t begin, std::size_t end) {
  if (begin == 0 && end == words_) root_ = ring.value(top_[grammar_->root()]);
  std::ranges::copy(bottom_, bottoms_.begin() +
                                 static_cast<std::ptrdiff_t>(ChartTables::span(begin, end) * bottom_.size()));
  ring.rescale(top_, bottom_, begin, end);
  if (beam_ > 0) {
    const double lowest = top_[arg_max(top_)] - beam_;
    for (double& v : top_)
      if (v < lowest && v != kForbidden) v = kForbidden, pruned_ = true;
  }
  for (std::size_t slot = 0; slot < lefts_; ++slot) {
    const double v = left_[left_place(begin, slot) + end] = top_[selection_.lefts()[slot]];
    if (v == Ring::kZero) continue;
    left_ends_[slot] = 1;
    Live& live = left_live_[begin * lefts_ + slot];
    if (live.last == 0) live.first = static_cast<Index>(end);
    live.last = static_cast<Index>(end + 1);
  }
  for (const Index slot : active_.allowed(begin)) {
    const double v = top_[selection_.rights()[slot]];
    if (v == Ring::kZero) continue;
    double* row = right_.data() + right_place(end, slot);
    Live& live = right_live_[end * rights_ + slot];
    if (live.last == 0) {
      std::fill_n(row, stride_, Ring::kZero);
      live.last = static_cast<Index>(begin + 1);
      active_.add(slot, begin);
    }
    row[begin] = v;
    live.first = static_cast<Index>(begin);
  }
}

// What stands beside spans that begin one word before this end is known by now.
void Chart::begin_end(std::size_t end) {
  if (alone_)
    active_.allow_all(end - 1);
  else
    active_.allow_beside(end - 1, left_ends_);
  active_.begin_end(end);
  std::ranges::fill(left_ends_, 0);
}

template <class Ring>
double Chart::inside(const Scores& scores, Ring& ring) {
  shape(scores);
  if (!ring.begin(scores)) return kForbidden;
  for (std::size_t end = 1; end <= words_; ++end) {
    begin_end(end);
    for (std::size_t begin = end; begin-- > 0;) {
      make_bottoms(scores, ring, begin, end);
      make_tops(scores, ring, begin, end);
      keep_tops(ring, begin, end);
      if (!ring.safe()) return kForbidden;
    }
  }
  return root_;
}

double Chart::maximise(const Scores& scores) {
  MaxRing ring{*this};
  beam_ = settings.beam;
  double value = inside(scores, ring);
  beam_ = 0;
  if (value == kForbidden && pruned_) value = inside(scores, ring);
  return value;
}

double Chart::solve(const Scores& scores, double output_temperature, double /*latent*/, Counts& counts) {
  counts.hard_ = output_temperature == 0;
  counts.factor_ = 1;
  counts.tree_.clear();
  counts.reference_.clear();
  double value;
  if (counts.hard_) {
    value = maximise(scores);
    if (value != kForbidden) trace(scores, 0, words_, grammar_->root(), counts.tree_);
    answer_ = {kMaxima};
  } else {
    counts.shape(scores.grammar(), scores.words());
    ProductRing products{*this, output_temperature};
    value = inside(scores, products);
    if (products.safe()) {
      if (value != kForbidden) outside(scores, products, counts);
      answer_ = {kProducts};
    } else {
      LogRing logarithms{*this, output_temperature};
      value = inside(scores, logarithms);
      if (value != kForbidden) outside(scores, logarithms, counts);
      answer_ = {kLogarithms};
    }
  }
  if (pruned_) answer_ = {kBeam, false, true};
  return value;
}

// The first of the best ways to make a top, as `inside` found it.
ChartStep Chart::winner(const Scores& scores, std::size_t begin, std::size_t end, Index symbol) {
  const double* bottom = bottoms_.data() + ChartTables::span(begin, end) * grammar_->symbols();
  const double* unary = scores.unary(begin, end);
  ChartStep best{static_cast<Index>(begin), static_cast<Index>(end), ChartGrammar::kBare, symbol, 0};
  double value = grammar_->bare(symbol) ? bottom[symbol] + unary[ChartGrammar::kBare] : kForbidden;
  Index below = symbol;
  for (Index n = grammar_->first_by_top(symbol); n < grammar_->first_by_top(symbol + 1); ++n) {
    const Index c = grammar_->chains_by_top()[n];
    const double v = bottom[grammar_->chains()[c].bottom] + unary[c + 1];
    if (v > value) value = v, best.unary = c + 1, below = grammar_->chains()[c].bottom;
  }
  best.rule = below;
  if (end - begin == 1) return best;
  MaxRing{*this}.score_splits(scores, begin, end);
  value = kForbidden;
  for (Index n = grammar_->first_by_parent(below); n < grammar_->first_by_parent(below + 1); ++n) {
    const Index r = grammar_->rules_by_parent()[n];
    const ChartGrammar::Rule& rule = grammar_->rules()[r];
    const Index left_slot = selection_.left_slot(rule.left), right_slot = selection_.right_slot(rule.right);
    if (left_slot == ChartGrammar::kNone || right_slot == ChartGrammar::kNone || !has_right(end, right_slot))
      continue;
    const double* left = left_.data() + left_place(begin, left_slot);
    const double* right = right_.data() + right_place(end, right_slot);
    const double* split = split_.data() + rule.group * split_stride_;
    for (std::size_t k = begin + 1; k < end; ++k)
      if (const double v = (left[k] + split[k]) + right[k] + scores.rule()[r]; v > value)
        value = v, best.rule = r, best.split = static_cast<Index>(k);
  }
  return best;
}

void Chart::trace(const Scores& scores, std::size_t begin, std::size_t end, Index symbol, ChartTree& out) {
  open_.assign(1, {begin, end, symbol});
  while (!open_.empty()) {
    const Open node = open_.back();
    open_.pop_back();
    const ChartStep step = winner(scores, node.begin, node.end, node.symbol);
    out.push_back(step);
    if (node.end - node.begin == 1) continue;
    const ChartGrammar::Rule& rule = grammar_->rules()[step.rule];
    open_.push_back({step.split, node.end, rule.right});
    open_.push_back({node.begin, step.split, rule.left});
  }
}

template double Chart::inside(const Scores&, MaxRing&);
template void Chart::make_bottoms(const Scores&, MaxRing&, std::size_t, std::size_t);
template void Chart::make_tops(const Scores&, MaxRing&, std::size_t, std::size_t);
template void Chart::make_bottoms(const Scores&, LogRing&, std::size_t, std::size_t);
template void Chart::make_tops(const Scores&, LogRing&, std::size_t, std::size_t);

}  // namespace hinge
