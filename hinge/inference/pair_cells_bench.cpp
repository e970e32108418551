// Cells a CPU second of alignments by the best and by sums (value and counts), where a match is a sum of nine rows.
//
//     cmake --preset release -DHINGE_BENCH=ON && cmake --build --preset release --target pair_cells_bench
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "hinge/core/random.h"
#include "hinge/inference/pair_cells.h"

namespace {

constexpr std::size_t kStacks = 9, kRows = 80;

// The best of several repeats, since the machine has other things to do.
double cells_a_second(const hinge::AlignmentScores& scores, double temperature) {
  hinge::PairCells engine;
  hinge::AlignmentCounts counts;
  const double cells = static_cast<double>(scores.m() * scores.n());
  const auto calls = static_cast<std::size_t>(std::max(1.0, 1e7 / cells));
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const std::clock_t start = std::clock();
    for (std::size_t call = 0; call < calls; ++call) engine.solve(scores, temperature, temperature, counts);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(calls) * cells / seconds);
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("| letters | best, cells/s | sums, cells/s | memory, MB |\n|---|---|---|---|\n");
  for (const std::size_t length : {100, 300, 1000, 5000}) {
    hinge::Random random(length);
    hinge::AlignmentScores scores;
    scores.shape(length, length, kStacks, kRows, false);
    for (std::size_t r = 1; r < kRows; ++r)
      for (std::size_t j = 0; j < length; ++j) scores.row(r)[j] = 0.5 * random.normal();
    for (std::size_t i = 0; i < length; ++i)
      for (hinge::Index& r : scores.rows_of(i)) r = static_cast<hinge::Index>(1 + random.below(kRows - 1));
    for (const hinge::AlignedSide side : {hinge::AlignedSide::x, hinge::AlignedSide::z}) {
      std::ranges::fill(scores.gaps(side).open, -8.0);
      std::ranges::fill(scores.gaps(side).extend, -1.0);
    }
    fmt::print("| {0} x {0} | {1:.2g} | {2:.2g} | {3:.0f} |\n", length, cells_a_second(scores, 0),
               cells_a_second(scores, 1), hinge::PairCells::memory(length, length) / 1e6);
  }
}
