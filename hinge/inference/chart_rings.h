// The three ways in which a chart adds ways to make a node, and multiplies what a way is made of: maxima of
// sums, sums of products, and both in logarithms. Parts of chart.cpp.
#pragma once

#include <cmath>

#include "hinge/core/kernels.h"
#include "hinge/inference/chart.h"

namespace hinge {

// (max, +)
struct Chart::MaxRing {
  static constexpr double kZero = kForbidden;
  Chart& chart;

  bool begin(const Scores&) { return true; }
  bool safe() const { return true; }
  static double times(double a, double b) { return a + b; }
  static void add(double& sum, double v) { sum = v > sum ? v : sum; }
  double value(double top) const { return top; }
  void rescale(Vector&, const Vector&, std::size_t, std::size_t) {}

  const double* lexical(const Scores& scores, std::size_t word) { return scores.lexical(word); }
  const double* rules(const Scores& scores) { return scores.rule(); }
  const double* unaries(const Scores& scores, std::size_t begin, std::size_t end) {
    return scores.unary(begin, end);
  }
  void score_splits(const Scores& scores, std::size_t begin, std::size_t end) {
    if (chart.split_stride_ == 0) return;  // all are 0
    for (std::size_t g = 0; g < chart.grammar_->groups(); ++g) {
      double* row = chart.split_.data() + g * chart.stride_;
      const double *at = scores.at(g), *before = scores.before(g), *behind = scores.behind(g);
      for (std::size_t k = begin + 1; k < end; ++k) row[k] = at[k] + before[k - begin] + behind[end - k];
    }
  }
  void pairs(const chart_loops::PairLoop& loop) { chart_loops::max_pairs(loop); }
};

// (T_τ of two, +): right at every range, and slow.
struct Chart::LogRing : MaxRing {
  LogRing(Chart& of, double t) : MaxRing{of}, temperature(t) {}
  double temperature;
  const double* rule = nullptr;

  bool begin(const Scores& scores) {
    rule = scores.rule();
    return true;
  }
  const double* rules() const { return rule; }
  using MaxRing::rules;
  void add(double& sum, double v) const {
    if (v == kForbidden) return;
    const double top = std::max(sum, v), below = std::min(sum, v);
    sum = top + temperature * std::log1p(std::exp((below - top) / temperature));
  }
  double share(double part, double whole) const { return std::exp((part - whole) / temperature); }
  void pairs(const chart_loops::PairLoop& loop) const {
    chart_loops::max_pairs(loop);
    for (std::size_t p = 0; p < loop.count; ++p) {
      const double best = loop.out[p];
      if (best == kForbidden) continue;
      const auto live = loop.live[loop.pairs[p].right];
      const double* right = loop.right + loop.pairs[p].right * loop.stride;
      double sum = 0;
      for (Index k = std::max(loop.first, live.first); k < std::min(loop.last, live.last); ++k)
        sum += std::exp((loop.left[k] + right[k] + loop.split[k] - best) / temperature);
      loop.out[p] += temperature * std::log(sum);
    }
  }
  void spread(double amount, double pair, const double* left, const double* right, const double* split,
              Index first, Index last, double* to_left, double* to_right, double* to_split) const {
    for (Index k = first; k < last; ++k) {
      const double share = amount * std::exp((left[k] + right[k] + split[k] - pair) / temperature);
      to_left[k] += share;
      to_right[k] += share;
      to_split[k] += share;
    }
  }
};

// (+, ×) of exponentials: what is true is exp(scale / τ) times what is kept, with a scale for each span at which
// its best top is 1. Safe while no factor that is not 0 is below kSmall: products of four of them, and sums of
// such, are numbers.
struct Chart::ProductRing {
  static constexpr double kZero = 0, kSmall = 1e-70;
  ProductRing(Chart& of, double t) : chart(of), temperature(t) {}
  Chart& chart;
  double temperature;
  double base = 0, rule_base = 0, unary_base = 0;  // of the span at hand
  bool is_safe = true;

