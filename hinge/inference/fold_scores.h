// What the loops of an RNA fold score: the shapes of the nearest-neighbour model. A fold of n letters pairs some of them so
// that no two pairs cross; each pair (i, j) closes a loop, and what no pair encloses is the exterior:
//
//     score(s) = constant + Σ over pairs of pair[type] + bonus(i, j) + that of its loop + exterior
//     hairpin    hairpin[in] + hairpin_length[letters]
//     stack      stack[in]                                               around the pair (i+1, j−1)
//     other loops with one pair inside, behind a and before b letters, a + b ≤ max_loop:
//                outer[kind][in] + inner[kind][out of the inside pair] + loop[a][b]
//                + bulge_stack[type][type inside] where a + b = 1,  + one_one[in] where a = b = 1
//     multiloop  close[in] + Σ over pairs inside of branch[out] + multi_letter for each letter
//     exterior   Σ over pairs of exterior[out] + exterior_letter for each letter
//
// Where there are special loops (fold_specials.h), each scores its amount times `special` more, and the kind of a loop is bulge
// (a or b is 0), thin (one of them is 1) or wide; else all are of one kind.
//
// `in` and `out` are the classes of a pair: its type, and the letters beside it inside or outside. Classes, not pairs, have
// scores, so that tables stay small however long the sequence is.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hinge/core/vector.h"
#include "hinge/inference/fold_specials.h"
#include "hinge/inference/pair_probability.h"

namespace hinge {

// For each letter the one it is paired with, or kUnpaired.
using FoldPairs = std::vector<int>;
inline constexpr int kUnpaired = -1;

// Scores of the parts, or how often each is used.
struct FoldTables {
  static constexpr std::size_t kTypes = FoldSpecials::kTypes, kClasses = FoldSpecials::kClasses,
                               kLengths = 31;
  static constexpr std::size_t kWide = 0, kBulge = 1, kThin = 2, kKinds = 3;  // of loops

  std::array<double, kClasses> hairpin{}, stack{}, one_one{}, close{};  // by what is inside
  std::array<double, kClasses> branch{}, exterior{};                    // by what is outside
  std::array<double, kKinds * kClasses> outer{}, inner{};  // [kind], by what is inside and outside
  std::array<double, kTypes> pair{};
  std::array<double, kTypes * kTypes> bulge_stack{};
  std::array<double, kLengths> hairpin_length{};   // the last: and longer
  std::array<double, kLengths * kLengths> loop{};  // [a][b]
  double multi_letter = 0, exterior_letter = 0, special = 0;

  // f(own number, other's number) for all parts of both.
  template <class Other, class F>
  void for_both(Other& other, F&& f) {
    const auto each = [&](auto& a, auto& b) {
      for (std::size_t k = 0; k < a.size(); ++k) f(a[k], b[k]);
    };
    each(hairpin, other.hairpin);
    each(stack, other.stack);
    each(outer, other.outer);
    each(one_one, other.one_one);
    each(close, other.close);
    each(inner, other.inner);
    each(branch, other.branch);
    each(exterior, other.exterior);
    each(pair, other.pair);
    each(bulge_stack, other.bulge_stack);
    each(hairpin_length, other.hairpin_length);
    each(loop, other.loop);
    f(multi_letter, other.multi_letter);
    f(exterior_letter, other.exterior_letter);
    f(special, other.special);
  }
};

class FoldScores {
 public:
  static constexpr std::uint8_t kNoPair = 0xff;
  static constexpr std::size_t kShortest = 3;  // letters of a hairpin

  // Letters 0 … 3 are A, C, G, U, 4 any other. Everything scores 0, and every two letters may be paired that AU, CG and GU
  // say, with kShortest letters between them at least.
  void shape(const std::vector<std::uint8_t>& letters, std::size_t max_loop);

  std::size_t n() const { return n_; }
  std::size_t max_loop() const { return max_loop_; }
  // The classes of a pair, i < j; kNoPair where there is none.
  std::uint8_t in(std::size_t i, std::size_t j) const { return in_[i * n_ + j]; }
  std::uint8_t out(std::size_t i, std::size_t j) const { return out_[i * n_ + j]; }
  static std::size_t type(std::uint8_t pair_class) { return pair_class / 25; }
  std::span<const std::uint8_t> letters() const { return letters_; }

