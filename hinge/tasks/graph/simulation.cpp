#include "hinge/tasks/graph/simulation.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/inference/graph_sampler.h"

namespace hinge {
namespace {

using Json = nlohmann::json;

std::vector<Graph::Edge> grid_edges(std::size_t rows, std::size_t columns) {
  std::vector<Graph::Edge> edges;
  const auto at = [&](std::size_t r, std::size_t c) { return static_cast<Index>(r * columns + c); };
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      if (c + 1 < columns) edges.push_back({at(r, c), at(r, c + 1)});
      if (r + 1 < rows) edges.push_back({at(r, c), at(r + 1, c)});
    }
  return edges;
}

Json edges_json(const std::vector<Graph::Edge>& edges) {
  Json list = Json::array();
  for (const auto& [from, to] : edges) list.push_back({from, to});
  return list;
}

std::size_t draw_from(const double* scores, std::size_t count, Random& random) {
  Vector probability(scores, scores + count);
  smooth_max(probability, 1, probability);
  double left = random.uniform() - probability[0];
  std::size_t state = 0;
  while (left >= 0 && state + 1 < count) left -= probability[++state];
  return state;
}

// Five regions: a frame, two halves, a disc in the one and a bar in the other.
int truth_at(int row, int column, int rows, int columns) {
  const double r = (row + 0.5) / rows, c = (column + 0.5) / columns;
  if (r < 0.15 || r > 0.85 || c < 0.075 || c > 0.925) return 1;
  const double from_centre = std::hypot(r - 0.5, 2 * (c - 0.28));
  if (from_centre < 0.25) return 4;
  if (c > 0.62 && c < 0.8 && r > 0.25 && r < 0.75) return 5;
  return c < 0.5 ? 2 : 3;
}

}  // namespace

FieldShape alternating_chain(std::size_t nodes) {
  FieldShape shape;
  for (std::size_t i = 0; i < nodes; ++i) {
    shape.hidden.push_back(i % 2 == 1);
    if (i > 0) shape.edges.push_back({static_cast<Index>(i - 1), static_cast<Index>(i)});
  }
  return shape;
}

FieldShape chain_with_leaves(std::size_t nodes) {
  FieldShape shape;
  const std::size_t chain = nodes / 2;
  shape.hidden.assign(chain, true);
  shape.hidden.resize(2 * chain, false);
  for (std::size_t i = 0; i < chain; ++i) {
    if (i > 0) shape.edges.push_back({static_cast<Index>(i - 1), static_cast<Index>(i)});
    shape.edges.push_back({static_cast<Index>(i), static_cast<Index>(chain + i)});
  }
  return shape;
}

FieldShape checkerboard(std::size_t rows, std::size_t columns) {
  FieldShape shape{grid_edges(rows, columns), {}};
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) shape.hidden.push_back((r + c) % 2 == 1);
  return shape;
}

SimulatedField::SimulatedField(FieldShape shape, const FieldOptions& options, Random& random)
    : shape_(std::move(shape)),
      states_(static_cast<std::size_t>(options.states)),
      graph_(std::vector<Index>(shape_.hidden.size(), static_cast<Index>(states_)), shape_.edges) {
  scores_.shape(graph_);
  for (std::size_t i = 0; i < graph_.nodes(); ++i) {
    Vector own(states_), input(states_);
    for (double& u : own)
      u = random.normal() * (shape_.hidden[i] ? options.hidden_deviation : options.single_deviation);
    for (double& v : input) v = random.normal() * options.single_deviation;
    Vector& joint = input_scores_.emplace_back(states_ * states_);
    for (std::size_t s = 0; s < states_; ++s)
      for (std::size_t x = 0; x < states_; ++x)
        joint[s * states_ + x] = input[x] + random.normal() * options.pair_deviation;
    for (std::size_t s = 0; s < states_; ++s)
      scores_.node(i)[s] = own[s] + smooth_max({joint.data() + s * states_, states_}, 1);
  }
  for (std::size_t e = 0; e < graph_.edges(); ++e)
    for (std::size_t k = 0; k < states_ * states_; ++k)
      scores_.edge(e)[k] = random.normal() * options.pair_deviation;
}

std::vector<std::string> SimulatedField::draw(std::size_t count, Random& random) const {
  const GraphSampler sampler(scores_);
  const Json edges = edges_json(shape_.edges);
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < count; ++k) {
    const Assignment s = sampler.draw(random);
    Json features = Json::array(), labels = Json::array();
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double* joint = input_scores_[i].data() + static_cast<std::size_t>(s[i]) * states_;
      features.push_back({fmt::format("x={}", draw_from(joint, states_, random))});
      labels.push_back(shape_.hidden[i] ? Json() : Json(s[i]));
    }
    const Json graph = {{"features", features},
                        {"labels", labels},
                        {"states", std::vector<std::size_t>(s.size(), states_)},
                        {"hidden", shape_.hidden},
                        {"edges", edges}};
    lines.push_back(graph.dump());
  }
  return lines;
}

std::vector<std::string> simulate_images(std::size_t count, const ImageOptions& options, double missing,
                                         Random& random) {
  const Json edges = edges_json(
      grid_edges(static_cast<std::size_t>(options.rows), static_cast<std::size_t>(options.columns)));
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < count; ++k) {
    Json features = Json::array(), labels = Json::array();
    for (int r = 0; r < options.rows; ++r)
      for (int c = 0; c < options.columns; ++c) {
        const int label = truth_at(r, c, options.rows, options.columns);
        features.push_back({label + options.noise * random.normal()});
        labels.push_back(random.uniform() < missing ? Json() : Json(label));
      }
    lines.push_back(Json{{"features", features}, {"labels", labels}, {"edges", edges}}.dump());
  }
  return lines;
}

}  // namespace hinge
