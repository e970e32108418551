#include "hinge/inference/assignment.h"

#include <cassert>
#include <limits>
#include <numeric>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kNoRow = ~Index{0};

}  // namespace

void AssignmentEngine::Scores::shape(std::size_t rows, std::size_t columns) {
  if (rows > columns)
    fail("{} rows cannot have a column of their own each, of {}: turn the table, or add columns.", rows,
         columns);
  rows_ = rows;
  columns_ = columns;
  value_.assign(rows * columns, 0.0);
}

double AssignmentEngine::Scores::of(const Structure& s) const {
  double sum = 0;
  for (std::size_t r = 0; r < rows_; ++r) sum += (*this)(r, s[r]);
  return sum;
}

// Rows are matched one by one. Prices keep score(r, c) ≤ row_price(r) + column_price(c), with equality on the
// pairs that are matched; a shortest path by what is missing to equality leads from the new row to a free
// column, and changes the pairs along it. The last column, one beyond the table, stands for the new row.
bool AssignmentEngine::match(const Scores& scores, Index row) {
  const std::size_t columns = scores.columns();
  distance_.assign(columns, kInfinity);
  reached_.assign(columns + 1, 0);
  std::size_t current = columns;
  row_of_[current] = row;
  do {
    reached_[current] = 1;
    const Index r = row_of_[current];
    double least = kInfinity;
    std::size_t next = columns;
    for (std::size_t c = 0; c < columns; ++c) {
      if (reached_[c]) continue;
      const double missing = row_price_[r] + column_price_[c] - scores(r, c);
      if (missing < distance_[c]) distance_[c] = missing, before_[c] = static_cast<Index>(current);
      if (distance_[c] < least) least = distance_[c], next = c;
    }
    if (next == columns) return false;
    for (std::size_t c = 0; c <= columns; ++c)
      if (reached_[c])
        row_price_[row_of_[c]] -= least, column_price_[c] += least;
      else if (c < columns)
        distance_[c] -= least;
    current = next;
  } while (row_of_[current] != kNoRow);
  while (current != columns) {
    row_of_[current] = row_of_[before_[current]];
    current = before_[current];
  }
  return true;
}

double AssignmentEngine::solve(const Scores& scores, double output_temperature, double latent_temperature,
                               Counts& counts) {
  assert(output_temperature == 0 && latent_temperature == 0);  // refused: see no_sums
  static_cast<void>(output_temperature), static_cast<void>(latent_temperature);
  const std::size_t rows = scores.rows(), columns = scores.columns();
  counts.subtracted_.clear();
  counts.chosen_.resize(rows);
  std::iota(counts.chosen_.begin(), counts.chosen_.end(), Index{0});
  row_price_.assign(rows, 0.0);
  column_price_.assign(columns + 1, 0.0);
  row_of_.assign(columns + 1, kNoRow);
  before_.assign(columns, 0);
  for (Index r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c)  // a price that is high enough
      row_price_[r] = std::max(row_price_[r], scores(r, c) - column_price_[c]);
    if (!match(scores, r)) return kForbidden;
  }
  for (std::size_t c = 0; c < columns; ++c)
    if (row_of_[c] != kNoRow) counts.chosen_[row_of_[c]] = static_cast<Index>(c);
  return scores.of(counts.chosen_);
}

double AssignmentEngine::structures(const Scores& scores) {
  double count = 1;
  for (std::size_t r = 0; r < scores.rows(); ++r) count *= static_cast<double>(scores.columns() - r);
  return count;
}

void AssignmentEngine::for_each_structure(const Scores& scores,
                                          const std::function<void(const Structure&)>& f) {
  Structure s(scores.rows());
  std::vector<char> taken(scores.columns(), 0);
  const std::function<void(std::size_t)> from = [&](std::size_t r) {
    if (r == s.size()) return f(s);
    for (std::size_t c = 0; c < scores.columns(); ++c) {
      if (taken[c]) continue;
      taken[c] = 1;
      s[r] = static_cast<Index>(c);
      from(r + 1);
      taken[c] = 0;
    }
  };
  from(0);
}

}  // namespace hinge
