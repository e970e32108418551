#include "hinge/inference/pair_cells.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/kernels.h"
#include "hinge/core/log_sum.h"
#include "hinge/inference/best_derivations.h"
#include "hinge/inference/pair_rows.h"

namespace hinge {
namespace {

using pair_rows::Cells;
using pair_rows::ColumnGaps;
using pair_rows::Loops;
using pair_rows::RowGaps;

constexpr double kLog2 = 0.6931471805599453;

// Sums of exponentials lose what falls below 2^-1022 of a row's unit. A row's largest number is kept within
// 2^±kDrift of the unit, and the factors of a gap within 2^±kGapBits each, two of them at a time. What a row loses is below
// n · 2^(−1022 + kDrift + 4 kGapBits) of the row's largest number; what could have followed it is at most the
// largest of what follows the row, so that, relative to the value, a row loses less than n · 2^(−1022 + 2 kDrift + 4
// kGapBits + kShareBits) where the product of both largest numbers is below 2^kShareBits times the value.
constexpr int kDrift = 64, kGapBits = 100, kShareBits = 300;

const Loops& loops_of(bool hard, bool logarithms) {
  return hard ? pair_rows::kMaximum : logarithms ? pair_rows::kLogarithm : pair_rows::kSum;
}

}  // namespace

double PairCells::memory(std::size_t m, std::size_t n) {
  const double width = static_cast<double>(kernels::padded(n + 1)), rows = static_cast<double>(m + 1);
  const double kept = rows * width <= kCells ? rows * 4 : 4 * std::ceil(std::sqrt(rows)) * 2;
  return 8 * width * (kept + 16);
}

double PairCells::memory_of_list(std::size_t m, std::size_t n) {
  return 8 * static_cast<double>(kernels::padded(n + 1)) * (4 * static_cast<double>(m + 1) + 16);
}

// Whether the mode can serve the scores, as far as is seen here.
bool PairCells::prepare(const Scores& scores, Mode mode, double temperature) {
  const std::size_t m = scores.m(), n = scores.n();
  mode_ = mode;
  temperature_ = mode == Mode::max ? 1 : temperature;
  width_ = kernels::padded(n + 1);
  row_size_ = 4 * width_;
  block_size_ = (m + 1) * width_ <= kept_cells_
                    ? m + 1
                    : std::max<std::size_t>(
                          2, static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(m + 1)))));
  block_.resize(block_size_ * row_size_);
  kept_.resize((m / block_size_) * 3 * width_);
  shift_.assign(m, 0.0);
  exponent_.assign(m + 1, 0);
  const GapParts &x = scores.gaps(AlignedSide::x), &z = scores.gaps(AlignedSide::z);
  bool moderate = true;
  const auto convert = [&](const Vector& from, Vector& to, bool exponential) {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      const double v = from[k] / temperature_;
      moderate = moderate && (v == kForbidden || std::abs(v) <= kGapBits * kLog2);
      to[k] = exponential ? std::exp(v) : v;
    }
  };
  const bool sums = mode == Mode::sum;
  if (scores.local()) {
    Vector &before = start_, &behind = stop_;
    before.assign(m + 1, 0.0);
    behind.assign(m + 1, 0.0);
    for (std::size_t i = 0; i < m; ++i) before[i + 1] = before[i] + scores.skip()[i];
    for (std::size_t i = m; i-- > 0;) behind[i] = behind[i + 1] + scores.skip()[i];
    total_ = before[m] / temperature_;
    convert(before, before, sums);
    convert(behind, behind, sums);
  }
  convert(x.open_at, column_[0], sums);
  convert(x.extend_at, column_[1], sums);
  convert(z.open, column_[2], sums);
  convert(z.extend, column_[3], sums);
  convert(x.open, line_[0], false);  // the row's shift comes first
  convert(x.extend, line_[1], false);
  convert(z.open_at, line_[2], sums);
  convert(z.extend_at, line_[3], sums);
  return !sums || moderate;
}

