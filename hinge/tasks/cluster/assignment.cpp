#include "hinge/tasks/cluster/assignment.h"

#include <cassert>
#include <limits>
#include <vector>

namespace hinge {

// Rows join one by one. From a new row the cheapest way of alternating edges to a free column is found as
// Dijkstra does, on costs −weight reduced by potentials, and the assignment is exchanged along it.
double best_assignment(std::span<const double> weight, std::size_t rows, std::size_t columns) {
  assert(rows <= columns && weight.size() == rows * columns);
  constexpr double far = std::numeric_limits<double>::infinity();
  const std::size_t none =
      rows;  // also the number of the row that is joining, in `row_of` of a column 0 more
  std::vector<double> row_potential(rows + 1, 0.0), column_potential(columns + 1, 0.0), distance(columns + 1);
  std::vector<std::size_t> row_of(columns + 1, none), before(columns + 1);
  std::vector<char> done(columns + 1);
  const std::size_t start = columns;
  for (std::size_t row = 0; row < rows; ++row) {
    row_of[start] = row;
    distance.assign(columns + 1, far);
    done.assign(columns + 1, 0);
    std::size_t at = start;
    while (row_of[at] != none) {
      done[at] = 1;
      const std::size_t from = row_of[at];
      std::size_t nearest = start;
      double step = far;
      for (std::size_t c = 0; c < columns; ++c) {
        if (done[c]) continue;
        const double cost = -weight[from * columns + c] - row_potential[from] - column_potential[c];
        if (cost < distance[c]) {
          distance[c] = cost;
          before[c] = at;
        }
        if (distance[c] < step) {
          step = distance[c];
          nearest = c;
        }
      }
      for (std::size_t c = 0; c <= columns; ++c) {
        if (done[c]) {
          row_potential[row_of[c]] += step;
          column_potential[c] -= step;
        } else {
          distance[c] -= step;
        }
      }
      at = nearest;
    }
    for (; at != start; at = before[at]) row_of[at] = row_of[before[at]];
  }
  double sum = 0;
  for (std::size_t c = 0; c < columns; ++c)
    if (row_of[c] != none) sum += weight[row_of[c] * columns + c];
  return sum;
}

}  // namespace hinge
