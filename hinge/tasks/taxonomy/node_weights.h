// Which pairs of a feature and a node have a weight, and where:
//
//     score[z] = Σ_j x_j w[index(j, z)]
//
// With all pairs, index(j, z) = j · nodes + z. With observed pairs only, a feature has a short ascending list
// of nodes, those above classes that it was seen with: memory by what the data holds, whatever the number of
// classes.
#pragma once

#include <algorithm>

#include "hinge/core/archive.h"
#include "hinge/core/kernels.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

class NodeWeights {
 public:
  static NodeWeights all(std::size_t features, std::size_t nodes);
  // Pairs (feature, node) in any order, some of them several times.
  static NodeWeights observed(std::size_t features, std::size_t nodes,
                              std::vector<std::pair<Index, Index>> pairs);

  std::size_t size() const { return dense() ? features_ * nodes_ : node_.size(); }
  bool dense() const { return first_.empty(); }
  std::pair<Index, Index> pair(Index weight) const;

  // out[z] += the score of node z
  void score(const SparseRow& x, Weights w, double* out) const {
    if (dense()) {
      kernels::add_rows(out, nodes_, x.index.data(), x.value.data(), x.index.size(), w.data());
      return;
    }
    for (std::size_t k = 0; k < x.index.size(); ++k)
      for (Index j = first_[x.index[k]]; j < first_[x.index[k] + 1]; ++j) out[node_[j]] += x.value[k] * w[j];
  }
  // Pours amounts[z] · the features of every node z.
  template <class Sink>
  void features(const SparseRow& x, std::span<const double> amounts, Sink& sink) const {
    for (std::size_t k = 0; k < x.index.size(); ++k) {
      const double value = x.value[k];
      if (dense())
        sink.add_row(static_cast<Index>(x.index[k] * nodes_), amounts, value);
      else
        for (Index j = first_[x.index[k]]; j < first_[x.index[k] + 1]; ++j)
          if (amounts[node_[j]] != 0) sink.add(j, value * amounts[node_[j]]);
    }
  }
  // Pours amount · the features of some nodes, which ascend: `uses` has (node, amount), less `first` nodes.
  template <class Uses, class Sink>
  void features_of(const SparseRow& x, const Uses& uses, Index first, Sink& sink) const {
    for (std::size_t k = 0; k < x.index.size(); ++k) {
      const double value = x.value[k];
      for (const auto& [node, amount] : uses) {
        if (node < first) continue;
        const Index z = node - first;
        if (dense()) {
          sink.add(static_cast<Index>(x.index[k] * nodes_) + z, value * amount);
          continue;
        }
        const auto begin = node_.begin() + first_[x.index[k]], end = node_.begin() + first_[x.index[k] + 1];
        const auto found = std::lower_bound(begin, end, z);
        if (found != end && *found == z) sink.add(static_cast<Index>(found - node_.begin()), value * amount);
      }
    }
  }

  void save(Archive& archive) const;
  // Throws InputError where the archive's are of other numbers of features and nodes.
  static NodeWeights load(const Archive& archive, std::size_t features, std::size_t nodes);

 private:
  std::size_t features_ = 0, nodes_ = 0;
  std::vector<Index> first_;  // of each feature in node_, and the end; empty when all pairs have a weight
  std::vector<Index> node_;   // of each weight
};

}  // namespace hinge