namespace {

ColumnGaps columns_of(const Vector (&column)[4]) {
  return {column[0].data(), column[1].data(), column[2].data(), column[3].data()};
}

// Of a row at place `place`, to which letter `place` − 1 of x leads or which letter `letter` leaves.
RowGaps gaps_of(const Vector (&line)[4], bool sums, double shift, std::size_t letter, std::size_t place) {
  const bool some = letter < line[0].size();
  double open = some ? line[0][letter] - shift : kForbidden,
         extend = some ? line[1][letter] - shift : kForbidden;
  if (sums) {
    open = std::exp(open);
    extend = std::exp(extend);
  }
  return {open, extend, line[2][place], line[3][place]};
}

Cells cells_of(double* row, std::size_t width) { return {row, row + width, row + 2 * width}; }

}  // namespace

// The matches of letter i, and the shift of all that leads to row i + 1.
bool PairCells::make_match_row(const Scores& scores, std::size_t i, double* out) {
  scores.match_row(i, out);
  if (mode_ == Mode::max) return true;
  if (mode_ == Mode::log) {
    pair_rows::multiply(out, scores.n(), 1 / temperature_);
    return true;
  }
  const double most = pair_rows::largest(out, scores.n());
  double shift = 0;
  if (scores.local()) {
    if (most > temperature_ * kGapBits * kLog2) return false;
  } else {
    shift = std::max(most / temperature_, std::max(line_[0][i], line_[1][i]));
    if (shift == kForbidden) shift = 0;
  }
  shift_[i] = shift;
  kernels::exponential(out, out, scores.stride(), shift * temperature_, 1 / temperature_);
  return true;
}

// Divides a row of sums by a power of two where it drifts. What starts in a row of a local alignment is 1 there, so
// that those are never made larger. False where there is nothing left.
bool PairCells::normalise(double* row, int before, int& exponent) {
  const std::size_t count = column_[0].size();
  exponent = before;
  double most = 0;
  for (std::size_t k = 0; k < 3; ++k) most = std::max(most, pair_rows::largest(row + k * width_, count));
  if (!(most > 0) || !std::isfinite(most)) return false;
  const int drift = std::ilogb(most);
  if (std::abs(drift) <= kDrift) return true;
  if (drift < -kGapBits * 4) return false;
  exponent += drift;
  for (std::size_t k = 0; k < 3; ++k) pair_rows::multiply(row + k * width_, count, std::ldexp(1.0, -drift));
  return true;
}

// Row i + 1 from row i, which stands in the block or, at the end of one, among those that are kept.
bool PairCells::advance(const Scores& scores, std::size_t i) {
  const std::size_t n = scores.n();
  const Loops& loops = loops_of(mode_ == Mode::max, mode_ == Mode::log);
  double* match = nullptr;
  double* from = nullptr;
  if (i + 1 == first_) {
    amounts_.resize(std::max(amounts_.size(), 6 * width_));
    match = amounts_.data();
    from = kept_.data() + (i / block_size_) * 3 * width_;
  } else {
    from = block_row(i);
    match = from + 3 * width_;
  }
  if (!make_match_row(scores, i, match)) return false;
  const bool sums = mode_ == Mode::sum;
  double start = loops.zero;
  if (scores.local()) start = sums ? std::ldexp(start_[i], -exponent_[i]) : start_[i];
  double* to = block_row(i + 1);
  loops.forward(cells_of(from, width_), cells_of(to, width_), match,
                gaps_of(line_, sums, shift_[i], i, i + 1), columns_of(column_), n, start);
  if (!sums) return true;
  if (scores.local()) {  // never smaller units than that of what starts
    const double most = pair_rows::largest(to, n + 1);
    exponent_[i + 1] = exponent_[i];
    return most < std::ldexp(1.0, kDrift) ? std::isfinite(most)
                                          : normalise(to, exponent_[i], exponent_[i + 1]);
  }
  return normalise(to, exponent_[i], exponent_[i + 1]);
}

