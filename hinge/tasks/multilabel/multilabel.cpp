#include "hinge/tasks/multilabel/multilabel.h"

#include "hinge/core/kernels.h"
#include "hinge/core/workspace.h"

namespace hinge {

MultilabelTask::MultilabelTask(Index features, Index labels, std::vector<Graph::Edge> pairs, bool normalised,
                               const GraphSettings& settings)
    : features_(features),
      graph_(std::vector<Index>(labels, 2), std::move(pairs)),
      hamming_{normalised},
      settings_(settings) {}

void MultilabelTask::score(const SparseRow& x, Weights w, GraphScores& scores) const {
  Vector& sums = scratch<Vector, struct MultilabelSums>();
  scores.shape(graph_);
  sums.assign(labels(), 0.0);
  kernels::add_rows(sums.data(), labels(), x.index.data(), x.value.data(), x.index.size(), w.data());
  for (Index l = 0; l < labels(); ++l) scores.node(l)[1] = sums[l];
  if (graph_.edges() > 0) std::ranges::copy(w.subspan(features_ * labels()), scores.edge(0));
}

void MultilabelTask::add_loss(const LabelSet& y, double weight, GraphScores& scores) const {
  hamming_.add(y.states, weight, [&](std::size_t l) { return std::span(scores.node(l), 2); });
  for (std::size_t s = 0; s < 2; ++s) scores.node(0)[s] += weight * missed(y);
}

std::string MultilabelTask::refusal(const Query& query) const {
  if (query.rescaling == Rescaling::slack && !CountedGraphEngine::countable(graph_, settings_))
    return "slack rescaling counts errors by exact inference, for which these pairs of labels are too many: "
           "use `pairs` tree, or margin rescaling.";
  return {};
}

double MultilabelTask::work(const SparseRow& x) const {
  constexpr double kMessages = 10;
  return static_cast<double>(x.index.size()) * (0.25 * labels() + 4) +
         kMessages / 8 * static_cast<double>(graph_.edge_cells());
}

}  // namespace hinge
