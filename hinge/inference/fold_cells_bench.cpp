// Letters a second of the best fold and of pair probabilities, with loops of up to 30 letters, and the memory they take.
//
//     cmake --preset release -DHINGE_BENCH=ON && cmake --build --preset release --target fold_cells_bench
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "hinge/core/random.h"
#include "hinge/inference/fold_cells.h"

namespace {

// The best of several repeats, since the machine has other things to do.
double letters_a_second(const hinge::FoldScores& scores, double temperature) {
  using Clock = std::chrono::steady_clock;
  hinge::FoldCells engine;
  hinge::FoldCounts counts;
  const std::size_t calls = std::max<std::size_t>(1, 1000 / scores.n());
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = Clock::now();
    for (std::size_t call = 0; call < calls; ++call) engine.solve(scores, temperature, temperature, counts);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::max(best, static_cast<double>(calls * scores.n()) / seconds);
  }
  return best;
}

}  // namespace

int main() {
  fmt::print(
      "| letters | best fold, letters/s | probabilities, letters/s | memory, MB |\n|---|---|---|---|\n");
  for (const std::size_t length : {50, 100, 200, 500, 1000, 2000}) {
    hinge::Random random(length);
    std::vector<std::uint8_t> letters(length);
    for (auto& letter : letters) letter = static_cast<std::uint8_t>(random.below(4));
    hinge::FoldScores scores;
    scores.shape(letters, 30);
    scores.tables.for_both(scores.tables, [&](double& score, double) { score = 0.3 * random.normal(); });
    fmt::print("| {} | {:.3g} | {:.3g} | {:.0f} |\n", length, letters_a_second(scores, 0),
               letters_a_second(scores, 1), hinge::FoldCells::memory(length, false) / 1e6);
  }
}
