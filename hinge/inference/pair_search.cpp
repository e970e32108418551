#include "hinge/inference/pair_search.h"

#include <algorithm>
#include <cmath>

#include "hinge/core/log_sum.h"

namespace hinge {
namespace {

constexpr double kRounding = 1e-12;
constexpr std::array<double, 3> kNoState = {kForbidden, kForbidden, kForbidden};

double sum_of(const std::array<double, 3>& states) {
  return log_sum(log_sum(states[0], states[1]), states[2]);
}

bool is_anchor(const AlignmentScores& scores, std::size_t i, std::size_t j) {
  return !scores.hidden(AlignedSide::x, i) || !scores.hidden(AlignedSide::z, j);
}

}  // namespace

bool PairSearch::may_stop(std::size_t m, std::size_t n) {
  const auto rows = static_cast<double>(m + 1), columns = static_cast<double>(n + 1);
  const double all = rows * (rows + 1) / 2 * columns * (columns + 1) / 2;
  return all + std::min(rows, columns) * rows * columns > kSweeps * rows * columns;
}

void PairSearch::leave_anchors(const AlignmentScores& scores, Partners& s) {
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s[i] >= 0 && !is_anchor(scores, i, static_cast<std::size_t>(s[i]))) s[i] = kGap;
}

double PairSearch::keep(const Partners& anchors, AlignmentScores& scores) {
  GapParts& gaps = scores.gaps(AlignedSide::x);
  std::vector<char> taken(scores.n(), 0);
  double added = 0;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    if (anchors[i] < 0) {
      if (!scores.hidden(AlignedSide::x, i)) scores.bar(i) = {kForbidden, 0, 0};
      continue;
    }
    const auto j = static_cast<std::size_t>(anchors[i]);
    AlignmentScores::Bar& bar = scores.bar(i);
    if (j < bar.low || j >= bar.high) added += bar.outside;
    bar = {kForbidden, j, j + 1};
    gaps.open[i] = gaps.extend[i] = scores.skip()[i] = kForbidden;
    taken[j] = 1;
  }
  for (std::size_t j = 0; j < scores.n(); ++j)
    if (taken[j] == 0 && !scores.hidden(AlignedSide::z, j)) scores.close(j);
  return added;
}

void PairSearch::prepare(const AlignmentScores& scores, double temperature) {
  scores_ = &scores;
  m_ = scores.m();
  n_ = scores.n();
  steps_ = 0;
  const auto scale = [&](Vector& values) {
    for (double& v : values) v /= temperature;
  };
  match_.resize(m_ * scores.stride());
  for (std::size_t i = 0; i < m_; ++i) scores.match_row(i, match_.data() + i * scores.stride());
  scale(match_);
  for (const AlignedSide side : {AlignedSide::x, AlignedSide::z}) {
    GapParts& gaps = gaps_[static_cast<std::size_t>(side)];
    gaps = scores.gaps(side);
    for (Vector* part : {&gaps.open, &gaps.extend, &gaps.open_at, &gaps.extend_at}) scale(*part);
  }
  skip_before_.assign(m_ + 1, 0.0);
  skip_behind_.assign(m_ + 1, 0.0);
  for (std::size_t i = 0; i < m_; ++i) skip_before_[i + 1] = skip_before_[i] + scores.skip()[i] / temperature;
  for (std::size_t i = m_; i-- > 0;) skip_behind_[i] = skip_behind_[i + 1] + scores.skip()[i] / temperature;
  for (auto& row : row_) row.resize(n_ + 1);
  value_.assign(end(), kForbidden);
  from_.assign(end(), 0);
  value_[0] = 0;
  best_ = kForbidden;
  last_ = 0;
}

void PairSearch::make_bound() {
  behind_.resize(end());
  for (std::size_t i = m_ + 1; i-- > 0;)
    for (std::size_t j = n_ + 1; j-- > 0;) behind_[at(i, j)] = bound(i, j);
}

