// The engine for RNA folds (fold_scores.h): Zuker's recursion for the best one, McCaskill's for sums and probabilities of
// pairs, as one recursion at a temperature. With ⊕ = T_τ, over letters i … j:
//
//     V(i, j)  i and j are paired:  pair + (hairpin ⊕ stack + V(i+1, j−1) ⊕ ⊕_{k,l} loop + V(k, l) ⊕ close + M2(i+1, j−1))
//     M1(i, j) one branch of a multiloop that begins at i, then letters
//     O(i, j)  letters, then one branch that M1 counts
//     M2(i, j) two branches at least:  ⊕_k M(i, k−1) + M1(k, j),         M = M2 ⊕ O: one at least
//     F(j)     the letters before j, F(j+1) = F(j) + letter ⊕ ⊕_i F(i) + exterior + V(i, j)
//
// Loops of few letters, which have scores of their own, are looked at one by one, all others in runs of cells.
// Each fold has one way. Time O(n³ + n² L²) with loops of L letters at most, memory O(n²). Sums are made of exponentials,
// each letter divided by a constant where the numbers would grow too large; of logarithms where that does not do.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "hinge/core/aligned_vector.h"
#include "hinge/inference/answer.h"
#include "hinge/inference/fold_loops.h"
#include "hinge/inference/fold_scores.h"

namespace hinge {

class FoldCells : public AlwaysExact {
 public:
  using Scores = FoldScores;
  using Counts = FoldCounts;
  using Structure = FoldPairs;

  // Nothing is hidden: the temperature is that of outputs. The counts refer to the scores.
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // The k best folds, best first, with their scores (best_derivations.h).
  std::vector<std::pair<FoldPairs, double>> top(const Scores& scores, std::size_t k);
  // f(fold, score) of each, which returns how many bytes it keeps. Whether `room` bytes were enough besides the cells.
  using Keep = std::function<double(FoldPairs&& fold, double score)>;
  bool list(const Scores& scores, std::size_t k, double room, const Keep& f);

  // Bytes for n letters, with sums or without.
  static double memory(std::size_t n, bool specials) {
    return 8.0 * (specials ? 13 : 9) * static_cast<double>(n) * static_cast<double>(n);
  }
  bool by_logarithms() const { return mode_ == Mode::log; }

  static double structures(const Scores& scores);
  static void for_each_structure(const Scores& scores, const std::function<void(const FoldPairs&)>& f);

 private:
  using Run = fold_loops::Run;
  using Window = fold_loops::Window;
  static constexpr std::size_t kWidth = fold_loops::kWidth, kClasses = FoldTables::kClasses;
  static constexpr double kLog2 = 0.6931471805599453;
  // Sums of exponentials lose what is below 2^-1022. A number that was lost inside could have met what is outside of it, times
  // two parts of 2^±kPartBits each: where the largest number outside is below 2^kOutsideBits times the value, all that n³ lost
  // numbers add is below n³ 2^-122 of the value.
  static constexpr double kOutsideBits = 500, kPartBits = 200;

  enum class Mode { max, sum, log };
  // What stands at letters i … j: F, V, M, M2, M1, O, or nothing.
  enum class Kind { prefix, pair, branches, two, one, letters, nothing };
  struct Place {
    Kind kind = Kind::nothing;
    std::size_t i = 0, j = 0;
  };
  struct Graph;

  bool prepare(const Scores& scores, Mode mode, double temperature, double per_letter);
  double inside(const Scores& scores);
  double best_at(const Place& place) const;
  // f(score, first, second) for each way to make what stands there, of a score and up to two other places.
  template <class F>
  void for_each_way(const Scores& scores, const Place& place, F&& f) const;
  void trace_back(const Scores& scores, FoldPairs& fold);
  bool outside(const Scores& scores, Counts& counts);
  bool sum(const Scores& scores, Mode mode, double temperature, double per_letter, Counts& counts,
           double& value);

