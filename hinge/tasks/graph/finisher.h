// Makes a corpus of drafts once all are read: numbers the labels, finds the kind of each node and edge, and
// lets graphs of one shape share it.
//
// Labels are the names seen, in their order; or, where some output says how many states it has, the numbers
// 0, 1, ... up to the largest.
#pragma once

#include <unordered_map>

#include "hinge/core/ranks.h"
#include "hinge/tasks/graph/corpus.h"
#include "hinge/tasks/graph/draft.h"

namespace hinge {

class GraphFinisher {
 public:
  // `growing` is the schema itself when training, else null. `labels` are the texts that drafts refer to. `ranks`, where
  // there are any, have other drafts of the same training data (shared_drafts.h).
  GraphFinisher(const GraphSchema& schema, GraphSchema* growing, const GraphReading& reading,
                const StringTable& labels, Ranks* ranks = nullptr)
      : schema_(schema), growing_(growing), reading_(reading), texts_(labels), ranks_(ranks) {}

  GraphCorpus finish(std::vector<GraphDraft> drafts);

 private:
  void number_labels();
  void fill_labels(const std::vector<GraphDraft>& drafts);
  // Kinds of nodes as all ranks number them, before edges are turned by them; of the first graph where each position is
  // a kind.
  void share_node_kinds(const std::vector<GraphDraft>& drafts);
  void share_edge_kinds();
  std::size_t state_of(const GraphDraft& draft, int text) const;
  void check(const GraphDraft& draft) const;
  GraphInput input(GraphDraft& draft);
  Labels labels(const GraphDraft& draft, const GraphInput& input);
  // Where a label is one of several, those that the schema has go to y.one_of; where it has none, the first is the label.
  int label_of_set(const std::vector<int>& texts, std::size_t node, Labels& y) const;

  Index node_kind(const GraphDraft& draft, std::size_t i);
  // Turns the edge around where that makes no difference; StringTable::kNone when the schema lacks the kind.
  // Whether the ends of an edge can agree, and its features say how much that is worth.
  void check_agreement(const GraphDraft& draft, std::size_t e, const std::vector<Index>& node_kind) const;
  Index edge_kind(const GraphDraft& draft, std::size_t e, const std::vector<Index>& node_kind,
                  Graph::Edge& ends);
  void scale();
  void map_nodes();
  void check_positions(const GraphDraft& draft);
  std::shared_ptr<const Graph> shape(std::vector<Index> states, std::vector<Graph::Edge> edges);

  const GraphSchema& schema_;
  GraphSchema* growing_;
  const GraphReading& reading_;
  const StringTable& texts_;
  Ranks* ranks_;
  std::vector<int> label_;  // of each text
  GraphCorpus corpus_;
  std::unordered_map<std::size_t, std::vector<std::shared_ptr<const Graph>>> shapes_;  // by hash
};

}  // namespace hinge
