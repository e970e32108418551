// The best partners of letters that are not hidden, with all alignments summed that show them (alignment_scores.h):
//
//     max over outputs y of T_τ over alignments s that show y of score(s),        τ > 0
//
// A pair of which a letter is not hidden is an anchor. Outputs tell all anchors, every other letter that is not hidden stands
// opposite a gap, and an anchor parts what is before it from what is behind, so that
//
//     value(y) = Σ over neighbouring anchors a, b of block(a, b) + match(b)
//     block(a, b) = T_τ over the ways from a to b all of whose pairs are of hidden letters
//
// with the beginning and the end for anchors too. The best chain of anchors takes a sweep from each of them to all behind
// it: m² n² / 4 steps. The bound of one sweep from the end,
//
//     best(a) ≤ behind(a),   where ways that show different partners of the next letter are maximised, others summed
//
// (Park & Darwiche 2003: maxima inside of sums), leaves out what is below a chain that is known. The search ends at a limit of
// steps, and says so: then the chain is the best that was found.
#pragma once

#include <array>

#include "hinge/inference/alignment_scores.h"

namespace hinge {

class PairSearch {
 public:
  static constexpr std::size_t kCells = std::size_t{1} << 20;  // (m + 1) (n + 1), at most
  static constexpr double kSweeps = 256;                       // over all cells, that a search may take

  // Sets the anchors of the best outputs found: partners of letters of x, kGap where a letter is no anchor's. Returns
  // whether no others are better. Some alignment is not forbidden.
  bool solve(const AlignmentScores& scores, double temperature, Partners& anchors);

  static bool serves(std::size_t m, std::size_t n) { return (m + 1) * (n + 1) <= kCells; }
  // Whether the limit of steps could be met, whatever the scores.
  static bool may_stop(std::size_t m, std::size_t n);

  // Makes an alignment its anchors.
  static void leave_anchors(const AlignmentScores& scores, Partners& s);
  // Forbids all alignments that show others. Returns what bars had added to the anchors.
  static double keep(const Partners& anchors, AlignmentScores& scores);

 private:
  enum State { kPair, kX, kZ };
  using Cell = std::array<double, 3>;  // of the states, behind i letters of x and j of z

  std::size_t at(std::size_t i, std::size_t j) const { return i * (n_ + 1) + j; }
  std::size_t end() const { return (m_ + 1) * (n_ + 1); }
  void prepare(const AlignmentScores& scores, double temperature);
  void make_bound();
  Cell bound(std::size_t i, std::size_t j) const;
  // What is promised at most from a source of that value on.
  double promise(double value, std::size_t place, const Cell& cell) const;
  // Offers a source to all anchors behind it and to the end, but for those that promise no more than `enough`, or than
  // the most promising one where `enough` is −∞. Returns that one.
  std::size_t expand(std::size_t source, double enough);
  void descend();
  bool sweep();

  const AlignmentScores* scores_ = nullptr;
  std::size_t m_ = 0, n_ = 0;
  // Over the temperature, as all that follows.
  Vector match_;
  GapParts gaps_[2];
  Vector skip_before_, skip_behind_;
  std::vector<Cell> behind_, row_[2];
  Vector value_;                   // of the best chain up to an anchor that was found, by cells
  std::vector<std::size_t> from_;  // the cell of the anchor before
  double best_ = 0;                // of chains up to the end
  std::size_t last_ = 0;           // its last anchor
  double steps_ = 0;
};

}  // namespace hinge
