// What the parts of an alignment of two sequences score, x of m letters and z of n. An alignment pairs letters in
// order; the letters between two pairs stand opposite gaps, those of x first, then those of z:
//
//     score(s) = Σ over pairs (i, j) of match(i, j)
//              + Σ over letters i of x opposite a gap that stands behind j letters of z of
//                    open[i] + open_at[j]       where the gap begins,
//                    extend[i] + extend_at[j]   elsewhere,       and the same for letters of z.
//     match(i, j) = Σ over stacks k of row_{k,i}[j]  +  outside_i where j is not in [low_i, high_i); −∞ where j is closed
//
// A global alignment accounts for every letter; a local one begins and ends with a pair, and a letter i of x before or
// behind it scores skip[i], which is no part that is counted, a letter of z nothing. Matches are sums of rows that letters of x share, so that a pair of
// sequences takes memory for its rows only, never for all m n cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/core/vector.h"
#include "hinge/inference/pair_probability.h"

namespace hinge {

// For each letter of x the letter of z opposite, or kGap.
using Partners = std::vector<int>;
inline constexpr int kGap = -1;

enum class AlignedSide : std::size_t { x = 0, z = 1 };

// match(i, j) for each pair, gap(side, letter, place, opens) for each letter opposite a gap that stands behind
// `place` letters of the other sequence; in order.
template <class Match, class Gap>
void walk_alignment(const Partners& s, std::size_t n, bool local, Match&& match, Gap&& gap) {
  std::size_t i = 0, j = 0;
  bool begun = !local;
  for (std::size_t a = 0; a <= s.size(); ++a) {
    const bool end = a == s.size();
    if (!end && s[a] < 0) continue;
    if (end && local) return;
    const std::size_t b = end ? n : static_cast<std::size_t>(s[a]);
    if (begun) {
      for (std::size_t k = i; k < a; ++k) gap(AlignedSide::x, k, j, k == i);
      for (std::size_t k = j; k < b; ++k) gap(AlignedSide::z, k, a, k == j);
    }
    if (end) return;
    match(a, b);
    i = a + 1;
    j = b + 1;
    begun = true;
  }
}

// Scores or counts of the letters of one sequence opposite gaps.
struct GapParts {
  Vector open, extend;        // of each letter
  Vector open_at, extend_at;  // of each place in the other sequence, 0 … its length

  void shape(std::size_t letters, std::size_t others) {
    open.assign(letters, 0.0);
    extend.assign(letters, 0.0);
    open_at.assign(others + 1, 0.0);
    extend_at.assign(others + 1, 0.0);
  }
  double of(std::size_t letter, std::size_t place, bool opens) const {
    return opens ? open[letter] + open_at[place] : extend[letter] + extend_at[place];
  }
};

class AlignmentScores {
 public:
  // Everything becomes 0. Row 0 stays so: it is that of letters that have none in a stack.
  void shape(std::size_t m, std::size_t n, std::size_t stacks, std::size_t rows, bool local);
  void clear() { shape(m_, n_, stacks_, rows_, local_); }

  std::size_t m() const { return m_; }
  std::size_t n() const { return n_; }
  std::size_t stacks() const { return stacks_; }
  std::size_t rows() const { return rows_; }
  std::size_t stride() const { return stride_; }
  bool local() const { return local_; }

  double* row(std::size_t r) { return profile_.data() + r * stride_; }
  const double* row(std::size_t r) const { return profile_.data() + r * stride_; }
  // The rows of letter i, one of each stack.
  std::span<Index> rows_of(std::size_t i) { return {rows_of_.data() + i * stacks_, stacks_}; }
  std::span<const Index> rows_of(std::size_t i) const { return {rows_of_.data() + i * stacks_, stacks_}; }
  GapParts& gaps(AlignedSide side) { return gaps_[static_cast<std::size_t>(side)]; }
  const GapParts& gaps(AlignedSide side) const { return gaps_[static_cast<std::size_t>(side)]; }