  // In terms of the mode.
  double plus(double a, double b) const;
  double times(double a, double b) const { return mode_ == Mode::sum ? a * b : a + b; }
  template <class... More>
  double times(double a, double b, More... more) const {
    return times(times(a, b), more...);
  }
  double pair_score(const Scores& scores, std::size_t i, std::size_t j) const;
  double hairpin(const Scores& scores, std::size_t i, std::size_t j) const;
  // An amount of FoldTables::special.
  double special(double amount) const {
    return mode_ == Mode::sum ? std::exp(special_ * amount) : special_ * amount;
  }
  // Loops that are looked at one by one, a letters behind i and b before j; loop[a][b] in terms of the mode.
  struct Small {
    std::size_t a, b;
    double loop;
  };
  // Of one between two pairs, without `outer` and `inner`; zero where it cannot be.
  double small_score(const Scores& scores, const Small& small, std::size_t i, std::size_t j) const;
  // Bulges and thin loops where these have kinds of their own: `fixed` letters on one side, any number on the other.
  struct Strip {
    std::size_t kind, fixed;
    bool behind_i;                                                           // the fixed side
    std::array<double, FoldTables::kLengths> forward{}, reversed{}, sums{};  // by the other side's letters
  };
  Run run_inside(const Strip& strip, const Window& w) const;
  Run run_around(const Strip& strip, const Window& w) const;
  // ⊕ over all loops of one kind within (i, j), without `outer`.
  double within(const Scores& scores, std::size_t kind, std::size_t i, std::size_t j) const;
  // ⊕ over those around it, without `inner`.
  double around(const Scores& scores, std::size_t kind, const Window& w) const;
  // Counts the small loops of one kind within (i, j), `closing` outside of them; how many they are.
  double count_smalls(const Scores& scores, std::size_t kind, std::size_t i, std::size_t j, double closing,
                      FoldTables& uses) const;
  double letter(const Scores& scores, double score, std::size_t i) const {
    return scores.must(i) ? loops_->zero : score;
  }
  Window window_inside(const Scores& scores, std::size_t i, std::size_t j) const;
  double& at(AlignedVector& cells, std::size_t i, std::size_t j) { return cells[i * n_ + j]; }
  double value(const AlignedVector& cells, std::size_t i, std::size_t j) const {  // zero of nothing
    return i < j ? cells[i * n_ + j] : loops_->zero;
  }

  Mode mode_ = Mode::max;
  const fold_loops::Loops* loops_ = nullptr;
  std::size_t n_ = 0;
  double temperature_ = 1, per_letter_ = 0;
  FoldTables tables_;  // in terms of the mode; loops without those that smalls_ and strips_ have
  std::size_t kinds_ = 1;
  std::vector<Small> smalls_;
  std::array<Strip, 4> strips_{{{FoldTables::kBulge, 0, true},
                                {FoldTables::kBulge, 0, false},
                                {FoldTables::kThin, 1, true},
                                {FoldTables::kThin, 1, false}}};
  double right_ = 0, wrong_ = 0, special_ = 0;
  std::array<double, FoldTables::kLengths * FoldTables::kLengths> reversed_{};  // tables_.loop[a][30 − b]
  std::vector<std::size_t> free_behind_, free_before_;  // how many letters there may stay unpaired
  // By (i, j) in row i; m1_, m_ and what has a kind but wide by (j, i) too. w_ is V with `inner`, single_ the sum over wide
  // loops without `outer`.
  AlignedVector v_, m_, m1_, m2_, o_, single_;
  std::array<AlignedVector, FoldTables::kKinds> w_, around_;  // around_: outside of V with what closes it
  AlignedVector m2_outside_;                                  // of M2, by (j, i) too
  Vector prefix_, suffix_, close_, closed_, o_outside_;
  std::vector<Place> open_;  // of the way back
  std::array<double, FoldTables::kLengths * FoldTables::kLengths> loop_sums_{};
};

}  // namespace hinge
