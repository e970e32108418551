// What files of documents say: items with their fields, clusters where they are known, features of pairs.
#pragma once

#include <algorithm>

#include "hinge/core/errors.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/cluster/items.h"

namespace hinge {

struct ClusterRecords {
  std::vector<ItemDocument> documents;
  StringTable pair_features;  // names of those that the data gives

  // Numbers clusters anew, by their first items, and names a document that has no name by its number. Throws
  // InputError, which says the number of the document.
  void add(ItemDocument document) {
    const std::size_t items = document.items.items();
    if (document.clusters) {
      if (document.clusters->size() != items || cluster_count(*document.clusters) > items)
        fail("document {} has {} items, but clusters of {}: give the cluster of each, below their number.",
             documents.size(), items, document.clusters->size());
      document.clusters = renumbered(*std::move(document.clusters));
    }
    const auto& [pair, rows] = document.pairs;
    if (pair.size() != rows.length())
      fail("document {} has {} pairs, but {} rows of features for them: give one for each.", documents.size(),
           pair.size(), rows.length());
    if (!std::ranges::is_sorted(pair, std::ranges::less_equal()) ||
        (!pair.empty() && pair.back() >= items * (items - 1) / 2))
      fail("the pairs of document {} do not ascend, each once, below n (n - 1) / 2.", documents.size());
    if (std::ranges::any_of(rows.attribute, [&](Index f) { return f >= pair_features.size(); }))
      fail("document {} has a pair with a feature that `pair_features` does not name.", documents.size());
    if (document.name.empty()) document.name = fmt::format("document {}", documents.size());
    documents.push_back(std::move(document));
  }
};

}  // namespace hinge
