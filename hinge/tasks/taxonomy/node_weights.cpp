#include "hinge/tasks/taxonomy/node_weights.h"

namespace hinge {
namespace {

void require_few(std::size_t weights) {
  if (weights > kMaxDimension)
    fail(
        "pairs of a feature and a class would be {} weights, more than {}: use `features` observed, or fewer "
        "features.",
        weights, kMaxDimension);
}

}  // namespace

NodeWeights NodeWeights::all(std::size_t features, std::size_t nodes) {
  require_few(features * nodes);
  return {features, nodes};
}

NodeWeights NodeWeights::observed(std::size_t features, std::size_t nodes,
                                  std::vector<std::pair<Index, Index>> pairs) {
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  require_few(pairs.size());
  std::vector<Index> first(features + 1), node;
  node.reserve(pairs.size());
  for (const auto& [feature, z] : pairs) {
    ++first[feature + 1];
    node.push_back(z);
  }
  for (std::size_t j = 0; j < features; ++j) first[j + 1] += first[j];
  return {features, nodes, std::move(first), std::move(node)};
}

void NodeWeights::save(Archive& archive) const {
  archive.arrays["pairs_begin"] = all_first();
  archive.arrays["pairs"] = all_columns();
}

NodeWeights NodeWeights::load(const Archive& archive, std::size_t features, std::size_t nodes) {
  const NodeWeights made(features, nodes, archive.get<Index>("pairs_begin"), archive.get<Index>("pairs"));
  if (!made.sound()) fail("the model's weights do not fit its features and classes: train the model again.");
  if (made.dense()) require_few(features * nodes);
  return made;
}

}  // namespace hinge
