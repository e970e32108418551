// What training fixes about graphs: dictionaries, and the kinds of nodes and edges. Each kind has weights of
// its own:
//
//     node of kind k in state a             weight (k, feature, a)
//     edge of kind k in states (a, b)       weight (k, feature, a, b);   (k, feature, b, a) is the same one
//                                           where the kind is symmetric
//     the same, where only agreement counts weight (k, feature, a) ≥ 0 where a = b; other pairs have none
//
// With shared weights a kind is (type, number of states, hidden or not) for nodes and (type, kinds of both
// ends) for edges. With weights per position, each node and each edge is a kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hinge/core/archive.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/graph/feature_scale.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

// The feature that a bias is; and the only one of an edge that has none.
inline constexpr std::string_view kConstantFeature = "constant";

struct NodeKind {
  Index type = 0;
  Index states = 0;
  bool hidden = false;  // for good: never an output
  friend bool operator==(const NodeKind&, const NodeKind&) = default;
};

struct EdgeKind {
  Index type = 0;
  Index from = 0, to = 0;  // kinds of its ends
  bool symmetric = false;
  friend bool operator==(const EdgeKind&, const EdgeKind&) = default;
};

struct GraphSchema {
  StringTable node_features, edge_features, labels, node_types, edge_types;
  std::vector<NodeKind> node_kinds;
  std::vector<EdgeKind> edge_kinds;
  bool per_position = false;
  bool agreement = false;  // edges have weights of equal states alone, which are not negative
  FeatureScale node_scale, edge_scale;
  // What a kernel makes of the features of nodes, null where there is none; the bias is not among them, and comes
  // behind.
  std::shared_ptr<const RowMap> node_map;
  Index bias = StringTable::kNone;  // the node feature that is a bias, if there is one

  // Features that a kernel compares.
  std::size_t compared() const { return node_features.size() - (bias != StringTable::kNone ? 1 : 0); }
  // Features that nodes have weights for.
  std::size_t node_width() const {
    return node_map ? node_map->size() + (bias != StringTable::kNone ? 1 : 0) : node_features.size();
  }

  // How many weights each feature of an edge of that kind has.
  std::size_t cells(const EdgeKind& kind) const {
    const std::size_t from = node_kinds[kind.from].states, to = node_kinds[kind.to].states;
    if (agreement) return from;
    return kind.symmetric ? from * (from + 1) / 2 : from * to;
  }
  std::size_t weights() const;

  // What a weight is of, for people.
  std::string weight_name(std::size_t weight) const;

  void save(Archive& archive) const;
  void load(const Archive& archive);

 private:
  std::string feature_name(std::size_t feature) const;  // of nodes
  std::string node_name(std::size_t kind) const;
  std::string edge_name(std::size_t kind) const;
  std::string state_name(const NodeKind& kind, std::size_t state) const;
};

}  // namespace hinge
