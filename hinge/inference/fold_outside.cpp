// What stands outside of each cell of a fold, and how often each part is used.
#include <algorithm>
#include <cmath>

#include "hinge/inference/fold_parts.h"

namespace hinge {

fold_loops::Run FoldCells::run_around(const Strip& strip, const Window& w) const {
  const auto& [kind, fixed, behind_i, forward, reversed, sums] = strip;
  const double* cells = around_[kind].data();
  if (fixed > (behind_i ? w.most_a : w.most_b) || (behind_i ? fixed >= w.i : w.j + 1 + fixed >= n_))
    return {};
  const std::size_t count =
      std::min({w.longest - fixed + 1, (behind_i ? w.most_b : w.most_a) + 1, behind_i ? n_ - 1 - w.j : w.i});
  if (behind_i) return {cells + (w.i - 1 - fixed) * n_ + w.j + 1, forward.data(), count};
  return {cells + (w.j + 1 + fixed) * n_ + w.i - count, reversed.data() + kWidth - count, count};
}

double FoldCells::around(const Scores& scores, std::size_t kind, const Window& w) const {
  double sum = loops_->zero;
  if (kind == FoldTables::kWide) {
    sum = loops_->around(around_[kind].data(), n_, tables_.loop.data(), w);
  } else {
    for (const Strip& strip : strips_)
      if (strip.kind == kind) {
        const Run run = run_around(strip, w);
        sum = plus(sum, loops_->dot(run.cells, run.table, run.count));
      }
  }
  for (const Small& small : smalls_) {
    if (scores.kind(small.a, small.b) != kind || small.a >= w.i || w.j + 1 + small.b >= n_) continue;
    const std::size_t p = w.i - 1 - small.a, q = w.j + 1 + small.b;
    if (scores.in(p, q) == FoldScores::kNoPair) continue;
    if (const double score = small_score(scores, small, p, q); score != loops_->zero)
      sum = plus(sum, times(around_[kind][p * n_ + q], score));
  }
  return sum;
}

double FoldCells::count_smalls(const Scores& scores, std::size_t kind, std::size_t i, std::size_t j,
                               double closing, FoldTables& uses) const {
  double all = 0;
  const double total = prefix_[n_];
  for (const Small& small : smalls_) {
    if (scores.kind(small.a, small.b) != kind) continue;
    const double score = small_score(scores, small, i, j);
    if (score == loops_->zero) continue;
    const std::size_t k = i + 1 + small.a, l = j - 1 - small.b;
    const double whole = times(closing, score, w_[kind][k * n_ + l]);
    const double used = mode_ == Mode::sum ? whole / total : std::exp(whole - total);
    all += used;
    uses.loop[small.a * kWidth + small.b] += used;
    const std::uint8_t in = scores.in(i, j);
    if (small.a + small.b == 1)
      uses.bulge_stack[FoldScores::type(in) * FoldTables::kTypes + FoldScores::type(scores.in(k, l))] += used;
    if (small.a == 1 && small.b == 1) uses.one_one[in] += used;
    if (scores.specials != nullptr && small.a + small.b > 1)
      uses.special += used * scores.specials->loop(scores, i, j, k, l);
  }
  return all;
}

// What stands outside of each cell, and from it how often each part is used; false where sums of exponentials may have lost
// something. Rows from the first on, in each row from the last letter on: what encloses comes before what is enclosed.
bool FoldCells::outside(const Scores& scores, Counts& counts) {
  const double zero = loops_->zero, total = prefix_[n_];
  const bool sums = mode_ == Mode::sum;
  const auto amount = [&](double v) { return sums ? v / total : std::exp(v - total); };
  FoldTables& uses = counts.uses_;
  suffix_.assign(n_ + 1, zero);
  suffix_[n_] = loops_->one;
  for (std::size_t i = n_; i-- > 0;) {
    double sum = times(suffix_[i + 1], letter(scores, tables_.exterior_letter, i));
    for (std::size_t j = i + 1; j < n_; ++j)
      if (scores.in(i, j) != FoldScores::kNoPair)
        sum = plus(sum, times(suffix_[j + 1], tables_.exterior[scores.out(i, j)], v_[i * n_ + j]));
    suffix_[i] = sum;
  }
  for (std::size_t i = 0; i < n_; ++i)
    uses.exterior_letter +=
        amount(times(prefix_[i], letter(scores, tables_.exterior_letter, i), suffix_[i + 1]));
  for (std::size_t kind = 0; kind < kinds_; ++kind) around_[kind].assign(n_ * n_, zero);
  m2_outside_.assign(n_ * n_, zero);
  close_.assign(n_ * 2, zero);  // of the row before and of this one: outside of M2 by the pair that closes it
  closed_.assign(n_ * 2, zero);     // outside of V with its pair
  o_outside_.assign(n_ * 2, zero);  // outside of O
  loop_sums_.fill(0.0);
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double *close = close_.data() + (i % 2) * n_, *close_before = close_.data() + (1 - i % 2) * n_;
    double *o_own = o_outside_.data() + (i % 2) * n_, *o_before = o_outside_.data() + (1 - i % 2) * n_;
    double *closed_own = closed_.data() + (i % 2) * n_, *closed_before = closed_.data() + (1 - i % 2) * n_;
    std::fill(close, close + n_, zero);
    std::fill(closed_own, closed_own + n_, zero);
    const auto row = static_cast<std::ptrdiff_t>(counts.pairs_.size());
    double m1_behind = zero;  // outside of M1(i, j + 1)
    for (std::size_t j = n_; j-- > i + 1;) {
      // M, M2 and O
      const double m = j + 1 < n_ ? loops_->dot(m2_outside_.data() + i * n_ + j + 1,
                                                m1_.data() + (j + 1) * n_ + j + 1, n_ - 1 - j)
                                  : zero;
      double m2 = m;
      if (i > 0 && j + 1 < n_) m2 = plus(m2, close_before[j + 1]);
      at(m2_outside_, i, j) = at(m2_outside_, j, i) = m2;
      double o = m;
      if (i > 0) {
        const double step = times(letter(scores, tables_.multi_letter, i - 1), o_before[j]);
        uses.multi_letter += amount(times(step, o_[i * n_ + j]));
        o = plus(o, step);
      }
      o_own[j] = o;
      // M1
      double m1 = o;
      if (j + 1 < n_) {
        const double step = times(letter(scores, tables_.multi_letter, j + 1), m1_behind);
        uses.multi_letter += amount(times(step, m1_[i * n_ + j]));
        m1 = plus(m1, step);
      }
      if (i > 0) m1 = plus(m1, loops_->dot(m2_outside_.data() + j * n_, m_.data() + (i - 1) * n_, i - 1));
      m1_behind = m1;
      if (sums) largest = std::max({largest, m2, m1});
      // V
      const std::uint8_t in = scores.in(i, j);
      if (in == FoldScores::kNoPair || v_[i * n_ + j] == zero) continue;
      const std::uint8_t out = scores.out(i, j);
      const double v = v_[i * n_ + j];
      const double exterior = times(prefix_[i], tables_.exterior[out], suffix_[j + 1]);
      const double branch = times(m1, tables_.branch[out]);
      const Window w{i,
                     j,
                     std::min(scores.max_loop(), free_before_[i]),
                     std::min(scores.max_loop(), free_behind_[j]),
                     scores.max_loop(),
                     kinds_ > 1 ? std::size_t{2} : 0};
      double loop = zero;
      for (std::size_t kind = 0; kind < kinds_; ++kind) {
        const double own = times(around(scores, kind, w), tables_.inner[kind * kClasses + out]);
        uses.inner[kind * kClasses + out] += amount(times(own, v));
        loop = plus(loop, own);
      }
      double outside = plus(plus(exterior, branch), loop);
      if (i > 0 && j + 1 < n_ && scores.in(i - 1, j + 1) != FoldScores::kNoPair) {
        const std::uint8_t other = scores.in(i - 1, j + 1);
        outside = plus(outside, times(closed_before[j + 1], tables_.stack[other]));
      }
      if (sums) largest = std::max(largest, outside);
      const double closed = times(outside, pair_score(scores, i, j));
      const double probability = amount(times(outside, v));
      uses.pair[FoldScores::type(in)] += probability;
      uses.exterior[out] += amount(times(exterior, v));
      uses.branch[out] += amount(times(branch, v));
      const double hair = amount(times(closed, hairpin(scores, i, j)));
      if (scores.specials != nullptr && hair > 0)
        uses.special += hair * scores.specials->hairpin(scores, i, j);
      uses.hairpin[in] += hair;
      uses.hairpin_length[std::min(j - i - 1, kWidth - 1)] += hair;
      uses.stack[in] += amount(times(closed, tables_.stack[in], value(v_, i + 1, j - 1)));
      uses.close[in] += amount(times(closed, tables_.close[in], value(m2_, i + 1, j - 1)));
      const Window inside = window_inside(scores, i, j);
      for (std::size_t kind = 0; kind < kinds_; ++kind) {
        const double closing = times(closed, tables_.outer[kind * kClasses + in]);
        at(around_[kind], i, j) = closing;
        if (kind != FoldTables::kWide) at(around_[kind], j, i) = closing;
        double& used = uses.outer[kind * kClasses + in];
        if (kind == FoldTables::kWide) {
          used += amount(times(closing, at(single_, i, j)));
          if (sums)
            fold_loops::add_within(loop_sums_.data(), w_[kind].data(), n_, closing / total, inside);
          else
            fold_loops::add_within_logarithms(loop_sums_.data(), w_[kind].data(), n_, reversed_.data(),
                                              closing - total, inside);
          count_smalls(scores, kind, i, j, closing, uses);
          continue;
        }
        for (Strip& strip : strips_)
          if (strip.kind == kind) {
            const Run run = run_inside(strip, inside);
            double* out_sums = strip.sums.data() + (strip.behind_i ? kWidth - run.count : 0);
            used += sums ? fold_loops::add_run(out_sums, run, closing / total)
                         : fold_loops::add_run_logarithms(out_sums, run, closing - total);
          }
        used += count_smalls(scores, kind, i, j, closing, uses);
      }
      closed_own[j] = closed;
      close[j] = times(closed, tables_.close[in]);
      if (probability >= PairProbability::kListed) counts.pairs_.push_back({i, j, probability});
    }
    std::reverse(counts.pairs_.begin() + row, counts.pairs_.end());
  }
  for (std::size_t a = 0; a < kWidth; ++a)
    for (std::size_t b = 0; b < kWidth; ++b) {
      const double used = loop_sums_[a * kWidth + kWidth - 1 - b];
      uses.loop[a * kWidth + b] += sums ? used * tables_.loop[a * kWidth + b] : used;
    }
  for (const Strip& strip : strips_)
    for (std::size_t k = 0; k < kWidth && kinds_ > 1; ++k)
      if (strip.behind_i)
        uses.loop[strip.fixed * kWidth + k] += strip.sums[kWidth - 1 - k];
      else
        uses.loop[k * kWidth + strip.fixed] += strip.sums[k];
  return !sums || largest <= total * std::ldexp(1.0, static_cast<int>(kOutsideBits));
}

}  // namespace hinge