// Row 0.
bool PairCells::begin(const Scores& scores) {
  const Loops& loops = loops_of(mode_ == Mode::max, mode_ == Mode::log);
  first_ = 0;
  const Cells row = cells_of(block_row(0), width_);
  std::fill(row.m, row.m + 3 * width_, loops.zero);
  if (scores.local()) return true;
  row.m[0] = loops.one;
  loops.scan(row, gaps_of(line_, mode_ == Mode::sum, 0, 0, 0), columns_of(column_), scores.n());
  return mode_ != Mode::sum || normalise(row.m, 0, exponent_[0]);
}

bool PairCells::forward(const Scores& scores) {
  const std::size_t m = scores.m(), n = scores.n();
  if (!begin(scores)) return false;
  end_i_ = end_j_ = 0;
  for (std::size_t i = 0; i < m; ++i) {
    if ((i + 1) % block_size_ == 0) {
      std::copy_n(block_row(i), 3 * width_, kept_.data() + (i / block_size_) * 3 * width_);
      first_ = i + 1;
    }
    if (!advance(scores, i)) return false;
    if (!scores.local()) continue;
    const double* row = block_row(i + 1);
    if (mode_ == Mode::max) {
      const double most = pair_rows::largest(row, n + 1);
      if (most + stop_[i + 1] <= total_) continue;
      total_ = most + stop_[i + 1];
      end_i_ = i + 1;
      end_j_ = static_cast<std::size_t>(std::find(row, row + n + 1, most) - row);
    } else if (mode_ == Mode::log) {
      for (std::size_t j = 0; j <= n; ++j) total_ = log_sum(total_, row[j] + stop_[i + 1]);
    } else {
      double sum = 0;
      for (std::size_t j = 0; j <= n; ++j) sum += row[j];
      total_ = log_sum(total_, std::log(sum * stop_[i + 1]) + exponent_[i + 1] * kLog2);
    }
  }
  if (scores.local()) return mode_ != Mode::sum || total_ != kForbidden;
  const Cells end = cells_of(block_row(m), width_);
  const double last[] = {end.m[n], end.x[n], end.z[n]};
  if (mode_ == Mode::sum) {
    sum_of_shifts_ = 0;
    for (const double shift : shift_) sum_of_shifts_ += shift;
    const double sum = last[0] + last[1] + last[2];
    if (!(sum > 0)) return false;
    total_ = std::log(sum) + exponent_[m] * kLog2 + sum_of_shifts_;
  } else {
    total_ = smooth_max(last, mode_ == Mode::max ? 0 : 1);
  }
  return true;
}

// The rows of a block, made again from the last row before it.
void PairCells::load(const Scores& scores, std::size_t block) {
  const std::size_t m = scores.m(), end = std::min((block + 1) * block_size_, m + 1);
  first_ = block * block_size_;
  if (block == 0)
    begin(scores);
  else
    advance(scores, first_ - 1);
  for (std::size_t i = first_; i + 1 < end; ++i) advance(scores, i);
  if (end <= m) make_match_row(scores, end - 1, block_row(end - 1) + 3 * width_);
}

