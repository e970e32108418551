// The three ways in which a chart adds ways to make a node, and multiplies what a way is made of: maxima of
// sums, sums of products, and both in logarithms. Parts of chart.cpp.
#pragma once

#include <cmath>
#include <cstdint>

#include "hinge/core/kernels.h"
#include "hinge/inference/chart.h"

namespace hinge {

// (max, +)
struct Chart::MaxRing {
  static constexpr double kZero = kForbidden;
  Chart& chart;

  bool begin(const Scores& scores) {
    const std::vector<Index>& rules = chart.selection_.rules();
    for (std::size_t r = 0; r < rules.size(); ++r) chart.rule_[r] = scores.rule()[rules[r]];
    return true;
  }
  bool safe() const { return true; }
  static double times(double a, double b) { return a + b; }
  static void add(double& sum, double v) { sum = v > sum ? v : sum; }
  double value(double top) const { return top; }
  void rescale(Vector&, const Vector&, std::size_t, std::size_t) {}

  const double* lexical(const Scores& scores, std::size_t word) { return scores.lexical(word); }
  const double* unaries(const Scores& scores, std::size_t begin, std::size_t end) {
    return scores.unary(begin, end);
  }
  void score_splits(const Scores& scores, std::size_t begin, std::size_t end) {
    if (chart.split_stride_ == 0) return;  // all are 0
    for (const Index g : chart.selection_.groups()) {
      double* row = chart.split_.data() + g * chart.stride_;
      const double *at = scores.at(g), *before = scores.before(g), *behind = scores.behind(g);
      for (std::size_t k = begin + 1; k < end; ++k) row[k] = at[k] + before[k - begin] + behind[end - k];
    }
  }
  void splits(const chart_loops::SpanLoop& loop) { chart_loops::max_splits(loop); }
};

// (T_τ of two, +): right at every range, and slow.
struct Chart::LogRing : MaxRing {
  LogRing(Chart& of, double t) : MaxRing{of}, temperature(t) {}
  double temperature;

