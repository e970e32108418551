// Puts graphs together, node by node and edge by edge, as a reader meets them. What makes no graph is
// refused, with file and line. Graphs that are not selected leave no trace.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "hinge/core/errors.h"
#include "hinge/tasks/graph/corpus.h"
#include "hinge/tasks/graph/draft.h"
#include "hinge/tasks/selection.h"

namespace hinge {

class Ranks;

class GraphBuilder {
 public:
  static constexpr std::size_t kMaxNodes = 100'000'000;  // of a graph

  struct Node {
    std::optional<std::string_view> label = {};  // nothing: not known
    std::string_view type = {};
    std::size_t states = 0;  // 0: as many as there are labels
    bool hidden = false;     // for good
  };

  // With a growing schema (training) new names are added to it; with a fixed one, features that it lacks are
  // dropped and counted.
  GraphBuilder(GraphSchema& growing, const GraphReading& reading, Selection selection = {})
      : schema_(growing), growing_(&growing), reading_(reading), selection_(std::move(selection)) {}
  GraphBuilder(const GraphSchema& fixed, const GraphReading& reading, Selection selection = {})
      : schema_(fixed), reading_(reading), selection_(std::move(selection)) {}

  // A label that no node need have.
  void declare(std::string_view label) { labels_.intern(label); }
  // Whether labels that come from now on are not looked at.
  void hide_labels(bool hide) { hides_labels_ = hide; }
  std::size_t graphs() const { return graphs_; }  // that have ended, selected or not

  // Where the text that comes next stands; for messages. Without it they say the number of the graph.
  void at(const std::string& file, std::size_t line);
  // A feature's number; StringTable::kNone when the schema is fixed and lacks it, or the graph is not
  // selected.
  Index node_feature(std::string_view name);
  Index edge_feature(std::string_view name);
  // Adds a feature to the node or edge that comes next; values of a repeated one are summed.
  void feature(Index number, double value);
  // The label of the node that comes next is one of these; `node` then has none.
  void one_of(std::span<const std::string_view> names) { one_of_.assign(names.begin(), names.end()); }
  // What a file's text says of the label of the node that comes next: its name; nothing where it is '?', '-1' or empty;
  // one_of for '?A|B'.
  std::optional<std::string_view> said(std::string_view text);
  void node(const Node& node);
  // Nodes first. An edge that is not `featured` has the constant feature alone.
  void edge(long long from, long long to, std::string_view type, bool featured);
  void end_graph(std::string source, double weight = 1);

  // `ranks`, where there are any, have built other graphs of the same training data.
  GraphCorpus finish(Ranks* ranks = nullptr) &&;

 private:
  struct Entry {
    Index feature;
    float value;
  };
  bool selected() const { return selection_(graphs_); }  // the current graph
  void end_row(FeatureRows& rows);
  int draft_label(const Node& node);
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(file_.empty() ? fmt::format("graph {}", graphs_) : file_, line_, format,
            std::forward<Args>(args)...);
  }

  const GraphSchema& schema_;
  GraphSchema* growing_ = nullptr;
  const GraphReading& reading_;
  Selection selection_;
  std::size_t graphs_ = 0;
  bool hides_labels_ = false;
  StringTable labels_;  // texts, in order of appearance
  std::string file_;
  std::size_t line_ = 0, unseen_features_ = 0;
  std::vector<Entry> row_;
  std::vector<std::string> one_of_;  // of the node that comes next
  std::vector<std::string_view> names_;
  GraphDraft draft_;
  std::unordered_set<std::uint64_t> pairs_;  // of nodes that have an edge, in this graph
  std::vector<GraphDraft> drafts_;
};

}  // namespace hinge