void PairCells::trace_back(const Scores& scores, Counts& counts) {
  const bool local = scores.local();
  const GapParts &gx = scores.gaps(AlignedSide::x), &gz = scores.gaps(AlignedSide::z);
  std::size_t i = local ? end_i_ : scores.m(), j = local ? end_j_ : scores.n();
  if (total_ == kForbidden || i + j == 0) return;
  const auto at = [&](std::size_t row) {
    if (row < first_) load(scores, row / block_size_);
    return cells_of(block_row(row), width_);
  };
  const auto best = [](double pair, double x, double z) {
    return pair >= x && pair >= z ? kPair : x >= z ? kX : kZ;
  };
  if (i < first_ || i >= first_ + block_size_) load(scores, i / block_size_);
  Cells here = at(i);
  State state = local ? kPair : best(here.m[j], here.x[j], here.z[j]);
  while (i + j > 0) {
    if (state == kPair) {
      counts.partners_[--i] = static_cast<int>(--j);
      here = at(i);
      const double most = std::max({here.m[j], here.x[j], here.z[j]});
      if (local && most <= start_[i]) return;
      state = best(here.m[j], here.x[j], here.z[j]);
    } else if (state == kX) {
      here = at(--i);
      state = here.m[j] + gx.of(i, j, true) >= here.x[j] + gx.of(i, j, false) ? kPair : kX;
    } else {
      --j;
      const double open = gz.of(j, i, true);
      state = best(here.m[j] + open, here.x[j] + open, here.z[j] + gz.of(j, i, false));
    }
  }
}

// States of cells as nodes, and the steps that lead to them as edges, each with its node's name. Local alignments end
// in one row, which is a node too, and there in one cell.
struct PairCells::Graph {
  const PairCells& cells;
  const Scores& scores;
  std::size_t m = scores.m(), n = scores.n();

  std::size_t node(State state, std::size_t i, std::size_t j) const { return (i * (n + 1) + j) * 3 + state; }
  std::size_t root() const { return (m + 1) * (n + 1) * 3; }
  std::size_t row(std::size_t i) const { return root() + 1 + i; }
  bool is_pair(std::size_t node) const { return node < root() && node % 3 == kPair && node / 3 > n; }
  std::pair<std::size_t, std::size_t> cell(std::size_t node) const {
    return {node / 3 / (n + 1), node / 3 % (n + 1)};
  }

  double best(std::size_t at) const {
    if (at == root()) return cells.total_;
    if (at > root()) return pair_rows::largest(cells.block_row(at - row(0)), n + 1);
    const auto [i, j] = cell(at);
    return cells.block_row(i)[at % 3 * cells.width_ + j];
  }
  template <class F>
  void for_each_edge(std::size_t at, F&& f) const {
    const auto from = [&](State state, std::size_t i, std::size_t j, double score) {
      f(HyperEdge{score, node(state, i, j), kNoChild, at});
    };
    if (at == root()) return for_each_end(f);
    if (at > root()) {
      for (std::size_t j = 1; j <= n; ++j) from(kPair, at - row(0), j, 0);
      return;
    }
    const auto [i, j] = cell(at);
    const GapParts &gx = scores.gaps(AlignedSide::x), &gz = scores.gaps(AlignedSide::z);
    switch (at % 3) {
      case kPair: {
        if (i == 0 || j == 0) {
          if (i + j == 0 && !scores.local()) f(HyperEdge{0, kNoChild, kNoChild, at});
          break;
        }
        const double match = cells.block_row(i - 1)[3 * cells.width_ + j - 1];
        if (scores.local()) f(HyperEdge{match + cells.start_[i - 1], kNoChild, kNoChild, at});
        for (const State state : {kPair, kX, kZ}) from(state, i - 1, j - 1, match);
        break;
      }
      case kX:
        if (i == 0) break;
        from(kPair, i - 1, j, gx.of(i - 1, j, true));
        from(kX, i - 1, j, gx.of(i - 1, j, false));
        break;
      default:
        if (j == 0) break;
        from(kPair, i, j - 1, gz.of(j - 1, i, true));
        from(kX, i, j - 1, gz.of(j - 1, i, true));
        from(kZ, i, j - 1, gz.of(j - 1, i, false));
    }
  }
  template <class F>
  void for_each_end(F&& f) const {
    if (!scores.local()) {
      for (const State state : {kPair, kX, kZ}) f(HyperEdge{0, node(state, m, n), kNoChild, root()});
      return;
    }
    f(HyperEdge{cells.start_[m], kNoChild, kNoChild, root()});
    for (std::size_t i = 1; i <= m; ++i) f(HyperEdge{cells.stop_[i], row(i), kNoChild, root()});
  }
};

