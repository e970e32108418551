// The engine for alignments of two sequences with affine gaps (alignment_scores.h): cells (i, j) = letters so far,
// each with three states. With ⊕ = T_τ and M, X, Z for "the last letters are a pair", "the last letter of x, of z
// stands opposite a gap":
//
//     M(i, j) = match(i, j) + (M ⊕ X ⊕ Z)(i−1, j−1)
//     X(i, j) = (M(i−1, j) + open_x(i, j)) ⊕ (X(i−1, j) + extend_x(i, j))
//     Z(i, j) = ((M ⊕ X)(i, j−1) + open_z(i, j)) ⊕ (Z(i, j−1) + extend_z(i, j))
//
// Z never precedes X without a pair between, so that an alignment has one way. Rows are swept forward, then back
// for counts or for the winner. Time O(m n). Some rows are kept and those between them made again, so that memory
// is O(n √m) where all rows would not fit into kCells numbers. Sums are products of exponentials (pair_sums.h) where a bound
// on what these lose proves it harmless, and of logarithms else.
//
//     hinge::AlignmentScores scores;
//     scores.shape(2, 3, 1, 2, false);                                     // two letters and three, one stack
//     scores.row(1)[2] = 1;                                                // whoever has row 1 likes the last letter
//     scores.rows_of(1)[0] = 1;
//     hinge::AlignmentCounts counts;
//     const double best = hinge::PairCells().solve(scores, 0, 0, counts);  // 1
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/kernels.h"
#include "hinge/inference/alignment_scores.h"
#include "hinge/inference/answer.h"
#include "hinge/inference/pair_room.h"
#include "hinge/inference/pair_search.h"
#include "hinge/inference/pair_sums.h"

namespace hinge {

class PairCells {
 public:
  using Scores = AlignmentScores;
  using Counts = AlignmentCounts;
  using Structure = Partners;

  static constexpr std::size_t kCells = std::size_t{1} << 22;  // cells whose numbers are all kept

  explicit PairCells(std::size_t kept_cells = kCells) : kept_cells_(kept_cells) {}

  enum Way : std::size_t { kCellByCell, kSearch };
  static constexpr std::array<const char*, 2> ways = {"cells", "search"};
  const Answer& answer() const { return answer_; }
  static constexpr bool exact_alike = true;
  bool may_approximate(const Scores& scores, double output_temperature, double latent_temperature) const {
    return searches(scores, output_temperature, latent_temperature) &&
           PairSearch::may_stop(scores.m(), scores.n());
  }

  // Where letters are hidden, outputs have the temperature 0 or the latent one (pair_search.h).
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // The k best alignments, best first, with their scores (best_derivations.h). Keeps all cells.
  static std::vector<std::pair<Partners, double>> top(const Scores& scores, std::size_t k);
  // f(partners, score) of each, which returns how many bytes it keeps. Whether `room` bytes were enough besides the cells.
  using Keep = std::function<double(Partners&& partners, double score)>;
  static bool list(const Scores& scores, std::size_t k, double room, const Keep& f);

  // Bytes that a sweep over m times n letters keeps, and the cells of a list of the best.
  static double memory(std::size_t m, std::size_t n);
  static double memory_of_list(std::size_t m, std::size_t n);
  // Whether the last sum was made of logarithms.
  bool by_logarithms() const { return by_logarithms_; }

  // The partners of all letters, of x, then of z: −2 where they are hidden.
  static std::vector<int> outputs(const Scores& scores, const Partners& s);

  static double structures(const Scores& scores);
  static void for_each_structure(const Scores& scores, const std::function<void(const Partners&)>& f);

 private:
  enum class Mode { max, log };
  enum State { kPair, kX, kZ };  // M, X, Z, in the order of a row
  struct Graph;

  bool keeps_all(const Scores& scores) const {
    return (scores.m() + 1) * kernels::padded(scores.n() + 1) <= kept_cells_;
  }
  void prepare(const Scores& scores, Mode mode, double temperature);
  void make_match_row(const Scores& scores, std::size_t i, double* out);
  void begin(const Scores& scores);
  void forward(const Scores& scores);
  void advance(const Scores& scores, std::size_t i);
  void load(const Scores& scores, std::size_t i);
  void trace_back(const Scores& scores, Counts& counts);
  void count(const Scores& scores, Counts& counts);
  void pour_row(const Scores& scores, std::size_t i, Counts& counts);
  double maximise(const Scores& scores, Counts& counts);
  double sum(const Scores& scores, double temperature, Counts& counts);
  // The best outputs, hidden partners summed.
  double search(const Scores& scores, double temperature, Counts& counts);
  static bool searches(const Scores& scores, double output_temperature, double latent_temperature) {
    return output_temperature == 0 && latent_temperature > 0 && scores.hides();
  }

  std::size_t kept_cells_;
  Mode mode_ = Mode::max;
  double temperature_ = 0;
  std::size_t width_ = 0;  // of one state's numbers; of a row: M, X, Z, match
  PairRoom room_;
  PairSums sums_;
  bool by_logarithms_ = false;
  AlignedVector back_, amounts_;
  Vector start_, stop_;                // of a local alignment, by row
  Vector column_[4], line_[4];         // gaps in the terms of the mode, by column and by row
  double total_ = 0;                   // the value, over the temperature
  std::size_t end_i_ = 0, end_j_ = 0;  // of the best local alignment
  PairSearch search_;
  Scores kept_scores_;
  Partners anchors_;
  Answer answer_;
};

}  // namespace hinge
