// The best matching: every row gets a column of its own.
//
//     solve = max over injective s: rows → columns of Σ_r score(r, s(r)),      rows ≤ columns
//
// by shortest augmenting paths (Kuhn 1955; Jonker & Volgenant 1987), O(rows² · columns). A pair scored −∞ is
// forbidden. Maxima only: a sum over matchings is a permanent, which takes exponential time.
//
//     hinge::AssignmentEngine::Scores scores;
//     scores.shape(2, 3);                                                         // two rows, three columns
//     scores(0, 2) = 1.5;
//     scores(1, 2) = 2;
//     hinge::AssignmentEngine::Counts counts;
//     const double best = hinge::AssignmentEngine().solve(scores, 0, 0, counts);  // 2: row 1 has column 2
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"

namespace hinge {

class AssignmentEngine : public AlwaysExact {
 public:
  using Structure = std::vector<Index>;  // the column of each row
  static constexpr bool sums = false;
  static constexpr const char* no_sums =
      "a sum over matchings is a permanent, which takes exponential time: use ssvm or lssvm.";

  class Scores {
   public:
    void shape(std::size_t rows, std::size_t columns);  // all 0
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    double& operator()(std::size_t row, std::size_t column) { return value_[row * columns_ + column]; }
    double operator()(std::size_t row, std::size_t column) const { return value_[row * columns_ + column]; }
    double of(const Structure& s) const;
    void clear() { std::ranges::fill(value_, 0.0); }

   private:
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<double> value_;
  };

  class Counts {
   public:
    const Structure& structure() const { return chosen_; }
    const Structure& most_probable() const { return chosen_; }
    void subtract(const Structure& s) { subtracted_ = s; }

    // f(row, column, amount) of every pair that is used; what is used and subtracted is left out.
    template <class F>
    void for_each_pair(F&& f) const {
      for (std::size_t r = 0; r < chosen_.size(); ++r) {
        if (!subtracted_.empty() && subtracted_[r] == chosen_[r]) continue;
        f(r, chosen_[r], 1.0);
        if (!subtracted_.empty()) f(r, subtracted_[r], -1.0);
      }
    }

   private:
    friend class AssignmentEngine;
    Structure chosen_, subtracted_;
  };

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  static double structures(const Scores& scores);
  static void for_each_structure(const Scores& scores, const std::function<void(const Structure&)>& f);

 private:
  bool match(const Scores& scores, Index row);  // false when every way is forbidden

  std::vector<double> row_price_, column_price_, distance_;
  std::vector<Index> row_of_, before_;  // of each column: its row, and the column before it on the path
  std::vector<char> reached_;
};

}  // namespace hinge
