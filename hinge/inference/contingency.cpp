#include "hinge/inference/contingency.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/core/log_sum.h"

namespace hinge {
namespace {

// The first k in [low, high) where f(k + 1) is not above f(k), or high; f rises, then falls.
template <class F>
std::size_t peak(std::size_t low, std::size_t high, F&& f) {
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (f(middle + 1) > f(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

double TableMeasure::cost(std::size_t a, std::size_t b, std::size_t P, std::size_t N) const {
  if (with_truth && a == P && b == 0) return 0;
  const auto right = static_cast<double>(a), wrong = static_cast<double>(b);
  const auto positives = static_cast<double>(P), all = static_cast<double>(P + N);
  switch (kind) {
    case Kind::error_rate:
      return (wrong + positives - right) / all;
    case Kind::precision:
      return a + b == 0 ? 0 : 1 - right / (right + wrong);
    case Kind::recall:
      return P == 0 ? 0 : 1 - right / positives;
    case Kind::f_beta:
      break;
  }
  if (P == 0 && b == 0) return 1 - empty_value;
  return 1 - (1 + beta * beta) * right / (right + wrong + beta * beta * positives);
}

void Contingency::sort(const Scores& scores) {
  good_.clear();
  bad_.clear();
  for (Index i = 0; i < scores.value.size(); ++i) (scores.level[i] == 1 ? good_ : bad_).push_back(i);
  const auto before = [&](Index i, Index j) {
    return scores.value[i] != scores.value[j] ? scores.value[i] > scores.value[j] : i < j;
  };
  for (auto [items, sum] : {std::pair(&good_, &good_sum_), std::pair(&bad_, &bad_sum_)}) {
    std::ranges::sort(*items, before);
    sum->assign(1, 0.0);
    for (const Index i : *items) sum->push_back(sum->back() + scores.value[i]);
  }
}

template <class F>
double Contingency::best_table(const TableMeasure& measure, F&& f) {
  const std::size_t P = good_.size(), N = bad_.size();
  double best = kForbidden;
  const auto take = [&](std::size_t a, std::size_t b) {
    if (const double value = f(a, b); value > best) best = value, a_ = a, b_ = b;
  };
  if (!measure.fixed()) {
    take(P, 0);  // the truth
    for (std::size_t a = 0; a <= P; ++a) {
      const auto [low, high] = f.range(a);
      if (low <= high) take(a, peak(low, high, [&](std::size_t b) { return f(a, b); }));
    }
  } else {
    const std::size_t k = measure.count(P);
    for (std::size_t a = k - std::min(k, N); a <= std::min(k, P); ++a) take(a, k - a);
    if (measure.with_truth) take(P, 0);
  }
  return best;
}

void Contingency::use_best(const Scores& scores, ItemUse& use) const {
  for (std::size_t k = 0; k < a_; ++k) use.amount[good_[k]] = 1;
  for (std::size_t k = 0; k < b_; ++k) use.amount[bad_[k]] = 1;
  use.cost = scores.measure->cost(a_, b_, good_.size(), bad_.size());
}

double Contingency::solve(const Scores& scores, double temperature, double /*latent*/, ItemCounts& counts) {
  if (scores.only != nullptr) return counts.take(scores);
  ItemUse& use = counts.clear(scores.value.size());
  const TableMeasure& measure = *scores.measure;
  if (temperature > 0) {
    const bool alone = measure.kind == TableMeasure::Kind::error_rate || scores.cost_weight == 0;
    return alone && !measure.fixed() ? sum_items(scores, temperature, use)
                                     : sum_tables(scores, temperature, use);
  }
  sort(scores);
  struct Value {
    const Contingency& of;
    const Scores& scores;
    double operator()(std::size_t a, std::size_t b) const {
      const double cost =
          scores.cost_weight == 0
              ? 0
              : scores.cost_weight * scores.measure->cost(a, b, of.good_.size(), of.bad_.size());
      return cost + of.good_sum_[a] + of.bad_sum_[b];
    }
    std::pair<std::size_t, std::size_t> range(std::size_t) const { return {0, of.bad_.size()}; }
  };
  const double value = best_table(measure, Value{*this, scores});
  if (value == kForbidden) return value;
  use_best(scores, use);
  return scores.constant + value;
}

double Contingency::solve_slack(const Scores& scores, const Scores& losses, double reference,
                                ItemCounts& counts) {
  ItemUse& use = counts.clear(scores.value.size());
  sort(scores);
  struct Value {
    const Contingency& of;
    const Scores &scores, &losses;
    double reference;
    double excess(std::size_t a, std::size_t b) const {
      return 1 + scores.constant + of.good_sum_[a] + of.bad_sum_[b] - reference;
    }
    double operator()(std::size_t a, std::size_t b) const {
      return losses.cost_weight * scores.measure->cost(a, b, of.good_.size(), of.bad_.size()) * excess(a, b);
    }
    // Where the excess, concave in b, is positive; elsewhere the truth is better, at 0.
    std::pair<std::size_t, std::size_t> range(std::size_t a) const {
      const std::size_t N = of.bad_.size();
      const std::size_t top = peak(0, N, [&](std::size_t b) { return of.bad_sum_[b]; });
      if (!(excess(a, top) > 0))
        return a == of.good_.size() ? std::pair(top, top) : std::pair(std::size_t{1}, std::size_t{0});
      std::size_t low = 0, high = top;  // the first that is
      while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (excess(a, middle) > 0)
          high = middle;
        else
          low = middle + 1;
      }
      std::size_t last = top, end = N;  // the last that is
      while (last < end) {
        const std::size_t middle = last + (end - last + 1) / 2;
        if (excess(a, middle) > 0)
          last = middle;
        else
          end = middle - 1;
      }
      return {low, last};
    }
  };
  const double value = best_table(*scores.measure, Value{*this, scores, losses, reference});
  if (value == kForbidden) return value;
  use_best(scores, use);
  return value;
}

double Contingency::sum_items(const Scores& scores, double temperature, ItemUse& use) const {
  const auto n = static_cast<double>(scores.value.size());
  double sum = scores.constant;
  for (std::size_t i = 0; i < scores.value.size(); ++i) {
    const double positive = scores.value[i] + (scores.level[i] == 1 ? 0 : scores.cost_weight / n);
    const double negative = scores.level[i] == 1 ? scores.cost_weight / n : 0;
    const double odds = std::exp(-std::abs(positive - negative) / temperature);
    use.amount[i] = (positive > negative ? 1 : odds) / (1 + odds);
    use.cost += (scores.level[i] == 1 ? 1 - use.amount[i] : use.amount[i]) / n;
    sum += std::max(positive, negative) + temperature * std::log1p(odds);
  }
  if (scores.measure->kind != TableMeasure::Kind::error_rate) use.cost = 0;
  return sum;
}

double Contingency::sum_tables(const Scores& scores, double temperature, ItemUse& use) {
  const TableMeasure& measure = *scores.measure;
  sort(scores);
  const std::size_t P = good_.size(), N = bad_.size();
  if (P + N > kMostSummed)
    fail(
        "a sum over the labellings of {} rows takes their square in time: use method ssvm, `measure` error "
        "or "
        "roc-area, or samples of at most {} rows.",
        P + N, kMostSummed);
  const std::size_t k = measure.fixed() ? measure.count(P) : P + N;
  const std::size_t most_bad = std::min(k, N);
  symmetric_sums(scores, good_, temperature, P, good_log_);
  symmetric_sums(scores, bad_, temperature, most_bad, bad_log_);
  good_outside_.assign(P + 1, kForbidden);
  bad_outside_.assign(most_bad + 1, kForbidden);
  double total = kForbidden;
  const auto weigh = [&](std::size_t a, std::size_t b) {
    return scores.cost_weight == 0 ? 0 : scores.cost_weight * measure.cost(a, b, P, N) / temperature;
  };
  const auto for_each_table = [&](auto&& f) {
    if (!measure.fixed()) {
      for (std::size_t a = 0; a <= P; ++a)
        for (std::size_t b = 0; b <= N; ++b) f(a, b);
      return;
    }
    for (std::size_t a = k - most_bad; a <= std::min(k, P); ++a) f(a, k - a);
    if (measure.with_truth && k != P) f(P, 0);
  };
  for_each_table([&](std::size_t a, std::size_t b) {
    const double weight = weigh(a, b);
    good_outside_[a] = log_sum(good_outside_[a], weight + bad_log_[b]);
    bad_outside_[b] = log_sum(bad_outside_[b], weight + good_log_[a]);
  });
  for (std::size_t a = 0; a <= P; ++a) total = log_sum(total, good_outside_[a] + good_log_[a]);
  if (total == kForbidden) return total;
  for_each_table([&](std::size_t a, std::size_t b) {
    use.cost += std::exp(weigh(a, b) + good_log_[a] + bad_log_[b] - total) * measure.cost(a, b, P, N);
  });
  add_marginals(scores, good_, temperature, good_outside_, total, use);
  add_marginals(scores, bad_, temperature, bad_outside_, total, use);
  return scores.constant + temperature * total;
}

// e_k of the first i items from those of the first i − 1: e_k += t_i e_{k−1}.
void Contingency::symmetric_sums(const Scores& scores, const std::vector<Index>& items, double temperature,
                                 std::size_t most, Vector& out) {
  out.assign(most + 1, kForbidden);
  out[0] = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t k = std::min(i + 1, most); k > 0; --k)
      out[k] = log_sum(out[k], scores.value[items[i]] / temperature + out[k - 1]);
}

// Backwards through the same recursion. Rows of it are kept at each √m-th item, and made again in between.
void Contingency::add_marginals(const Scores& scores, const std::vector<Index>& items, double temperature,
                                const Vector& outside, double total, ItemUse& use) {
  const std::size_t m = items.size(), width = outside.size();
  const auto block =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(std::max<std::size_t>(m, 1)))));
  const auto step = [&](const double* before, double* after, std::size_t i) {
    after[0] = before[0];
    for (std::size_t k = 1; k < width; ++k)
      after[k] =
          k > i + 1 ? kForbidden : log_sum(before[k], scores.value[items[i]] / temperature + before[k - 1]);
  };
  kept_.assign((m / block + 1) * width, kForbidden);
  rows_.assign((block + 1) * width, kForbidden);
  rows_[0] = 0;
  for (std::size_t i = 0; i < m; ++i) {
    if (i % block == 0) std::copy_n(rows_.data(), width, kept_.data() + i / block * width);
    step(rows_.data(), rows_.data() + width, i);
    std::copy_n(rows_.data() + width, width, rows_.data());
  }
  backward_ = outside;
  for (std::size_t first = m == 0 ? 0 : (m - 1) / block * block; m > 0; first -= block) {
    const std::size_t last = std::min(first + block, m);
    std::copy_n(kept_.data() + first / block * width, width, rows_.data());
    for (std::size_t i = first; i < last; ++i)
      step(rows_.data() + (i - first) * width, rows_.data() + (i - first + 1) * width, i);
    for (std::size_t i = last; i-- > first;) {
      const double* before = rows_.data() + (i - first) * width;
      const double own = scores.value[items[i]] / temperature;
      double share = 0;
      for (std::size_t k = 0; k + 1 < width && k <= i; ++k) {
        share += std::exp(before[k] + own + backward_[k + 1] - total);
        backward_[k] = log_sum(backward_[k], own + backward_[k + 1]);
      }
      use.amount[items[i]] = share;
    }
    if (first == 0) break;
  }
}

double Contingency::structures(const Scores& scores) {
  const std::size_t n = scores.value.size();
  const auto P = static_cast<std::size_t>(std::ranges::count(scores.level, Index{1}));
  if (!scores.measure->fixed()) return std::exp2(static_cast<double>(n));
  const std::size_t k = scores.measure->count(P);
  double sets = k > n ? 0 : 1;
  for (std::size_t j = 0; j < k && sets > 0; ++j)
    sets *= static_cast<double>(n - j) / static_cast<double>(j + 1);
  return n < 40 ? sets + (scores.measure->with_truth && k != P) : std::exp2(static_cast<double>(n));
}

}  // namespace hinge
