#include "hinge/tasks/graph/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace hinge {
namespace {

using nlohmann::json;

TEST(Simulation, ShapesAreWhatTheyAreCalled) {
  const FieldShape chain = alternating_chain(5);
  EXPECT_EQ(chain.hidden, (std::vector<bool>{false, true, false, true, false}));
  EXPECT_EQ(chain.edges.size(), 4u);
  const FieldShape leaves = chain_with_leaves(6);
  EXPECT_EQ(leaves.hidden, (std::vector<bool>{true, true, true, false, false, false}));
  EXPECT_EQ(leaves.edges.size(), 5u);
  const FieldShape grid = checkerboard(3, 2);
  EXPECT_EQ(grid.hidden, (std::vector<bool>{false, true, true, false, false, true}));
  EXPECT_EQ(grid.edges.size(), 7u);
  for (const auto& [from, to] : grid.edges) EXPECT_NE(grid.hidden[from], grid.hidden[to]);
}

TEST(Simulation, TheSameSeedDrawsTheSameGraphs) {
  const auto draw = [](std::uint64_t seed) {
    Random random(seed);
    return SimulatedField(alternating_chain(8), {}, random).draw(5, random);
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

// With pairs that do not matter, an output's states are drawn by exp(u) alone.
TEST(Simulation, WithoutPairsStatesFollowTheirOwnWeights) {
  FieldOptions options;
  options.pair_deviation = 0;
  options.single_deviation = 1;
  options.states = 3;
  Random random(4), same(4);
  const SimulatedField field(alternating_chain(2), options, random);
  Vector u(3);
  for (double& v : u) v = same.normal();
  smooth_max(u, 1, u);
  constexpr std::size_t draws = 20000;
  std::vector<double> seen(3);
  for (const std::string& line : field.draw(draws, random)) {
    const json graph = json::parse(line);
    EXPECT_TRUE(graph["labels"][1].is_null());
    EXPECT_TRUE(graph["hidden"][1].get<bool>());
    ++seen[graph["labels"][0].get<std::size_t>()];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double deviation = std::sqrt(u[k] * (1 - u[k]) / draws);
    EXPECT_NEAR(seen[k] / draws, u[k], 5 * deviation);
  }
}

TEST(Simulation, ImagesShowFiveLabelsAndLackTheirShare) {
  Random random(1);
  ImageOptions options;
  std::size_t missing = 0, all = 0;
  std::vector<std::size_t> labels(6);
  for (const std::string& line : simulate_images(20, options, 0.3, random)) {
    const json graph = json::parse(line);
    EXPECT_EQ(graph["edges"].size(), 20u * 39 + 19u * 40);
    for (const json& label : graph["labels"]) {
      ++all;
      if (label.is_null())
        ++missing;
      else
        ++labels.at(label.get<std::size_t>());
    }
  }
  const double share = static_cast<double>(missing) / static_cast<double>(all);
  EXPECT_NEAR(share, 0.3, 5 * std::sqrt(0.21 / static_cast<double>(all)));
  EXPECT_EQ(labels[0], 0u);
  for (std::size_t k = 1; k <= 5; ++k) EXPECT_GT(labels[k], all / 50);
}

}  // namespace
}  // namespace hinge
