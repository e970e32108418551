// Nanoseconds a position: Viterbi and forward-backward on chains of 24 positions, by number of labels; and
// with every other position hidden, at temperature 1, and outputs at 0 (marginal MAP) and 0.5.
//
//     cmake --preset release -DHINGE_BENCH=ON && cmake --build --preset release --target chain_bench
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "hinge/core/random.h"
#include "hinge/inference/chain.h"

namespace {

constexpr std::size_t kLength = 24;

// The best of several repeats, since the machine has other things to do.
double nanoseconds_a_position(const hinge::ChainScores& scores, double output, double latent) {
  using Clock = std::chrono::steady_clock;
  hinge::Chain chain;
  hinge::ChainCounts counts;
  const std::size_t width = output == latent ? 1 : scores.labels();  // of what is carried along
  const std::size_t calls = 4'000'000 / (kLength * scores.labels() * scores.labels() * width) + 10;
  double best = 1e300, sum = 0;
  for (int repeat = 0; repeat < 15; ++repeat) {
    const auto start = Clock::now();
    for (std::size_t call = 0; call < calls; ++call) sum += chain.solve(scores, output, latent, counts);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds / static_cast<double>(calls * kLength));
  }
  return sum == 0 ? 0 : 1e9 * best;
}

}  // namespace

int main() {
  fmt::print("| labels | Viterbi ns | forward-backward ns | half hidden, 0 and 1, ns | 0.5 and 1, ns |\n");
  fmt::print("|---|---|---|---|---|\n");
  for (const std::size_t labels : {2, 9, 22, 26, 50, 100, 200}) {
    hinge::Random random(labels);
    hinge::ChainScores scores;
    scores.shape(kLength, labels);
    for (std::size_t t = 0; t < kLength; ++t)
      for (std::size_t k = 0; k < labels; ++k) scores.node(t)[k] = random.normal();
    for (std::size_t a = 0; a < labels; ++a)
      for (std::size_t b = 0; b < labels; ++b) scores.edge(a)[b] = random.normal();
    fmt::print("| {} | {:.0f} | {:.0f}", labels, nanoseconds_a_position(scores, 0, 0),
               nanoseconds_a_position(scores, 1, 1));
    for (std::size_t t = 1; t < kLength; t += 2) scores.hide(t);
    fmt::print(" | {:.0f} | {:.0f} |\n", nanoseconds_a_position(scores, 0, 1),
               nanoseconds_a_position(scores, 0.5, 1));
  }
}