std::vector<std::pair<Partners, double>> PairCells::top(const Scores& scores, std::size_t k) {
  PairCells cells(static_cast<std::size_t>(-1));
  cells.prepare(scores, Mode::max, 0);
  cells.forward(scores);
  const Graph graph{cells, scores};
  std::vector<std::pair<Partners, double>> result;
  for (const auto& [nodes, score] : BestDerivations(graph)(k)) {
    Partners s(scores.m(), kGap);
    for (const std::size_t node : nodes)
      if (graph.is_pair(node)) {
        const auto [i, j] = graph.cell(node);
        s[i - 1] = static_cast<int>(j) - 1;
      }
    result.emplace_back(std::move(s), score);
  }
  return result;
}

void PairCells::pour_row(const Scores& scores, std::size_t i, Counts& counts) {
  const std::size_t m = scores.m(), n = scores.n();
  const double* match = amounts_.data();
  GapParts &x = counts.gaps_[0], &z = counts.gaps_[1];
  z.open_at[i] += pair_rows::add_to(z.open.data(), match + 3 * width_, n);
  z.extend_at[i] += pair_rows::add_to(z.extend.data(), match + 4 * width_, n);
  if (i == m) return;
  x.open[i] += pair_rows::add_to(x.open_at.data(), match + width_, n + 1);
  x.extend[i] += pair_rows::add_to(x.extend_at.data(), match + 2 * width_, n + 1);
  for (const Index r : scores.rows_of(i))
    if (r != 0) pair_rows::add_rows(counts.profile_.data() + r * counts.stride_, match, n);
  for (std::size_t j = n; j-- > 0;)
    if (match[j] >= PairProbability::kListed) counts.pairs_.push_back({i, j, match[j]});
}

// Backward over all rows; false where sums of exponentials may have lost something.
bool PairCells::count(const Scores& scores, Counts& counts) {
  const std::size_t m = scores.m(), n = scores.n();
  const bool sums = mode_ == Mode::sum, local = scores.local();
  const Loops& loops = loops_of(false, mode_ == Mode::log);
  back_.resize(8 * width_);
  amounts_.resize(6 * width_);
  double *behind = back_.data(), *own = behind + 3 * width_, *diagonal = own + 3 * width_;
  double* const nothing = diagonal + width_;
  std::fill(behind, behind + 3 * width_, loops.zero);
  std::fill(nothing, nothing + width_, loops.zero);
  const pair_rows::Amounts amounts = {amounts_.data(), amounts_.data() + width_, amounts_.data() + 2 * width_,
                                      amounts_.data() + 3 * width_, amounts_.data() + 4 * width_};
  int exponent = 0;
  for (std::size_t i = m + 1; i-- > 0;) {
    if (i < first_) load(scores, i / block_size_);
    const double* match = i == m ? nothing : block_row(i) + 3 * width_;
    const RowGaps gaps = gaps_of(line_, sums, i < m ? shift_[i] : 0, i, i);
    const double corner = i == m && !local ? loops.one : loops.zero;
    const double stop = !local ? loops.zero : sums ? std::ldexp(stop_[i], -exponent) : stop_[i];
    loops.backward(cells_of(behind, width_), cells_of(own, width_), match, gaps, columns_of(column_), n, stop,
                   corner, diagonal);
    double share = -total_, start = local ? start_[i] : loops.zero;
    if (sums) {
      const double logarithm = (exponent_[i] + exponent) * kLog2 + (local ? 0 : sum_of_shifts_) - total_;
      if (logarithm > kShareBits * kLog2) return false;
      share = std::exp(logarithm);
      if (local) start = std::ldexp(start_[i], -exponent_[i]);
    }
    loops.amounts(cells_of(block_row(i), width_), cells_of(behind, width_), own + 2 * width_, diagonal, gaps,
                  columns_of(column_), n, start, share, amounts);
    pour_row(scores, i, counts);
    if (sums) {
      double most = 0;
      for (std::size_t k = 0; k < 3; ++k) most = std::max(most, pair_rows::largest(own + k * width_, n + 1));
      if (!std::isfinite(most) || most == 0) return false;
      if (most > std::ldexp(1.0, kDrift) || !local)
        if (!normalise(own, exponent, exponent)) return false;
    }
    std::swap(behind, own);
  }
  std::ranges::reverse(counts.pairs_);
  return true;
}

