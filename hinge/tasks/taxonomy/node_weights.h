// The weights of pairs of a feature and a node (tasks/pair_index.h):
//
//     score[z] = Σ_j x_j w[index(j, z)]
//
// With observed pairs only, a feature has the nodes above classes that it was seen with.
#pragma once

#include <algorithm>

#include "hinge/core/archive.h"
#include "hinge/core/kernels.h"
#include "hinge/tasks/pair_index.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {

class NodeWeights : public PairIndex {
 public:
  static NodeWeights all(std::size_t features, std::size_t nodes);
  // Pairs (feature, node) in any order, some of them several times.
  static NodeWeights observed(std::size_t features, std::size_t nodes,
                              std::vector<std::pair<Index, Index>> pairs);

  // out[z] += the score of node z
  void score(const SparseRow& x, Weights w, double* out) const {
    if (dense()) {
      kernels::add_rows(out, columns(), x.index.data(), x.value.data(), x.index.size(), w.data());
      return;
    }
    for (std::size_t k = 0; k < x.index.size(); ++k)
      for (Index j = begin(x.index[k]); j < end(x.index[k]); ++j) out[column(j)] += x.value[k] * w[j];
  }
  // Pours amounts[z] · the features of every node z.
  template <class Sink>
  void features(const SparseRow& x, std::span<const double> amounts, Sink& sink) const {
    for (std::size_t k = 0; k < x.index.size(); ++k) {
      const double value = x.value[k];
      if (dense())
        sink.add_row(row(x.index[k]), amounts, value);
      else
        for (Index j = begin(x.index[k]); j < end(x.index[k]); ++j)
          if (amounts[column(j)] != 0) sink.add(j, value * amounts[column(j)]);
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
          sink.add(row(x.index[k]) + z, value * amount);
          continue;
        }
        const std::span<const Index> nodes = columns_of(x.index[k]);
        const auto found = std::ranges::lower_bound(nodes, z);
        if (found != nodes.end() && *found == z)
          sink.add(begin(x.index[k]) + static_cast<Index>(found - nodes.begin()), value * amount);
      }
    }
  }

  void save(Archive& archive) const;
  // Throws InputError where the archive's are of other numbers of features and nodes.
  static NodeWeights load(const Archive& archive, std::size_t features, std::size_t nodes);

 private:
  using PairIndex::PairIndex;
};

}  // namespace hinge