  // None: all loops are of one kind. Must outlive the scores.
  const FoldSpecials* specials = nullptr;
  std::size_t kind(std::size_t a, std::size_t b) const {
    const std::size_t fewer = a < b ? a : b;
    return specials == nullptr || fewer > 1 ? FoldTables::kWide
           : fewer == 0                     ? FoldTables::kBulge
                                            : FoldTables::kThin;
  }

  void forbid(std::size_t i, std::size_t j) { in_[i * n_ + j] = kNoPair; }
  // Letter i must be paired.
  void require(std::size_t i) { must_[i] = 1; }
  bool must(std::size_t i) const { return must_[i] != 0; }

  // bonus(i, j) = right where favoured[i] = j, else wrong where either letter is judged, else 0
  struct Bonus {
    std::vector<int> favoured;  // empty: none of all this
    std::vector<char> judged;
    double right = 0, wrong = 0;
  };
  Bonus bonuses;
  double bonus(std::size_t i, std::size_t j) const {
    if (bonuses.favoured.empty()) return 0;
    if (bonuses.favoured[i] == static_cast<int>(j)) return bonuses.right;
    return bonuses.judged[i] != 0 || bonuses.judged[j] != 0 ? bonuses.wrong : 0;
  }

  FoldTables tables;
  double constant = 0;
  double gamma = 1;  // of FoldCounts::most_probable

  double of(const FoldPairs& s) const;

 private:
  std::size_t n_ = 0, max_loop_ = 30;
  std::vector<std::uint8_t> letters_, in_, out_;
  std::vector<char> must_;
};

// A visitor of a fold that looks at nothing: others hide what they look at.
struct FoldVisitor {
  void pair(std::size_t, std::size_t) {}
  void hairpin(std::size_t, std::size_t) {}
  void loop(std::size_t, std::size_t, std::size_t, std::size_t) {}
  void multi(std::size_t, std::size_t) {}
  void branch(std::size_t, std::size_t) {}
  void multi_letter(std::size_t) {}
  void exterior(std::size_t, std::size_t) {}
  void exterior_letter(std::size_t) {}
};

// What a fold uses: visitor.pair(i, j), hairpin(i, j), loop(i, j, k, l), multi(i, j), branch(i, j), multi_letter(i),
// exterior(i, j), exterior_letter(i).
template <class Visitor>
void walk_fold(const FoldPairs& s, Visitor&& visit) {
  const int n = static_cast<int>(s.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < n;) {
    if (s[at(i)] == kUnpaired) {
      visit.exterior_letter(at(i++));
    } else {
      visit.exterior(at(i), at(s[at(i)]));
      i = s[at(i)] + 1;
    }
  }
  for (int i = 0; i < n; ++i) {
    const int j = s[at(i)];
    if (j <= i) continue;
    visit.pair(at(i), at(j));
    int inside = 0, first = -1;
    for (int k = i + 1; k<j; k = s[at(k)]> k ? s[at(k)] + 1 : k + 1)
      if (s[at(k)] > k && inside++ == 0) first = k;
    if (inside == 0) {
      visit.hairpin(at(i), at(j));
    } else if (inside == 1) {
      visit.loop(at(i), at(j), at(first), at(s[at(first)]));
    } else {
      visit.multi(at(i), at(j));
      for (int k = i + 1; k<j; k = s[at(k)]> k ? s[at(k)] + 1 : k + 1)
        s[at(k)] > k ? visit.branch(at(k), at(s[at(k)])) : visit.multi_letter(at(k));
    }
  }
}

// How often each part is used: by one fold, or on average; less what was subtracted.
class FoldCounts {
 public:
  using Pair = PairProbability;

  bool hard() const { return hard_; }
  const FoldPairs& structure() const { return fold_; }
  // The fold with the greatest expected accuracy: max over s of 2 γ Σ over pairs of their probability + Σ over unpaired
  // letters of the probability that they are. Of pairs that are listed. With a small γ it has few pairs, and sure ones.
  FoldPairs most_probable() const;
  void subtract(const FoldPairs& s);

  const FoldTables& uses() const { return uses_; }
  const std::vector<Pair>& pairs() const { return pairs_; }  // of a soft answer, by i, then by j

 private:
  friend class FoldCells;
  void add(const FoldScores& scores, const FoldPairs& s, double amount);

  bool hard_ = true;
  double gamma_ = 1;
  const FoldScores* scores_ = nullptr;  // whose classes the uses are of
  FoldPairs fold_;
  FoldTables uses_;
  std::vector<Pair> pairs_;
};

}  // namespace hinge
