#include <algorithm>
#include <cmath>
#include <utility>

#include "hinge/inference/fold_parts.h"

namespace hinge {

double FoldCells::within(const Scores& scores, std::size_t kind, std::size_t i, std::size_t j) const {
  const Window w = window_inside(scores, i, j);
  double sum = loops_->zero;
  if (kind == FoldTables::kWide) {
    sum = loops_->within(w_[kind].data(), n_, reversed_.data(), w);
  } else {
    for (const Strip& strip : strips_)
      if (strip.kind == kind) {
        const Run run = run_inside(strip, w);
        sum = plus(sum, loops_->dot(run.cells, run.table, run.count));
      }
  }
  for (const Small& small : smalls_)
    if (scores.kind(small.a, small.b) == kind)
      if (const double score = small_score(scores, small, i, j); score != loops_->zero)
        sum = plus(sum, times(score, w_[kind][(i + 1 + small.a) * n_ + j - 1 - small.b]));
  return sum;
}

// Whether the mode can serve the scores, as far as is seen here.
bool FoldCells::prepare(const Scores& scores, Mode mode, double temperature, double per_letter) {
  mode_ = mode;
  loops_ = mode == Mode::max   ? &fold_loops::kMaximum
           : mode == Mode::sum ? &fold_loops::kSum
                               : &fold_loops::kLogarithm;
  n_ = scores.n();
  kinds_ = scores.specials == nullptr ? 1 : FoldTables::kKinds;
  temperature_ = mode == Mode::max ? 1 : temperature;
  per_letter_ = per_letter;
  bool moderate = true;
  const auto converted = [&](double score) {
    moderate = moderate && (score == kForbidden || std::abs(score) <= kPartBits * kLog2);
    return mode == Mode::sum ? std::exp(score) : score;
  };
  tables_.for_both(scores.tables, [&](double& own, double score) { own = score / temperature_; });
  for (double& v : tables_.pair) v -= 2 * per_letter;
  for (std::size_t a = 0; a < kWidth; ++a) {
    tables_.hairpin_length[a] -= per_letter * static_cast<double>(a);
    for (std::size_t b = 0; b < kWidth; ++b)
      tables_.loop[a * kWidth + b] -= per_letter * static_cast<double>(a + b);
  }
  tables_.multi_letter -= per_letter;
  tables_.exterior_letter -= per_letter;
  tables_.for_both(tables_, [&](double& own, double) { own = converted(own); });
  right_ = converted(scores.bonuses.right / temperature_);
  wrong_ = converted(scores.bonuses.wrong / temperature_);
  special_ = scores.tables.special / temperature_;
  if (scores.specials != nullptr) converted(special_ * scores.specials->largest(n_));
  // Loops that are looked at in other ways are left out of the table.
  const double zero = loops_->zero;
  const auto take = [&](std::size_t a, std::size_t b) {
    return a + b <= scores.max_loop() ? std::exchange(tables_.loop[a * kWidth + b], zero) : zero;
  };
  tables_.loop[0] = zero;
  smalls_.clear();
  const auto take_small = [&](std::size_t a, std::size_t b) {
    if (a + b <= scores.max_loop()) smalls_.push_back({a, b, take(a, b)});
  };
  take_small(0, 1);
  take_small(1, 0);
  for (const auto& [a, b] : FoldSpecials::kLoops)
    if (a + b == 2 || scores.specials != nullptr) take_small(a, b);
  if (kinds_ > 1)
    for (Strip& strip : strips_)
      for (std::size_t k = 0; k < kWidth; ++k) {
        const bool own = k > strip.fixed;  // fewer: of another strip
        strip.forward[k] = own ? strip.behind_i ? take(strip.fixed, k) : take(k, strip.fixed) : zero;
        strip.reversed[kWidth - 1 - k] = strip.forward[k];
        strip.sums[k] = 0;
      }
  for (std::size_t a = 0; a < kWidth; ++a)
    for (std::size_t b = 0; b < kWidth; ++b) {
      if (a + b > scores.max_loop()) tables_.loop[a * kWidth + b] = zero;
      reversed_[a * kWidth + kWidth - 1 - b] = tables_.loop[a * kWidth + b];
    }
  free_behind_.assign(n_, 0);
  free_before_.assign(n_, 0);
  for (std::size_t i = n_; i-- > 1;) free_behind_[i - 1] = scores.must(i) ? 0 : free_behind_[i] + 1;
  for (std::size_t i = 1; i < n_; ++i) free_before_[i] = scores.must(i - 1) ? 0 : free_before_[i - 1] + 1;
  for (AlignedVector* cells : {&v_, &m_, &m1_, &m2_, &o_}) cells->assign(n_ * n_, zero);
  for (std::size_t kind = 0; kind < kinds_; ++kind) w_[kind].assign(n_ * n_, zero);
  if (mode != Mode::max) single_.assign(n_ * n_, zero);
  return mode != Mode::sum || moderate;
}

double FoldCells::inside(const Scores& scores) {
  const double zero = loops_->zero;
  for (std::size_t i = n_; i-- > 0;) {
    const double skip = letter(scores, tables_.multi_letter, i);
    for (std::size_t j = i + 1; j < n_; ++j) {
      const std::uint8_t in = scores.in(i, j);
      double v = zero;
      if (in != FoldScores::kNoPair) {
        v = plus(hairpin(scores, i, j), times(tables_.stack[in], value(v_, i + 1, j - 1)));
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
          const double single = within(scores, kind, i, j);
          if (mode_ != Mode::max && kind == FoldTables::kWide) at(single_, i, j) = single;
          v = plus(v, times(tables_.outer[kind * kClasses + in], single));
        }
        v = plus(v, times(tables_.close[in], value(m2_, i + 1, j - 1)));
        v = times(v, pair_score(scores, i, j));
        at(v_, i, j) = v;
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
          at(w_[kind], i, j) = times(v, tables_.inner[kind * kClasses + scores.out(i, j)]);
          if (kind != FoldTables::kWide) at(w_[kind], j, i) = at(w_[kind], i, j);
        }
      }
      double m1 = times(value(m1_, i, j - 1), letter(scores, tables_.multi_letter, j));
      if (in != FoldScores::kNoPair) m1 = plus(m1, times(v, tables_.branch[scores.out(i, j)]));
      at(m1_, i, j) = at(m1_, j, i) = m1;
      const double o = plus(m1, times(skip, value(o_, i + 1, j)));
      at(o_, i, j) = o;
      const double m2 = loops_->dot(m_.data() + i * n_ + i, m1_.data() + j * n_ + i + 1, j - i - 1);
      at(m2_, i, j) = m2;
      at(m_, i, j) = at(m_, j, i) = plus(m2, o);
    }
  }
  prefix_.assign(n_ + 1, zero);
  prefix_[0] = loops_->one;
  for (std::size_t j = 0; j < n_; ++j) {
    double sum = times(prefix_[j], letter(scores, tables_.exterior_letter, j));
    for (std::size_t i = 0; i < j; ++i)
      if (scores.in(i, j) != FoldScores::kNoPair)
        sum = plus(sum, times(prefix_[i], tables_.exterior[scores.out(i, j)], v_[i * n_ + j]));
    prefix_[j + 1] = sum;
  }
  return prefix_[n_];
}

