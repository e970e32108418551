// Ways to the maximum of a Potts grid, whose numbers stand in a file: cut_bench FILE REPEATS [cut|expansion|...]...
//
//     cost(s) = Σ_i unary_i[s_i] + Σ_e weight_e [ends differ]
//
// The file has three 64-bit numbers (rows, columns, labels), then doubles: unary (row by row, label by label), weights of
// edges to the right, weights of edges down. Prints a JSON object for each way: the cost found, the bound from below, and
// processor seconds, the least of the repeats. bench/reproduce/cuts makes such files, and asks peers the same.
//
//     cmake --preset release -DHINGE_BENCH=ON && cmake --build --preset release --target cut_bench
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>

#include "hinge/core/errors.h"
#include "hinge/inference/graph_engine.h"

namespace {

using namespace hinge;

class Clock {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

struct Grid {
  std::int64_t rows, columns, labels;
  Vector unary, right, down;

  explicit Grid(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const auto read = [&](void* to, std::size_t bytes) {
      in.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    };
    for (std::int64_t* size : {&rows, &columns, &labels}) read(size, sizeof *size);
    if (!in) fail("{} is no grid.", path);
    const auto fill = [&](Vector& v, std::int64_t size) {
      v.resize(static_cast<std::size_t>(size));
      read(v.data(), v.size() * sizeof(double));
    };
    fill(unary, rows * columns * labels);
    fill(right, rows * (columns - 1));
    fill(down, (rows - 1) * columns);
    if (!in) fail("{} is cut off.", path);
  }
  std::size_t nodes() const { return static_cast<std::size_t>(rows * columns); }

  // Edges to the right and down, row by row, with their weights.
  template <class F>
  void for_each_edge(F&& f) const {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const auto i = static_cast<Index>(r * columns + c);
        if (c + 1 < columns) f(Graph::Edge{i, i + 1}, right[static_cast<std::size_t>(r * (columns - 1) + c)]);
        if (r + 1 < rows)
          f(Graph::Edge{i, i + static_cast<Index>(columns)}, down[static_cast<std::size_t>(r * columns + c)]);
      }
  }
};

// The flow alone, as a library of flows is used: build, then solve.
void flow(const Grid& grid, int repeats) {
  std::vector<Graph::Edge> edges;
  grid.for_each_edge([&](Graph::Edge edge, double) { edges.push_back(edge); });
  double least_build = 1e300, least_solve = 1e300, value = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Clock building;
    MaxFlow flow;
    flow.shape(grid.nodes(), edges);
    for (std::size_t i = 0; i < grid.nodes(); ++i)
      flow.add_terminals(i, grid.unary[2 * i + 1], grid.unary[2 * i]);
    std::size_t e = 0;
    grid.for_each_edge([&](Graph::Edge, double weight) { flow.add_edge(e++, weight, weight); });
    least_build = std::min(least_build, building.seconds());
    const Clock solving;
    value = flow.solve();
    least_solve = std::min(least_solve, solving.seconds());
  }
  fmt::print(R"({{"way": "flow", "cost": {}, "bound": {}, "build_seconds": {:.6f}, "seconds": {:.6f}}})"
             "\n",
             value, value, least_build, least_solve);
}

void engine(const GraphScores& scores, const std::string& way, int repeats) {
  double least = 1e300, value = 0;
  GraphEngine engine;
  engine.settings.max_cells = 0;
  engine.settings.search_cells = 0;
  engine.settings.maxima = way;
  GraphCounts counts;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Clock solving;
    value = engine.solve(scores, 0, 0, counts);
    least = std::min(least, solving.seconds());
  }
  fmt::print(R"({{"way": "{}", "cost": {}, "bound": {}, "seconds": {:.6f}, "exact": {}}})"
             "\n",
             way, -value, -engine.bound(), least, engine.answer().exact);
  std::fflush(stdout);
}

void run(int argc, char** argv) {
  const Grid grid(argv[1]);
  const int repeats = std::stoi(argv[2]);
  const auto labels = static_cast<std::size_t>(grid.labels);
  if (labels == 2) flow(grid, repeats);
  std::vector<Graph::Edge> edges;
  Vector weights;
  grid.for_each_edge(
      [&](Graph::Edge edge, double weight) { edges.push_back(edge), weights.push_back(weight); });
  const Graph graph(std::vector<Index>(grid.nodes(), static_cast<Index>(labels)), edges);
  GraphScores scores;
  scores.shape(graph);
  for (std::size_t c = 0; c < grid.unary.size(); ++c) scores.node(0)[c] = -grid.unary[c];
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (std::size_t a = 0; a < labels; ++a)
      for (std::size_t b = 0; b < labels; ++b) scores.edge(e)[a * labels + b] = a == b ? 0 : -weights[e];
  for (int k = 3; k < argc; ++k) engine(scores, argv[k], repeats);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: cut_bench FILE REPEATS WAY...\n");
    return 2;
  }
  try {
    run(argc, argv);
  } catch (const InputError& error) {
    fmt::print(stderr, "cut_bench: {}\n", error.what());
    return 2;
  }
}
