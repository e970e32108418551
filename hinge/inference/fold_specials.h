// What single loops of an RNA fold score beyond the sum of their parts (fold_scores.h), where more letters count than parts look
// at: published energies have tables for the small loops, and numbers for single hairpins.
//
//     hairpin    its letters are listed: that number; else three[in] of three letters, long_hairpin · log(letters / 30) of
//                more than 30, 0 of others
//     1 by 1     one_one[in][type inside]               2 by 2          two_two[in][out inside]
//     1 by 2     one_two[in][type inside][letter]       2 by 3, 3 by 2  two_three_outer[in] + two_three_inner[out inside]
//     2 by 1     one_two, read from the other end
//
// Everything is in units of FoldTables::special, which has a score; these are amounts of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hinge {

class FoldScores;

struct FoldSpecials {
  static constexpr std::size_t kTypes = 6, kClasses = kTypes * 25;

  std::vector<double> one_one = std::vector<double>(kClasses * kTypes);
  std::vector<double> one_two = std::vector<double>(kClasses * kTypes * 5);
  std::vector<double> two_two = std::vector<double>(kClasses * kClasses);
  std::array<double, kClasses> two_three_outer{}, two_three_inner{}, three{};
  std::vector<std::pair<std::uint32_t, double>> hairpins;  // by code, ascending
  double long_hairpin = 0;

  // Of loops that are special: a letters behind i, b before j.
  struct Sides {
    std::size_t a, b;
  };
  static constexpr Sides kLoops[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 2}};

  // The class of a pair read from the other end: the letters beside it change places, as those of the pair do.
  static constexpr std::size_t flipped(std::size_t c) { return (c / 25 ^ 1) * 25 + c % 5 * 5 + c / 5 % 5; }
  // Of the letters of a hairpin with its pair, at most 8, each 0 … 3.
  template <class Letters>
  static std::uint32_t code(const Letters& letters) {
    std::uint32_t all = 1;
    for (const auto letter : letters) all = all * 4 + static_cast<std::uint32_t>(letter);
    return all;
  }
  static constexpr std::size_t kLongestListed = 6;  // letters of a hairpin that is listed

  double hairpin(const FoldScores& scores, std::size_t i, std::size_t j) const;
  // Of a loop whose sides are among kLoops.
  double loop(const FoldScores& scores, std::size_t i, std::size_t j, std::size_t k, std::size_t l) const;
  // The largest of all, whatever its sign, in a sequence of n letters. measure() is called once the tables are filled.
  double largest(std::size_t n) const;
  void measure();

 private:
  double most_ = 0;  // of all but long hairpins
};

}  // namespace hinge
