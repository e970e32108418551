// What the parts of a fold are worth, in terms of the mode: what the loops of fold_cells.cpp and fold_outside.cpp ask for at
// every cell.
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/log_sum.h"
#include "hinge/inference/fold_cells.h"

namespace hinge {

inline double FoldCells::plus(double a, double b) const {
  if (mode_ != Mode::log) return mode_ == Mode::max ? std::max(a, b) : a + b;
  return log_sum(a, b);
}

inline double FoldCells::pair_score(const Scores& scores, std::size_t i, std::size_t j) const {
  const double score = tables_.pair[FoldScores::type(scores.in(i, j))];
  const FoldScores::Bonus& bonus = scores.bonuses;
  if (bonus.favoured.empty()) return score;
  if (bonus.favoured[i] == static_cast<int>(j)) return times(score, right_);
  return bonus.judged[i] != 0 || bonus.judged[j] != 0 ? times(score, wrong_) : score;
}

inline double FoldCells::hairpin(const Scores& scores, std::size_t i, std::size_t j) const {
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

inline double FoldCells::small_score(const Scores& scores, const Small& small, std::size_t i,
                                     std::size_t j) const {
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

inline fold_loops::Run FoldCells::run_inside(const Strip& strip, const Window& w) const {
  const auto& [kind, fixed, behind_i, forward, reversed, sums] = strip;
  const double* cells = w_[kind].data();
  if (fixed > (behind_i ? w.most_a : w.most_b) || w.i + fixed + 3 > w.j) return {};
  const std::size_t count =
      std::min({w.longest - fixed + 1, (behind_i ? w.most_b : w.most_a) + 1, w.j - w.i - 2 - fixed});
  if (behind_i)
    return {cells + (w.i + 1 + fixed) * n_ + w.j - count, reversed.data() + kWidth - count, count};
  return {cells + (w.j - 1 - fixed) * n_ + w.i + 1, forward.data(), count};
}

inline fold_loops::Window FoldCells::window_inside(const Scores& scores, std::size_t i, std::size_t j) const {
  return {i,
          j,
          std::min(scores.max_loop(), free_behind_[i]),
          std::min(scores.max_loop(), free_before_[j]),
          scores.max_loop(),
          kinds_ > 1 ? std::size_t{2} : 0};
}

}  // namespace hinge
