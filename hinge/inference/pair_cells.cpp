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

const Loops& loops_of(bool hard) { return hard ? pair_rows::kMaximum : pair_rows::kLogarithm; }

}  // namespace

double PairCells::memory(std::size_t m, std::size_t n) {
  const std::size_t width = kernels::padded(n + 1), rows = m + 1, size = PairSums::row_size(n);
  const std::size_t kept = rows * width <= kCells ? rows : 2 * PairRoom::root(rows);
  return 8 * static_cast<double>(kept * size + 16 * width);
}

double PairCells::memory_of_list(std::size_t m, std::size_t n) {
  return 8 * static_cast<double>(kernels::padded(n + 1)) * (4 * static_cast<double>(m + 1) + 16);
}

void PairCells::prepare(const Scores& scores, Mode mode, double temperature) {
  const std::size_t m = scores.m(), n = scores.n();
  mode_ = mode;
  temperature_ = mode == Mode::max ? 1 : temperature;
  width_ = kernels::padded(n + 1);
  room_.shape(m + 1, 4 * width_, 3 * width_, keeps_all(scores));
  const GapParts &x = scores.gaps(AlignedSide::x), &z = scores.gaps(AlignedSide::z);
  const auto convert = [&](const Vector& from, Vector& to) {
    to.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = from[k] / temperature_;
  };
  total_ = kForbidden;
  if (scores.local()) {
    Vector &before = start_, &behind = stop_;
    before.assign(m + 1, 0.0);
    behind.assign(m + 1, 0.0);
    for (std::size_t i = 0; i < m; ++i) before[i + 1] = before[i] + scores.skip()[i];
    for (std::size_t i = m; i-- > 0;) behind[i] = behind[i + 1] + scores.skip()[i];
    total_ = before[m] / temperature_;
    convert(before, before);
    convert(behind, behind);
  }
  convert(x.open_at, column_[0]);
  convert(x.extend_at, column_[1]);
  convert(z.open, column_[2]);
  convert(z.extend, column_[3]);
  convert(x.open, line_[0]);
  convert(x.extend, line_[1]);
  convert(z.open_at, line_[2]);
  convert(z.extend_at, line_[3]);
}

namespace {

ColumnGaps columns_of(const Vector (&column)[4]) {
  return {column[0].data(), column[1].data(), column[2].data(), column[3].data()};
}

// Of a row at place `place`, to which letter `place` − 1 of x leads or which letter `letter` leaves.
RowGaps gaps_of(const Vector (&line)[4], std::size_t letter, std::size_t place) {
  const bool some = letter < line[0].size();
  return {some ? line[0][letter] : kForbidden, some ? line[1][letter] : kForbidden, line[2][place],
          line[3][place]};
}

Cells cells_of(double* row, std::size_t width) { return {row, row + width, row + 2 * width}; }

}  // namespace

void PairCells::make_match_row(const Scores& scores, std::size_t i, double* out) {
  scores.match_row(i, out);
  if (mode_ == Mode::log) pair_rows::multiply(out, scores.n(), 1 / temperature_);
}

// Row i + 1 from row i.
void PairCells::advance(const Scores& scores, std::size_t i) {
  const Loops& loops = loops_of(mode_ == Mode::max);
  double* const from = room_.leading(i);
  amounts_.resize(std::max(amounts_.size(), 6 * width_));
  double* const match = room_.ends_before(i) ? amounts_.data() : from + 3 * width_;
  make_match_row(scores, i, match);
  loops.forward(cells_of(from, width_), cells_of(room_.row(i + 1), width_), match, gaps_of(line_, i, i + 1),
                columns_of(column_), scores.n(), scores.local() ? start_[i] : loops.zero);
}

// Row 0.
void PairCells::begin(const Scores& scores) {
  const Loops& loops = loops_of(mode_ == Mode::max);
  const Cells row = cells_of(room_.row(0), width_);
  std::fill(row.m, row.m + 3 * width_, loops.zero);
  if (scores.local()) return;
  row.m[0] = loops.one;
  loops.scan(row, gaps_of(line_, scores.m(), 0), columns_of(column_), scores.n());
}

void PairCells::forward(const Scores& scores) {
  const std::size_t m = scores.m(), n = scores.n();
  begin(scores);
  end_i_ = end_j_ = 0;
  for (std::size_t i = 0; i < m; ++i) {
    room_.pass(i);
    advance(scores, i);
    if (!scores.local()) continue;
    const double* row = room_.row(i + 1);
    if (mode_ == Mode::log) {
      for (std::size_t j = 0; j <= n; ++j) total_ = log_sum(total_, row[j] + stop_[i + 1]);
      continue;
    }
    const double most = pair_rows::largest(row, n + 1);
    if (most + stop_[i + 1] <= total_) continue;
    total_ = most + stop_[i + 1];
    end_i_ = i + 1;
    end_j_ = static_cast<std::size_t>(std::find(row, row + n + 1, most) - row);
  }
  if (scores.local()) return;
  const Cells end = cells_of(room_.row(m), width_);
  const double last[] = {end.m[n], end.x[n], end.z[n]};
  total_ = smooth_max(last, mode_ == Mode::max ? 0 : 1);
}