  // Adds `outside` to the matches of letter i with any but [low, high).
  struct Bar {
    double outside = 0;
    std::size_t low = 0, high = 0;
  };
  Bar& bar(std::size_t i) { return bars_[i]; }
  const Bar& bar(std::size_t i) const { return bars_[i]; }

  // No letter may be paired with letter j of z.
  void close(std::size_t j) { closed_.push_back(j); }

  // A hidden letter's partner is no output; those of all others are.
  void hide(AlignedSide side, std::size_t letter) { hidden_[static_cast<std::size_t>(side)][letter] = 1; }
  void show(AlignedSide side, std::size_t letter) { hidden_[static_cast<std::size_t>(side)][letter] = 0; }
  bool hidden(AlignedSide side, std::size_t letter) const {
    return hidden_[static_cast<std::size_t>(side)][letter] != 0;
  }
  bool hides() const;

  Vector& skip() { return skip_; }  // of each letter of x
  const Vector& skip() const { return skip_; }

  double match(std::size_t i, std::size_t j) const;
  // match(i, 0 … n−1)
  void match_row(std::size_t i, double* out) const;
  double of(const Partners& s) const;

 private:
  std::size_t m_ = 0, n_ = 0, stacks_ = 0, rows_ = 0, stride_ = 0;
  bool local_ = false;
  Vector profile_;
  std::vector<Index> rows_of_;
  std::vector<Bar> bars_;
  std::vector<std::size_t> closed_;
  std::vector<char> hidden_[2];
  Vector skip_;
  GapParts gaps_[2];
};

// How often each part is used: by one alignment, or on average; less what was subtracted.
class AlignmentCounts {
 public:
  using Pair = PairProbability;

  bool hard() const { return hard_; }
  const Partners& structure() const { return partners_; }
  // The alignment with the most expected pairs: max over s of Σ of their probabilities. Of pairs that are listed.
  Partners most_probable() const;
  void subtract(const Partners& s) { reference_ = s; }

  // Of a soft answer: pairs by i, then by j; expected uses, before anything is subtracted. rows() has the shape of
  // AlignmentScores.
  const std::vector<Pair>& pairs() const { return pairs_; }
  const double* row(std::size_t r) const { return profile_.data() + r * stride_; }
  const GapParts& gaps(AlignedSide side) const { return gaps_[static_cast<std::size_t>(side)]; }

  // What single alignments use: a hard answer's less the reference's where they differ; of a soft answer the
  // reference's alone. match(i, j, amount), gap(side, letter, place, opens, amount).
  template <class Match, class Gap>
  void for_each_use(Match&& match, Gap&& gap) const {
    const auto walk = [&](const Partners& s, const Partners& other, double amount) {
      const auto in_other = [&](AlignedSide side, std::size_t letter, const Use& use) {
        return !other.empty() && uses_[static_cast<std::size_t>(side)][letter] == use;
      };
      mark_uses(other);
      walk_alignment(
          s, n_, local_,
          [&](std::size_t i, std::size_t j) {
            if (other.empty() || other[i] != static_cast<int>(j)) match(i, j, amount);
          },
          [&](AlignedSide side, std::size_t letter, std::size_t place, bool opens) {
            if (!in_other(side, letter, {place, opens, true})) gap(side, letter, place, opens, amount);
          });
    };
    if (hard_) walk(partners_, reference_, 1);
    if (!reference_.empty()) walk(reference_, hard_ ? partners_ : Partners(), -1);
  }

 private:
  friend class PairCells;
  friend class PairSums;
  struct Use {
    std::size_t place = 0;
    bool opens = false, gap = false;
    friend bool operator==(const Use&, const Use&) = default;
  };
  void shape(const AlignmentScores& scores, bool hard);
  void mark_uses(const Partners& s) const;

  bool hard_ = true, local_ = false;
  std::size_t n_ = 0, stride_ = 0;
  Partners partners_, reference_;
  std::vector<Pair> pairs_;
  Vector profile_;
  GapParts gaps_[2];
  mutable std::vector<Use> uses_[2];
};

}  // namespace hinge