bool PairCells::sum(const Scores& scores, Mode mode, double temperature, Counts& counts, double& value) {
  counts.shape(scores, false);
  if (!prepare(scores, mode, temperature) || !forward(scores)) return false;
  value = temperature * total_;
  return value == kForbidden || count(scores, counts);
}

double PairCells::maximise(const Scores& scores, Counts& counts) {
  counts.shape(scores, true);
  prepare(scores, Mode::max, 0);
  forward(scores);
  trace_back(scores, counts);
  return total_;
}

double PairCells::sum(const Scores& scores, double temperature, Counts& counts) {
  double value = kForbidden;
  if (!sum(scores, Mode::sum, temperature, counts, value)) sum(scores, Mode::log, temperature, counts, value);
  return value;
}

double PairCells::search(const Scores& scores, double temperature, Counts& counts) {
  answer_.way = kSearch;
  if (maximise(scores, counts) == kForbidden) return kForbidden;
  if (PairSearch::serves(scores.m(), scores.n())) {
    answer_.exact = search_.solve(scores, temperature, anchors_);
  } else {
    anchors_ = counts.partners_;
    PairSearch::leave_anchors(scores, anchors_);
    answer_.exact = false;
  }
  kept_scores_ = scores;
  const double added = PairSearch::keep(anchors_, kept_scores_);
  maximise(kept_scores_, counts);
  anchors_ = counts.partners_;
  const double value = sum(kept_scores_, temperature, counts) + added;
  counts.partners_ = anchors_;
  return value;
}

double PairCells::solve(const Scores& scores, double output_temperature, double latent_temperature,
                        Counts& counts) {
  answer_ = {};
  if (searches(scores, output_temperature, latent_temperature))
    return search(scores, latent_temperature, counts);
  return output_temperature == 0 ? maximise(scores, counts) : sum(scores, output_temperature, counts);
}

std::vector<int> PairCells::outputs(const Scores& scores, const Partners& s) {
  constexpr int kHidden = -2;
  const std::size_t m = scores.m();
  std::vector<int> shown(m + scores.n(), kGap);
  for (std::size_t i = 0; i < m; ++i) {
    shown[i] = s[i];
    if (s[i] >= 0) shown[m + static_cast<std::size_t>(s[i])] = static_cast<int>(i);
  }
  for (std::size_t k = 0; k < shown.size(); ++k)
    if (scores.hidden(k < m ? AlignedSide::x : AlignedSide::z, k < m ? k : k - m)) shown[k] = kHidden;
  return shown;
}

// Pairs are chosen, k of each side: Σ_k C(m, k) C(n, k) = C(m + n, m).
double PairCells::structures(const Scores& scores) {
  double count = 1;
  for (std::size_t k = 1; k <= scores.m(); ++k)
    count *= static_cast<double>(scores.n() + k) / static_cast<double>(k);
  return count;
}

void PairCells::for_each_structure(const Scores& scores, const std::function<void(const Partners&)>& f) {
  Partners s(scores.m(), kGap);
  const std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t i, std::size_t j) {
    if (i == s.size()) return f(s);
    s[i] = kGap;
    extend(i + 1, j);
    for (std::size_t k = j; k < scores.n(); ++k) {
      s[i] = static_cast<int>(k);
      extend(i + 1, k + 1);
    }
    s[i] = kGap;
  };
  extend(0, 0);
}

}  // namespace hinge
