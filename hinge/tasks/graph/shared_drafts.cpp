#include "hinge/tasks/graph/shared_drafts.h"

#include "hinge/tasks/shared_records.h"

namespace hinge {
void merge_drafts(Ranks& ranks, GraphSchema& schema, StringTable& labels, std::vector<GraphDraft>& drafts) {
  const std::vector<Index> node_features = merge_names(ranks, schema.node_features),
                           edge_features = merge_names(ranks, schema.edge_features),
                           node_types = merge_names(ranks, schema.node_types),
                           edge_types = merge_names(ranks, schema.edge_types),
                           texts = merge_names(ranks, labels);
  for (GraphDraft& draft : drafts) {
    renumber(draft.node_features, node_features);
    renumber(draft.edge_features, edge_features);
    for (DraftNode& node : draft.nodes) {
      node.type = node_types[node.type];
      if (node.label >= 0) node.label = static_cast<int>(texts[static_cast<std::size_t>(node.label)]);
    }
    for (std::vector<int>& set : draft.sets)
      for (int& label : set) label = static_cast<int>(texts[static_cast<std::size_t>(label)]);
    for (DraftEdge& edge : draft.edges) edge.type = edge_types[edge.type];
  }
}

void largest_of_ranks(Ranks& ranks, std::vector<float>& values) {
  for (const std::vector<float>& theirs : told_by_all(ranks, values))
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::max(values[k], theirs[k]);
}

std::size_t largest_of_ranks(Ranks& ranks, std::size_t value) {
  for (const std::size_t theirs : told_by_all(ranks, value)) value = std::max(value, theirs);
  return value;
}

template <class Kind>
std::vector<Index> merge_kinds(Ranks& ranks, std::vector<Kind>& kinds) {
  const std::vector<std::vector<Kind>> all = told_by_all(ranks, kinds);
  std::vector<Kind> merged;
  std::vector<Index> numbers;
  for (std::size_t r = 0; r < all.size(); ++r)
    for (const Kind& kind : all[r]) {
      auto at = std::ranges::find(merged, kind);
      if (at == merged.end()) at = merged.insert(at, kind);
      if (r == ranks.rank()) numbers.push_back(static_cast<Index>(at - merged.begin()));
    }
  kinds = std::move(merged);
  return numbers;
}
template std::vector<Index> merge_kinds(Ranks&, std::vector<NodeKind>&);
template std::vector<Index> merge_kinds(Ranks&, std::vector<EdgeKind>&);

template <class Kind>
void take_first_kinds(Ranks& ranks, std::vector<Kind>& kinds) {
  for (std::vector<Kind>& theirs : told_by_all(ranks, kinds))
    if (!theirs.empty()) {
      kinds = std::move(theirs);
      return;
    }
}
template void take_first_kinds(Ranks&, std::vector<NodeKind>&);
template void take_first_kinds(Ranks&, std::vector<EdgeKind>&);

}  // namespace hinge