void PairCells::load(const Scores& scores, std::size_t i) {
  room_.load(
      i, [&] { begin(scores); }, [&](std::size_t k) { advance(scores, k); },
      [&](std::size_t k) { make_match_row(scores, k, room_.row(k) + 3 * width_); });
}

void PairCells::trace_back(const Scores& scores, Counts& counts) {
  const bool local = scores.local();
  const GapParts &gx = scores.gaps(AlignedSide::x), &gz = scores.gaps(AlignedSide::z);
  std::size_t i = local ? end_i_ : scores.m(), j = local ? end_j_ : scores.n();
  if (total_ == kForbidden || i + j == 0) return;
  const auto at = [&](std::size_t row) {
    if (!room_.has(row)) load(scores, row);
    return cells_of(room_.row(row), width_);
  };
  const auto best = [](double pair, double x, double z) {
    return pair >= x && pair >= z ? kPair : x >= z ? kX : kZ;
  };
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
    if (at > root()) return pair_rows::largest(cells.room_.row(at - row(0)), n + 1);
    const auto [i, j] = cell(at);
    return cells.room_.row(i)[at % 3 * cells.width_ + j];
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
        const double match = cells.room_.row(i - 1)[3 * cells.width_ + j - 1];
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

bool PairCells::list(const Scores& scores, std::size_t k, double room, const Keep& f) {
  PairCells cells(static_cast<std::size_t>(-1));
  cells.prepare(scores, Mode::max, 0);
  cells.forward(scores);
  const Graph graph{cells, scores};
  return BestDerivations(graph).list(k, room, [&](const std::vector<std::size_t>& nodes, double score) {
    Partners s(scores.m(), kGap);
    for (const std::size_t node : nodes)
      if (graph.is_pair(node)) {
        const auto [i, j] = graph.cell(node);
        s[i - 1] = static_cast<int>(j) - 1;
      }
    return f(std::move(s), score);
  });
}

std::vector<std::pair<Partners, double>> PairCells::top(const Scores& scores, std::size_t k) {
  std::vector<std::pair<Partners, double>> result;
  list(scores, k, kAnyRoom, [&](Partners&& s, double score) {
    result.emplace_back(std::move(s), score);
    return 0.0;
  });
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

// Backward over all rows.
void PairCells::count(const Scores& scores, Counts& counts) {
  const std::size_t m = scores.m(), n = scores.n();
  const bool local = scores.local();
  const Loops& loops = pair_rows::kLogarithm;
  back_.resize(8 * width_);
  double *behind = back_.data(), *own = behind + 3 * width_, *diagonal = own + 3 * width_;
  double* const nothing = diagonal + width_;
  std::fill(behind, behind + 3 * width_, loops.zero);
  std::fill(nothing, nothing + width_, loops.zero);
  amounts_.resize(std::max(amounts_.size(), 6 * width_));
  const pair_rows::Amounts amounts = {amounts_.data(), amounts_.data() + width_, amounts_.data() + 2 * width_,
                                      amounts_.data() + 3 * width_, amounts_.data() + 4 * width_};
  for (std::size_t i = m + 1; i-- > 0;) {
    if (!room_.has(i)) load(scores, i);
    const double* match = i == m ? nothing : room_.row(i) + 3 * width_;
    const RowGaps gaps = gaps_of(line_, i, i);
    loops.backward(cells_of(behind, width_), cells_of(own, width_), match, gaps, columns_of(column_), n,
                   local ? stop_[i] : loops.zero, i == m && !local ? loops.one : loops.zero, diagonal);
    loops.amounts(cells_of(room_.row(i), width_), cells_of(behind, width_), own + 2 * width_, diagonal, gaps,
                  columns_of(column_), n, local ? start_[i] : loops.zero, -total_, amounts);
    pour_row(scores, i, counts);
    std::swap(behind, own);
  }
  std::ranges::reverse(counts.pairs_);
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
  by_logarithms_ = !sums_.solve(scores, temperature, keeps_all(scores), room_, counts, value);
  if (!by_logarithms_) return value;
  counts.shape(scores, false);
  prepare(scores, Mode::log, temperature);
  forward(scores);
  if (total_ != kForbidden) count(scores, counts);
  return temperature_ * total_;
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
