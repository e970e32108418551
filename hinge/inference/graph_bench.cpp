// Messages a second on a grid of 20 x 40 nodes with 5 states, and nanoseconds a node on hidden chains.
//
//     cmake --preset release -DHINGE_BENCH=ON && cmake --build --preset release --target graph_bench
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "hinge/core/random.h"
#include "hinge/inference/graph_engine.h"

namespace {

using namespace hinge;

// The best of several repeats, since the machine has other things to do.
double seconds(const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const auto start = Clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

GraphScores random_scores(const Graph& graph, std::uint64_t seed) {
  Random random(seed);
  GraphScores scores;
  scores.shape(graph);
  for (std::size_t c = 0; c < graph.node_cells(); ++c) scores.node(0)[c] = random.normal();
  for (std::size_t c = 0; c < graph.edge_cells(); ++c) scores.edge(0)[c] = 0.3 * random.normal();
  return scores;
}

void grid_messages(Index states) {
  constexpr Index rows = 20, columns = 40;
  std::vector<Graph::Edge> edges;
  for (Index i = 0; i < rows * columns; ++i) {
    if ((i + 1) % columns > 0) edges.push_back({i, i + 1});
    if (i + columns < rows * columns) edges.push_back({i, i + columns});
  }
  const Graph graph(std::vector<Index>(rows * columns, states), edges);
  const GraphScores scores = random_scores(graph, 1);
  GraphEngine engine;
  engine.settings = {.max_cells = 0, .search_cells = 0, .sums = "bethe", .tolerance = 1e-300};
  GraphCounts counts;
  for (double temperature : {0.0, 1.0}) {
    // The difference of a long run and a short one: nothing but sweeps.
    const auto timed = [&](int sweeps) {
      engine.settings.max_sweeps = sweeps;
      return seconds([&] { engine.solve(scores, temperature, temperature, counts); });
    };
    const int many = temperature == 0 ? 5 : 50;
    const double once = timed(1), a_sweep = (timed(many) - once) / (many - 1);
    fmt::print("| grid, {} states, {} | {:.1f} | {:.0f} | {:.0f} |\n", states,
               temperature == 0 ? "maxima" : "sums", 2e-6 * static_cast<double>(edges.size()) / a_sweep,
               1e9 * a_sweep / static_cast<double>(2 * edges.size()), 1e6 * once);
  }
}

void hidden_chain(Index states) {
  constexpr Index length = 40;
  std::vector<Graph::Edge> edges;
  for (Index i = 1; i < length; ++i) edges.push_back({i - 1, i});
  const Graph graph(std::vector<Index>(length, states), edges);
  GraphScores scores = random_scores(graph, 2);
  for (Index i = 1; i < length; i += 2) scores.hide(i);
  GraphEngine engine;
  GraphCounts counts;
  fmt::print("| {} |", states);
  for (const auto& [output, latent] : {std::pair{0.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}, {0.3, 1.0}}) {
    const double time = seconds([&] {
      for (int call = 0; call < 200; ++call) engine.solve(scores, output, latent, counts);
    });
    fmt::print(" {:.0f} |", 1e9 * time / (200 * length));
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  fmt::print(
      "| messages | million a second | ns each | us for one sweep with all else |\n|---|---|---|---|\n");
  for (Index states : {2, 5, 11, 21}) grid_messages(states);
  fmt::print("\nNanoseconds a node on a chain of outputs and hidden nodes in turn, by temperatures:\n\n");
  fmt::print("| states | 0, 0 | 0, 1 | 1, 1 | 0.3, 1 |\n|---|---|---|---|---|\n");
  for (Index states : {2, 4, 10, 26}) hidden_chain(states);
}