// Who pairs the next letters, leaves that of x opposite a gap, leaves that of z (and then pairs that of x, since gaps of x
// stand first), or ends here.
PairSearch::Cell PairSearch::bound(std::size_t i, std::size_t j) const {
  const bool x = i < m_, z = j < n_, local = scores_->local();
  const double pair =
      x && z ? match_[i * scores_->stride() + j] + behind_[at(i + 1, j + 1)][kPair] : kForbidden;
  const auto skip_x = [&](bool opens) {
    return x ? gaps_[0].of(i, j, opens) + behind_[at(i + 1, j)][kX] : kForbidden;
  };
  const auto skip_z = [&](bool opens) {
    return z ? gaps_[1].of(j, i, opens) + behind_[at(i, j + 1)][kZ] : kForbidden;
  };
  const double stop = !local && !x && !z ? 0 : kForbidden;
  const auto join = [&](double of_x, double of_z, double ends) {
    if (x && !scores_->hidden(AlignedSide::x, i)) return std::max({pair, log_sum(of_x, ends), of_z});
    const double others = sum_of({of_x, of_z, ends});
    return z && !scores_->hidden(AlignedSide::z, j) ? std::max(pair, others) : log_sum(pair, others);
  };
  return {join(skip_x(true), skip_z(true), local ? skip_behind_[i] : stop),
          join(skip_x(false), skip_z(true), stop), join(kForbidden, skip_z(false), stop)};
}

double PairSearch::promise(double value, std::size_t place, const Cell& cell) const {
  double most = kForbidden;
  for (const State s : {kPair, kX, kZ}) most = std::max(most, cell[s] + behind_[place][s]);
  return value + most;
}

std::size_t PairSearch::expand(std::size_t source, double enough) {
  const std::size_t first = source / (n_ + 1), left = source % (n_ + 1);
  const bool starts = scores_->local() && source == 0, directed = enough == kForbidden;
  const double value = value_[source], margin = std::log(3.0 * static_cast<double>(n_ + 1));
  double ends = starts ? skip_behind_[0] : kForbidden, most = kForbidden;
  std::size_t next = end();
  bool all = true;
  for (std::size_t i = first; i <= m_; ++i) {
    std::vector<Cell>&before = row_[i % 2], &row = row_[1 - i % 2];
    double promised = kForbidden;
    for (std::size_t j = left; j <= n_; ++j) {
      Cell cell = kNoState;
      if (at(i, j) == source && !starts) cell[kPair] = 0;
      if (i > first && j > left) {
        double so_far = sum_of(before[j - 1]);
        if (starts) so_far = log_sum(so_far, skip_before_[i - 1]);
        const double paired = so_far + match_[(i - 1) * scores_->stride() + j - 1];
        if (!is_anchor(*scores_, i - 1, j - 1)) {
          cell[kPair] = paired;
        } else if (paired != kForbidden) {
          const std::size_t anchor = at(i, j);
          if (value + paired > value_[anchor]) value_[anchor] = value + paired, from_[anchor] = source;
          if (const double p = value + paired + behind_[anchor][kPair]; p > most) most = p, next = anchor;
        }
      }
      if (i > first)
        cell[kX] = log_sum(before[j][kPair] + gaps_[0].of(i - 1, j, true),
                           before[j][kX] + gaps_[0].of(i - 1, j, false));
      if (j > left)
        cell[kZ] = log_sum(log_sum(row[j - 1][kPair], row[j - 1][kX]) + gaps_[1].of(j - 1, i, true),
                           row[j - 1][kZ] + gaps_[1].of(j - 1, i, false));
      if (scores_->local()) ends = log_sum(ends, cell[kPair] + skip_behind_[i]);
      promised = std::max(promised, promise(value, at(i, j), cell));
      row[j] = cell;
    }
    steps_ += static_cast<double>(n_ + 1 - left);
    // What comes behind this row goes through it; its cells' promises add up to no more than their number times the best.
    if (!starts && promised + margin <= (directed ? most : enough)) {
      all = false;
      break;
    }
  }
  if (all && !scores_->local()) ends = sum_of(row_[1 - m_ % 2][n_]);
  if (value + ends > best_) best_ = value + ends, last_ = source;
  return value + ends > most ? end() : next;
}

// Follows the promises to a first chain.
void PairSearch::descend() {
  for (std::size_t source = 0; source != end();) source = expand(source, kForbidden);
}

// Anchors come after all that lead to them.
bool PairSearch::sweep() {
  const double most = kSweeps * static_cast<double>(end());
  for (std::size_t source = 0; source < end(); ++source) {
    if (value_[source] == kForbidden) continue;
    const double promised = value_[source] + (source == 0 ? INFINITY : behind_[source][kPair]);
    if (!(promised > best_ + kRounding * (1 + std::abs(best_)))) continue;
    if (steps_ > most) return false;
    expand(source, best_);
  }
  return true;
}

bool PairSearch::solve(const AlignmentScores& scores, double temperature, Partners& anchors) {
  prepare(scores, temperature);
  make_bound();
  descend();
  const bool proven = sweep();
  anchors.assign(m_, kGap);
  for (std::size_t place = last_; place != 0; place = from_[place])
    anchors[place / (n_ + 1) - 1] = static_cast<int>(place % (n_ + 1)) - 1;
  return proven;
}

}  // namespace hinge