  bool safe() const { return is_safe; }
  void want(bool holds) { is_safe = is_safe && holds; }
  static double times(double a, double b) { return a * b; }
  static void add(double& sum, double v) { sum += v; }
  // out = exp((in − the largest) / τ), whose base that is.
  double exponentials(const double* in, std::size_t count, Vector& out) {
    const double largest = in[arg_max({in, count})];
    out.assign(kernels::padded(count), kForbidden);
    if (largest == kForbidden) {
      std::ranges::fill(out, 0.0);
      return 0;
    }
    std::copy_n(in, count, out.begin());
    kernels::exponential(out.data(), out.data(), out.size(), largest, 1 / temperature);
    for (std::size_t k = 0; k < count; ++k) want(out[k] >= kSmall || in[k] == kForbidden);
    return largest;
  }

  bool begin(const Scores& scores) {
    const std::size_t count = scores.grammar().rules().size();
    rule_base = count == 0 ? 0 : exponentials(scores.rule(), count, chart.rule_);
    chart.best_top_.resize(scores.spans());
    chart.bottoms_.resize(scores.spans() * scores.grammar().symbols());
    return is_safe;
  }
  const double* rules() const { return chart.rule_.data(); }
  const double* rules(const Scores&) const { return rules(); }
  const double* lexical(const Scores& scores, std::size_t word) {
    base = exponentials(scores.lexical(word), chart.grammar_->terminals(), chart.lexical_) - rule_base;
    return chart.lexical_.data();
  }
  const double* unaries(const Scores& scores, std::size_t begin, std::size_t end) {
    unary_base = exponentials(scores.unary(begin, end), chart.grammar_->steps(), chart.unary_);
    return chart.unary_.data();
  }
  void score_splits(const Scores& scores, std::size_t begin, std::size_t end) {
    const auto scale = [&](std::size_t k) {
      return chart.scale_[ChartTables::span(begin, k)] + chart.scale_[ChartTables::span(k, end)];
    };
    double largest = kForbidden;
    for (std::size_t k = begin + 1; k < end; ++k) largest = std::max(largest, scale(k));
    base = largest == kForbidden ? 0 : largest;
    const std::size_t groups = chart.split_stride_ == 0 ? 1 : chart.grammar_->groups();
    const std::size_t first = begin + 1, count = end - first;
    Vector& room = chart.splits_room_;
    room.assign(kernels::padded(count), kForbidden);
    for (std::size_t g = 0; g < groups; ++g) {
      const double *at = scores.at(g), *before = scores.before(g), *behind = scores.behind(g);
      for (std::size_t k = first; k < end; ++k)
        room[k - first] = at[k] + before[k - begin] + behind[end - k] + scale(k);
      for (std::size_t n = count; n < room.size(); ++n) room[n] = kForbidden;
      kernels::exponential(room.data(), room.data(), room.size(), base, 1 / temperature);
      double* row = chart.split_.data() + g * chart.stride_;
      for (std::size_t k = first; k < end; ++k) {
        row[k] = room[k - first];
        want((row[k] >= kSmall && row[k] <= 1 / kSmall) || scale(k) == kForbidden);
      }
    }
  }
  void pairs(const chart_loops::PairLoop& loop) const { chart_loops::sum_pairs(loop); }

  double span_base() const { return base + rule_base + unary_base; }
  double value(double top) const { return top == 0 ? kForbidden : span_base() + temperature * std::log(top); }
  void rescale(Vector& tops, const Vector& bottoms, std::size_t begin, std::size_t end) {
    bool tiny = false;
    for (const double v : bottoms) tiny |= (v < kSmall * kSmall) & (v != 0);
    want(!tiny);
    const double best = tops[arg_max(tops)];
    const std::size_t span = ChartTables::span(begin, end);
    std::ranges::copy(bottoms, chart.bottoms_.begin() + static_cast<std::ptrdiff_t>(span * bottoms.size()));
    chart.best_top_[span] = best;
    chart.scale_[span] = value(best);
    if (best == 0) return;
    bool small = false;
    for (double& v : tops) {
      v /= best;
      small |= (v < kSmall) & (v != 0);
    }
    want(!small);
  }
};

}  // namespace hinge
