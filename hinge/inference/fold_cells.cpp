#include "hinge/inference/fold_cells.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/best_derivations.h"

namespace hinge {
namespace {

using fold_loops::Run;
using fold_loops::Window;

constexpr std::size_t kWidth = fold_loops::kWidth, kClasses = FoldTables::kClasses;
constexpr double kLog2 = 0.6931471805599453;

// Sums of exponentials lose what is below 2^-1022. A number that was lost inside could have met what is outside of it, times
// two parts of 2^±kPartBits each: where the largest number outside is below 2^kOutsideBits times the value, all that n³ lost
// numbers add is below n³ 2^-122 of the value.
constexpr double kOutsideBits = 500, kPartBits = 200;

double log_plus(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return low == kForbidden ? high : high + std::log1p(std::exp(low - high));
}

}  // namespace

double FoldCells::plus(double a, double b) const {
  return mode_ == Mode::max ? std::max(a, b) : mode_ == Mode::sum ? a + b : log_plus(a, b);
}

double FoldCells::pair_score(const Scores& scores, std::size_t i, std::size_t j) const {
  const double score = tables_.pair[FoldScores::type(scores.in(i, j))];
  const FoldScores::Bonus& bonus = scores.bonuses;
  if (bonus.favoured.empty()) return score;
  if (bonus.favoured[i] == static_cast<int>(j)) return times(score, right_);
  return bonus.judged[i] != 0 || bonus.judged[j] != 0 ? times(score, wrong_) : score;
}

double FoldCells::hairpin(const Scores& scores, std::size_t i, std::size_t j) const {
  const std::size_t letters = j - i - 1;
  if (free_behind_[i] < letters) return loops_->zero;
  double score =
      times(tables_.hairpin[scores.in(i, j)], tables_.hairpin_length[std::min(letters, kWidth - 1)]);
  if (letters >= kWidth && per_letter_ != 0) {
    const double beyond = -per_letter_ * static_cast<double>(letters - (kWidth - 1));
    score = times(score, mode_ == Mode::sum ? std::exp(beyond) : beyond);
  }
  return scores.specials == nullptr ? score : times(score, special(scores.specials->hairpin(scores, i, j)));
}

double FoldCells::small_score(const Scores& scores, const Small& small, std::size_t i, std::size_t j) const {
  const auto [a, b, loop] = small;
  const std::size_t k = i + 1 + a, l = j - 1 - b;
  if (i + a + b + 3 > j || scores.in(k, l) == FoldScores::kNoPair || free_behind_[i] < a ||
      free_before_[j] < b)
    return loops_->zero;
  const std::uint8_t in = scores.in(i, j);
  if (a + b == 1)
    return times(
        loop,
        tables_.bulge_stack[FoldScores::type(in) * FoldTables::kTypes + FoldScores::type(scores.in(k, l))]);
  const double score = a + b == 2 ? times(loop, tables_.one_one[in]) : loop;
  return scores.specials == nullptr ? score
                                    : times(score, special(scores.specials->loop(scores, i, j, k, l)));
}

Run FoldCells::run_inside(const Strip& strip, const Window& w) const {
  const auto& [kind, fixed, behind_i, forward, reversed, sums] = strip;
  const double* cells = w_[kind].data();
  if (fixed > (behind_i ? w.most_a : w.most_b) || w.i + fixed + 3 > w.j) return {};
  const std::size_t count =
      std::min({w.longest - fixed + 1, (behind_i ? w.most_b : w.most_a) + 1, w.j - w.i - 2 - fixed});
  if (behind_i)
    return {cells + (w.i + 1 + fixed) * n_ + w.j - count, reversed.data() + kWidth - count, count};
  return {cells + (w.j - 1 - fixed) * n_ + w.i + 1, forward.data(), count};
}

Run FoldCells::run_around(const Strip& strip, const Window& w) const {
  const auto& [kind, fixed, behind_i, forward, reversed, sums] = strip;
  const double* cells = around_[kind].data();
  if (fixed > (behind_i ? w.most_a : w.most_b) || (behind_i ? fixed >= w.i : w.j + 1 + fixed >= n_))
    return {};
  const std::size_t count =
      std::min({w.longest - fixed + 1, (behind_i ? w.most_b : w.most_a) + 1, behind_i ? n_ - 1 - w.j : w.i});
  if (behind_i) return {cells + (w.i - 1 - fixed) * n_ + w.j + 1, forward.data(), count};
  return {cells + (w.j + 1 + fixed) * n_ + w.i - count, reversed.data() + kWidth - count, count};
}

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

Window FoldCells::window_inside(const Scores& scores, std::size_t i, std::size_t j) const {
  return {i,
          j,
          std::min(scores.max_loop(), free_behind_[i]),
          std::min(scores.max_loop(), free_before_[j]),
          scores.max_loop(),
          kinds_ > 1 ? std::size_t{2} : 0};
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

double FoldCells::best_at(const Place& place) const {
  const auto [kind, i, j] = place;
  switch (kind) {
    case Kind::prefix:
      return prefix_[j];
    case Kind::pair:
      return value(v_, i, j);
    case Kind::branches:
      return value(m_, i, j);
    case Kind::two:
      return value(m2_, i, j);
    case Kind::one:
      return value(m1_, i, j);
    case Kind::letters:
      return value(o_, i, j);
    case Kind::nothing:
      break;
  }
  return 0;
}

template <class F>
void FoldCells::for_each_way(const Scores& scores, const Place& place, F&& f) const {
  const auto [kind, i, j] = place;
  const Place nothing;
  switch (kind) {
    case Kind::nothing:
      break;
    case Kind::prefix:
      if (j == 0) return f(0.0, nothing, nothing);
      f(letter(scores, tables_.exterior_letter, j - 1), Place{Kind::prefix, 0, j - 1}, nothing);
      for (std::size_t k = 0; k + 1 < j; ++k)
        if (scores.in(k, j - 1) != FoldScores::kNoPair)
          f(tables_.exterior[scores.out(k, j - 1)], Place{Kind::prefix, 0, k}, Place{Kind::pair, k, j - 1});
      break;
    case Kind::pair: {
      const std::uint8_t in = scores.in(i, j);
      const double own = pair_score(scores, i, j);
      f(own + hairpin(scores, i, j), nothing, nothing);
      f(own + tables_.stack[in], Place{Kind::pair, i + 1, j - 1}, nothing);
      f(own + tables_.close[in], Place{Kind::two, i + 1, j - 1}, nothing);
      const auto loop = [&](std::size_t a, std::size_t b, double score) {
        const std::size_t k = i + 1 + a, l = j - 1 - b, own_kind = scores.kind(a, b) * kClasses;
        if (score != kForbidden && scores.in(k, l) != FoldScores::kNoPair)
          f(own + tables_.outer[own_kind + in] + score + tables_.inner[own_kind + scores.out(k, l)],
            Place{Kind::pair, k, l}, nothing);
      };
      for (const Small& small : smalls_)
        if (const double score = small_score(scores, small, i, j); score != kForbidden)
          loop(small.a, small.b, score);
      const Window w = window_inside(scores, i, j);
      const auto strip_score = [&](std::size_t a, std::size_t b) {
        double score = kForbidden;
        for (const Strip& strip : strips_)
          if ((strip.behind_i ? a : b) == strip.fixed)
            score = std::max(score, strip.forward[strip.behind_i ? b : a]);
        return score;
      };
      for (std::size_t a = 0; a <= w.most_a && i + a + 3 <= j; ++a)
        for (std::size_t b = 0; b <= w.most_b && a + b <= w.longest && i + a + b + 3 <= j; ++b)
          loop(a, b, kinds_ > 1 && std::min(a, b) < 2 ? strip_score(a, b) : tables_.loop[a * kWidth + b]);
      break;
    }
    case Kind::branches:
      f(0.0, Place{Kind::two, i, j}, nothing);
      f(0.0, Place{Kind::letters, i, j}, nothing);
      break;
    case Kind::two:
      for (std::size_t k = i + 1; k < j; ++k) f(0.0, Place{Kind::branches, i, k - 1}, Place{Kind::one, k, j});
      break;
    case Kind::letters:
      f(0.0, Place{Kind::one, i, j}, nothing);
      f(letter(scores, tables_.multi_letter, i), Place{Kind::letters, i + 1, j}, nothing);
      break;
    case Kind::one:
      f(letter(scores, tables_.multi_letter, j), Place{Kind::one, i, j - 1}, nothing);
      if (scores.in(i, j) != FoldScores::kNoPair)
        f(tables_.branch[scores.out(i, j)], Place{Kind::pair, i, j}, nothing);
      break;
  }
}

void FoldCells::trace_back(const Scores& scores, FoldPairs& fold) {
  open_.assign(1, {Kind::prefix, 0, n_});
  while (!open_.empty()) {
    const Place place = open_.back();
    open_.pop_back();
    if (place.kind == Kind::pair) {
      fold[place.i] = static_cast<int>(place.j);
      fold[place.j] = static_cast<int>(place.i);
    }
    double best = kForbidden;
    Place made_of[2];
    for_each_way(scores, place, [&](double score, const Place& first, const Place& second) {
      const double value = score + best_at(first) + best_at(second);
      if (value <= best) return;
      best = value;
      made_of[0] = first;
      made_of[1] = second;
    });
    for (const Place& next : made_of)
      if (next.kind != Kind::nothing) open_.push_back(next);
  }
}

// Places as nodes, and the ways to make them as edges, each with its node's name.
struct FoldCells::Graph {
  const FoldCells& cells;
  const Scores& scores;

  std::size_t node(const Place& p) const {
    return p.kind == Kind::nothing
               ? kNoChild
               : (static_cast<std::size_t>(p.kind) * (cells.n_ + 1) + p.i) * (cells.n_ + 1) + p.j;
  }
  Place place(std::size_t node) const {
    const std::size_t size = cells.n_ + 1;
    return {static_cast<Kind>(node / size / size), node / size % size, node % size};
  }
  std::size_t root() const { return node({Kind::prefix, 0, cells.n_}); }
  double best(std::size_t at) const { return cells.best_at(place(at)); }
  template <class F>
  void for_each_edge(std::size_t at, F&& f) const {
    cells.for_each_way(scores, place(at), [&](double score, const Place& first, const Place& second) {
      f(HyperEdge{score, node(first), node(second), at});
    });
  }
};

std::vector<std::pair<FoldPairs, double>> FoldCells::top(const Scores& scores, std::size_t k) {
  prepare(scores, Mode::max, 0, 0);
  inside(scores);
  const Graph graph{*this, scores};
  std::vector<std::pair<FoldPairs, double>> result;
  for (const auto& [nodes, score] : BestDerivations(graph)(k)) {
    FoldPairs fold(n_, kUnpaired);
    for (const std::size_t node : nodes)
      if (const auto [kind, i, j] = graph.place(node); kind == Kind::pair) {
        fold[i] = static_cast<int>(j);
        fold[j] = static_cast<int>(i);
      }
    result.emplace_back(std::move(fold), scores.constant + score);
  }
  return result;
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

void FoldCells::for_each_structure(const Scores& scores, const std::function<void(const FoldPairs&)>& f) {
  FoldPairs s(scores.n(), kUnpaired);
  const std::size_t n = scores.n();
  // Pairs the letters from i on; `ends` are the closing letters of pairs that are open, the innermost last.
  std::vector<std::size_t> ends;
  const std::function<void(std::size_t)> extend = [&](std::size_t i) {
    if (i == n) return f(s);
    if (!ends.empty() && ends.back() == i) {
      ends.pop_back();
      extend(i + 1);
      ends.push_back(i);
      return;
    }
    extend(i + 1);
    for (std::size_t j = i + 1; j < (ends.empty() ? n : ends.back()); ++j) {
      if (scores.in(i, j) == FoldScores::kNoPair) continue;
      s[i] = static_cast<int>(j);
      s[j] = static_cast<int>(i);
      ends.push_back(j);
      extend(i + 1);
      ends.pop_back();
      s[i] = s[j] = kUnpaired;
    }
  };
  extend(0);
}

double FoldCells::structures(const Scores& scores) {
  const std::size_t n = scores.n();  // all that are listed, also those with loops that are too long
  std::vector<double> count((n + 1) * (n + 1), 1.0);  // of the letters i … j − 1
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = i + 1; j <= n; ++j) {
      double sum = count[(i + 1) * (n + 1) + j];
      for (std::size_t k = i + 1; k < j; ++k)
        if (scores.in(i, k) != FoldScores::kNoPair)
          sum += count[(i + 1) * (n + 1) + k] * count[(k + 1) * (n + 1) + j];
      count[i * (n + 1) + j] = sum;
    }
  return count[n];
}

}  // namespace hinge
