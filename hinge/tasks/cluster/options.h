// Options of cluster.
#pragma once

#include "hinge/core/options.h"
#include "hinge/tasks/cluster/structures.h"

namespace hinge {

struct ClusterModel {
  std::string structure = "forest";
  double link_penalty = 1;
  std::vector<std::string> comparators;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("structure", self.structure, range::one_of(cluster_structures()),
          "what makes clusters: a spanning forest of links that is hidden, one antecedent for each item, all "
          "pairs of a cluster (correlation clustering), or each pair by itself and what they connect");
    visit("link_penalty", self.link_penalty, range::not_negative,
          "r, what a link between two clusters costs where a missing one costs 1");
    visit("comparators", self.comparators, range::any,
          "features of pairs from fields of items, such as equal:text or distance:order+values:kind; "
          "'mentions' are those for coreference (mentions, as far as the data has their fields)");
  }
};

struct ClusterOutput {
  std::string output_format = "data";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("output_format", self.output_format, range::one_of({"data", "jsonl"}),
          "write predictions into the data's own format, or as JSON Lines of items and clusters");
  }
};

struct ClusterOptions {
  ClusterModel model;
  ClusterOutput output;

  std::vector<OptionRef> train() { return list_options(model); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() { return list_options(model); }
};

}  // namespace hinge
