#include "hinge/tasks/graph/graph_task.h"

#include "hinge/core/errors.h"
#include "hinge/core/workspace.h"

namespace hinge {

GraphTask::GraphTask(const GraphSchema& schema, Hamming hamming, const GraphSettings& settings)
    : hamming_(std::move(hamming)), settings_(settings), agreement_(schema.agreement) {
  if (schema.weights() > kMaxDimension)
    fail("{} node features and {} edge features times their states are {} weights, more than 2^31.",
         schema.node_width(), schema.edge_features.size(), schema.weights());
  std::size_t next = 0;
  for (const NodeKind& kind : schema.node_kinds) {
    nodes_.push_back({next, kind.states, kind.hidden});
    next += schema.node_width() * kind.states;
  }
  for (const EdgeKind& kind : schema.edge_kinds) {
    edges_.push_back({next, schema.cells(kind), schema.node_kinds[kind.from].states,
                      schema.node_kinds[kind.to].states, kind.symmetric});
    next += schema.edge_features.size() * schema.cells(kind);
  }
  dimension_ = static_cast<Index>(next);
}

std::vector<Index> GraphTask::nonnegative() const {
  std::vector<Index> indices;
  if (agreement_ && !edges_.empty())
    for (std::size_t j = edges_.front().begin; j < dimension_; ++j) indices.push_back(static_cast<Index>(j));
  return indices;
}

namespace {

// out[c] += Σ over the features of row t of value · w[feature · cells + c]
void add_rows(const FeatureRows& rows, std::size_t t, std::size_t cells, const double* w, double* out) {
  const std::size_t begin = rows.start[t], count = rows.start[t + 1] - begin;
  kernels::add_rows(out, cells, rows.attribute.data() + begin,
                    rows.value.empty() ? nullptr : rows.value.data() + begin, count, w);
}

}  // namespace

void GraphTask::score(const GraphInput& x, Weights w, GraphScores& scores) const {
  scores.shape(*x.shape);
  for (std::size_t i = 0; i < x.node_kind.size(); ++i) {
    const NodeBlock& block = nodes_[x.node_kind[i]];
    if (block.hidden) scores.hide(i);
    add_rows(x.nodes, i, block.states, w.data() + block.begin, scores.node(i));
  }
  Vector& folded = scratch<Vector, struct GraphTaskFolded>();
  for (std::size_t e = 0; e < x.edge_kind.size(); ++e) {
    const EdgeBlock& block = edges_[x.edge_kind[e]];
    double* table = scores.edge(e);
    if (!folds(block)) {
      add_rows(x.edges, e, block.cells, w.data() + block.begin, table);
      continue;
    }
    folded.assign(block.cells, 0.0);
    add_rows(x.edges, e, block.cells, w.data() + block.begin, folded.data());
    for_each_folded(block, [&](std::size_t c, std::size_t a, std::size_t b) {
      table[a * block.to + b] = table[b * block.to + a] = folded[c];
    });
  }
}

double GraphTask::work(const GraphInput& x) const {
  constexpr double kMessages = 10;
  const Graph& graph = *x.shape;
  double sum = kMessages * static_cast<double>(graph.edge_cells());
  for (std::size_t i = 0; i < graph.nodes(); ++i)
    sum += static_cast<double>((x.nodes.start[i + 1] - x.nodes.start[i]) * graph.states(i));
  for (std::size_t e = 0; e < graph.edges(); ++e)
    sum += static_cast<double>((x.edges.start[e + 1] - x.edges.start[e]) * edges_[x.edge_kind[e]].cells);
  return sum / 8;
}

}  // namespace hinge