  void add(double& sum, double v) const {
    if (v == kForbidden) return;
    const double top = std::max(sum, v), below = std::min(sum, v);
    sum = top + temperature * std::log1p(std::exp((below - top) / temperature));
  }
  double share(double part, double whole) const { return std::exp((part - whole) / temperature); }
  void splits(const chart_loops::SpanLoop& loop) const {
    chart_loops::max_splits(loop);
    for (std::size_t b = 0; b < loop.blocks.size(); ++b) {
      const ChartGrammar::Block& block = loop.blocks[b];
      const double *left = loop.left + block.left * loop.stride,
                   *split = loop.split + block.group * loop.split_stride;
      for (const Index p : std::span(loop.chosen + block.first, loop.counts[b])) {
        const double best = loop.out[p];
        if (best == kForbidden) continue;
        const double* right = loop.right + loop.pairs[p].right * loop.stride;
        double sum = 0;
        for (Index k = loop.begin + 1; k < loop.end; ++k)
          sum += std::exp((left[k] + right[k] + split[k] - best) / temperature);
        loop.out[p] += temperature * std::log(sum);
      }
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
  static constexpr double kZero = 0, kSmall = 1e-70, kTiny = 1e-290;
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
    out.assign(kernels::padded(count), kForbidden);
    if (count == 0) return 0;
    const double largest = in[arg_max({in, count})];
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
    Vector& room = chart.splits_room_;
    const std::vector<Index>& rules = chart.selection_.rules();
    room.resize(rules.size());
    for (std::size_t r = 0; r < room.size(); ++r) room[r] = scores.rule()[rules[r]];
    rule_base = exponentials(room.data(), room.size(), chart.rule_);
    chart.best_top_.resize(scores.spans());
    if (chart.split_stride_ > 0) begin_splits(scores);
    return is_safe;
  }
  // Exponentials of what splits are worth by their place, by the words before them and, backwards, behind them. Products of
  // three are looked at where they are made; what is too small to be exact is 0.
  void begin_splits(const Scores& scores) {
    const std::size_t n = chart.words_, stride = chart.stride_;
    const auto fill = [&](Vector& table, auto&& value) {
      table.assign(chart.grammar_->groups() * stride, kForbidden);
      for (const Index g : chart.selection_.groups())
        for (std::size_t k = 0; k <= n; ++k) table[g * stride + k] = value(g, k);
      kernels::exponential(table.data(), table.data(), table.size(), 0, 1 / temperature);
      for (double& v : table) {
        want(v <= 1 / kTiny);
        v = v < kTiny ? 0 : v;
      }
    };
    fill(chart.at_, [&](Index g, std::size_t k) { return scores.at(g)[k]; });
    fill(chart.before_, [&](Index g, std::size_t k) { return scores.before(g)[k]; });
    fill(chart.behind_, [&](Index g, std::size_t k) { return scores.behind(g)[n - k]; });
  }
  const double* lexical(const Scores& scores, std::size_t word) {
    base = exponentials(scores.lexical(word), chart.grammar_->terminals(), chart.lexical_) - rule_base;
    return chart.lexical_.data();
  }
  const double* unaries(const Scores& scores, std::size_t begin, std::size_t end) {
    unary_base = exponentials(scores.unary(begin, end), chart.grammar_->steps(), chart.unary_);
    return chart.unary_.data();
  }
  void score_splits(const Scores&, std::size_t begin, std::size_t end) {
    const auto scale = [&](std::size_t k) {
      return chart.scale_[ChartTables::span(begin, k)] + chart.scale_[ChartTables::span(k, end)];
    };
    double largest = kForbidden;
    for (std::size_t k = begin + 1; k < end; ++k) largest = std::max(largest, scale(k));
    base = largest == kForbidden ? 0 : largest;
    const std::size_t first = begin + 1, count = end - first;
    Vector& room = chart.splits_room_;
    room.assign(kernels::padded(count), kForbidden);
    for (std::size_t k = first; k < end; ++k) room[k - first] = scale(k);
    kernels::exponential(room.data(), room.data(), room.size(), base, 1 / temperature);
    const auto in_range = [&](double v, std::size_t k) {
      return ((v >= kSmall) & (v <= 1 / kSmall)) | (room[k - first] == 0 && scale(k) == kForbidden);
    };
    bool good = true;
    if (chart.split_stride_ == 0) {
      std::copy_n(room.begin(), count, chart.split_.begin() + static_cast<std::ptrdiff_t>(first));
      for (std::size_t k = first; k < end; ++k) good = good && in_range(room[k - first], k);
    } else {
      for (const Index g : chart.selection_.groups()) {
        const double *at = chart.at_.data() + g * chart.stride_,
                     *before = chart.before_.data() + g * chart.stride_ - begin,
                     *behind = chart.behind_.data() + g * chart.stride_ + (chart.words_ - end);
        double* row = chart.split_.data() + g * chart.stride_;
        for (std::size_t k = first; k < end; ++k) row[k] = at[k] * (before[k] * behind[k]) * room[k - first];
        for (std::size_t k = first; k < end; ++k) good = good && in_range(row[k], k);
      }
    }
    want(good);
  }
  void splits(const chart_loops::SpanLoop& loop) const { chart_loops::sum_splits(loop); }

  double span_base() const { return base + rule_base + unary_base; }
  double value(double top) const { return top == 0 ? kForbidden : span_base() + temperature * std::log(top); }
  void rescale(Vector& tops, const Vector& bottoms, std::size_t begin, std::size_t end) {
    std::uint64_t tiny = 0;
    for (const double v : bottoms) tiny |= static_cast<std::uint64_t>((v < kSmall * kSmall) & (v > 0));
    want(tiny == 0);
    const double best = tops[arg_max(tops)];
    const std::size_t span = ChartTables::span(begin, end);
    chart.best_top_[span] = best;
    chart.scale_[span] = value(best);
    if (best == 0) return;
    std::uint64_t small = 0;
    for (double& v : tops) v /= best;
    for (const double v : tops) small |= static_cast<std::uint64_t>((v < kSmall) & (v > 0));
    want(small == 0);
  }
};

}  // namespace hinge
