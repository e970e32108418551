// A graph as a file gives it, before labels are numbered and kinds are known.
#pragma once

#include <string>
#include <vector>

#include "hinge/inference/graph.h"
#include "hinge/tasks/feature_rows.h"
#include "hinge/tasks/labels.h"

namespace hinge {

// Labels from here down are sets: kSets − s is the draft's set s, one of whose labels it is.
inline constexpr int kSets = kUnknown - 1;

struct DraftNode {
  int label;     // the number of its text among all texts, kUnknown, or a set
  Index type;    // into the schema's
  Index states;  // 0: as many as there are labels
  bool hidden;   // for good
};

struct DraftEdge {
  Graph::Edge ends;
  Index type;  // into the schema's; StringTable::kNone where it lacks it
};

struct GraphDraft {
  std::string file;  // where it begins
  std::size_t line = 0;
  std::vector<DraftNode> nodes;
  std::vector<std::vector<int>> sets;  // numbers of texts
  std::vector<DraftEdge> edges;
  FeatureRows node_features, edge_features;
  std::string source;
  bool unlabelled = false;  // on purpose: nothing is looked for in its labels
  double weight = 1;
};

}  // namespace hinge
