// Graphs with hidden nodes, drawn from a random field, as JSON Lines: the simulated data of Ping, Liu & Ihler
// 2014, section 7.
//
//     p(x, s) ∝ exp( Σ_i ( v_i[x_i] + u_i[s_i] + A_i[x_i, s_i] ) + Σ_e B_e[s_from(e), s_to(e)] )
//
// Each node i has a state s_i, hidden or an output, and an input x_i, all with the same number of states.
// Every weight is drawn from a normal distribution of mean 0, once; then graphs are drawn from p exactly:
// inputs are summed out, states drawn by elimination, inputs drawn given them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/core/random.h"
#include "hinge/inference/graph.h"

namespace hinge {

struct FieldOptions {
  int nodes = 20;
  int rows = 6;
  int columns = 6;
  int states = 4;
  double single_deviation = 0.1;
  double hidden_deviation = 0.1;
  double pair_deviation = 2;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("nodes", self.nodes, range::between(2, 1e6), "states of a chain: outputs and hidden ones together");
    visit("rows", self.rows, range::between(1, 64), "of a grid");
    visit("columns", self.columns, range::between(1, 64), "of a grid");
    visit("states", self.states, range::between(2, 64), "of every node and every input");
    visit("single_deviation", self.single_deviation, range::not_negative,
          "standard deviation of the weights of an output's state and of an input's");
    visit("hidden_deviation", self.hidden_deviation, range::not_negative,
          "the same of a hidden node's state: the smaller, the less certain it is");
    visit("pair_deviation", self.pair_deviation, range::not_negative,
          "the same of pairs: of neighbours, of node and input");
  }
};

// A shape of field, whose nodes are outputs or hidden.
struct FieldShape {
  std::vector<Graph::Edge> edges;
  std::vector<bool> hidden;
};
FieldShape alternating_chain(std::size_t nodes);  // y h y h ...
FieldShape chain_with_leaves(std::size_t nodes);  // half of them a chain of h, with an output at each
FieldShape checkerboard(std::size_t rows, std::size_t columns);

// A field with its weights; draws graphs, a line of JSON each.
class SimulatedField {
 public:
  SimulatedField(FieldShape shape, const FieldOptions& options, Random& random);
  std::vector<std::string> draw(std::size_t count, Random& random) const;

 private:
  FieldShape shape_;
  std::size_t states_;
  Graph graph_;
  GraphScores scores_;                // with inputs summed out
  std::vector<Vector> input_scores_;  // of node i: v_i[x] + A_i[x, s] at s · states + x
};

struct ImageOptions {
  int rows = 20;
  int columns = 40;
  double noise = 2.2360679774997896;
  double missing = 0.5;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("rows", self.rows, range::between(5, 1000), "of an image");
    visit("columns", self.columns, range::between(5, 1000), "of an image");
    visit("noise", self.noise, range::not_negative,
          "standard deviation of the noise that is added to labels 1 to 5");
    visit("missing", self.missing, range::between(0, 1), "share of the labels that training data lacks");
  }
};

// One truth of five labels, seen with noise; `missing` labels are null.
std::vector<std::string> simulate_images(std::size_t count, const ImageOptions& options, double missing,
                                         Random& random);

}  // namespace hinge