bool FoldCells::sum(const Scores& scores, Mode mode, double temperature, double per_letter, Counts& counts,
                    double& value) {
  counts.uses_ = {};
  counts.pairs_.clear();
  if (!prepare(scores, mode, temperature, per_letter)) return false;
  const double total = inside(scores);
  if (mode == Mode::sum && !(total > std::ldexp(1.0, -500) && total < std::ldexp(1.0, 1000))) return false;
  value = mode == Mode::sum ? std::log(total) : total;
  value = temperature * (value + per_letter * static_cast<double>(n_));
  if (value == kForbidden) return true;
  if (!outside(scores, counts)) return false;
  // value = <counts, scores> + τ entropy. Where the entropy is no more than rounding, the first is nearer: scores may be tiny,
  // and the logarithm of what is near 1 is not.
  if (scores.bonuses.favoured.empty()) {
    double linear = 0;
    counts.uses_.for_both(scores.tables,
                          [&](double used, double score) { linear += used == 0 ? 0 : used * score; });
    if (std::abs(value - linear) < 1e-14 * temperature) value = linear;
  }
  return true;
}

double FoldCells::solve(const Scores& scores, double output_temperature, double /*latent_temperature*/,
                        Counts& counts) {
  counts.hard_ = output_temperature == 0;
  counts.scores_ = &scores;
  counts.gamma_ = scores.gamma;
  counts.fold_.assign(scores.n(), kUnpaired);
  double value = kForbidden;
  if (!counts.hard_) {
    const double n = static_cast<double>(scores.n());
    if (sum(scores, Mode::sum, output_temperature, 0, counts, value)) return scores.constant + value;
    prepare(scores, Mode::max, 0, 0);
    const double best = inside(scores), per_letter = best / n / output_temperature;
    if (best == kForbidden) return best;
    if (!sum(scores, Mode::sum, output_temperature, per_letter, counts, value))
      sum(scores, Mode::log, output_temperature, per_letter, counts,
          value);  // near 0, where logarithms are exact
    return scores.constant + value;
  }
  prepare(scores, Mode::max, 0, 0);
  value = inside(scores);
  counts.uses_ = {};
  if (value == kForbidden) return value;
  trace_back(scores, counts.fold_);
  counts.add(scores, counts.fold_, 1);
  return scores.constant + value;
}

}  // namespace hinge
