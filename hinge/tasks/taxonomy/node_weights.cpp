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
  NodeWeights made;
  made.features_ = features;
  made.nodes_ = nodes;
  return made;
}

NodeWeights NodeWeights::observed(std::size_t features, std::size_t nodes,
                                  std::vector<std::pair<Index, Index>> pairs) {
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  require_few(pairs.size());
  NodeWeights made;
  made.features_ = features;
  made.nodes_ = nodes;
  made.first_.assign(features + 1, 0);
  made.node_.reserve(pairs.size());
  for (const auto& [feature, node] : pairs) {
    ++made.first_[feature + 1];
    made.node_.push_back(node);
  }
  for (std::size_t j = 0; j < features; ++j) made.first_[j + 1] += made.first_[j];
  return made;
}

std::pair<Index, Index> NodeWeights::pair(Index weight) const {
  if (dense()) return {static_cast<Index>(weight / nodes_), static_cast<Index>(weight % nodes_)};
  const auto after = std::ranges::upper_bound(first_, weight);
  return {static_cast<Index>(after - first_.begin() - 1), node_[weight]};
}

void NodeWeights::save(Archive& archive) const {
  archive.arrays["pairs_begin"] = first_;
  archive.arrays["pairs"] = node_;
}

NodeWeights NodeWeights::load(const Archive& archive, std::size_t features, std::size_t nodes) {
  NodeWeights made = all(0, 0);
  made.features_ = features;
  made.nodes_ = nodes;
  made.first_ = archive.get<Index>("pairs_begin");
  made.node_ = archive.get<Index>("pairs");
  bool fits = made.first_.empty()
                  ? made.node_.empty()
                  : made.first_.size() == features + 1 && made.first_.front() == 0 &&
                        made.first_.back() == made.node_.size() && std::ranges::is_sorted(made.first_);
  for (std::size_t j = 0; fits && j + 1 < made.first_.size(); ++j) {
    const std::span<const Index> own(made.node_.data() + made.first_[j], made.first_[j + 1] - made.first_[j]);
    fits = std::ranges::is_sorted(own, std::ranges::less_equal()) && (own.empty() || own.back() < nodes);
  }
  if (!fits) fail("the model's weights do not fit its features and classes: train the model again.");
  if (made.dense()) require_few(features * nodes);
  return made;
}

}  // namespace hinge
