#include "hinge/tasks/graph/builder.h"

#include <algorithm>
#include <cmath>

#include "hinge/tasks/graph/finisher.h"
#include "hinge/tasks/graph/shared_drafts.h"
#include "hinge/tasks/label_sets.h"

namespace hinge {
namespace {

Index number_of(StringTable* growing, const StringTable& fixed, std::string_view name) {
  return growing != nullptr ? growing->intern(name) : fixed.find(name);
}

}  // namespace

void GraphBuilder::at(const std::string& file, std::size_t line) {
  file_ = file;
  line_ = line;
  if (!draft_.nodes.empty()) return;
  draft_.file = file;
  draft_.line = line;
}

Index GraphBuilder::node_feature(std::string_view name) {
  if (!selected()) return StringTable::kNone;
  return number_of(growing_ ? &growing_->node_features : nullptr, schema_.node_features, name);
}
Index GraphBuilder::edge_feature(std::string_view name) {
  if (!selected()) return StringTable::kNone;
  return number_of(growing_ ? &growing_->edge_features : nullptr, schema_.edge_features, name);
}

void GraphBuilder::feature(Index number, double value) {
  if (!selected()) return;
  if (!std::isfinite(static_cast<float>(value)))
    refuse("the value {} of a feature is too large: scale it.", value);
  if (number == StringTable::kNone)
    ++unseen_features_;
  else if (value != 0)
    row_.push_back({number, static_cast<float>(value)});
}

void GraphBuilder::end_row(FeatureRows& rows) {
  std::ranges::sort(row_, {}, &Entry::feature);
  const std::size_t begin = rows.attribute.size();
  for (const Entry& entry : row_) {
    if (rows.attribute.size() > begin && rows.attribute.back() == entry.feature) {
      rows.value.back() += entry.value;
    } else {
      rows.attribute.push_back(entry.feature);
      rows.value.push_back(entry.value);
    }
  }
  row_.clear();
  rows.start.push_back(static_cast<Index>(rows.attribute.size()));
}

std::optional<std::string_view> GraphBuilder::said(std::string_view text) {
  if (text == "-1" || text.empty()) return std::nullopt;
  if (!labels_in_text(text, names_)) return label_in_text(text);
  require_labels(names_, file_, line_);
  one_of(names_);
  return std::nullopt;
}

int GraphBuilder::draft_label(const Node& node) {
  if (hides_labels_) return kUnknown;
  if (node.label) return static_cast<int>(labels_.intern(*node.label));
  if (one_of_.empty()) return kUnknown;
  std::vector<int>& set = draft_.sets.emplace_back();
  for (const std::string& name : one_of_) set.push_back(static_cast<int>(labels_.intern(name)));
  return kSets - static_cast<int>(draft_.sets.size() - 1);
}

void GraphBuilder::node(const Node& node) {
  if (!selected()) return one_of_.clear();
  const std::size_t number = draft_.nodes.size();
  if (number == kMaxNodes) refuse("the graph has more than {} nodes: cut it into parts.", kMaxNodes);
  if (node.hidden && (node.label || !one_of_.empty()))
    refuse("node {} is hidden for good, but has the label '{}': leave out one of the two.", number,
           node.label ? *node.label : std::string_view(one_of_[0]));
  const Index type = number_of(growing_ ? &growing_->node_types : nullptr, schema_.node_types, node.type);
  if (type == StringTable::kNone)
    refuse("node {} is of type '{}', which training has not seen.", number, node.type);
  if (reading_.bias != 0) feature(node_feature(kConstantFeature), reading_.bias);
  end_row(draft_.node_features);
  draft_.nodes.push_back({draft_label(node), type, static_cast<Index>(node.states), node.hidden});
  one_of_.clear();
}

void GraphBuilder::edge(long long from, long long to, std::string_view type, bool featured) {
  if (!selected()) return;
  const auto nodes = static_cast<long long>(draft_.nodes.size());
  for (const long long end : {from, to})
    if (end < 0 || end >= nodes)
      refuse("the edge {}-{} has an end that is no node: nodes are numbered 0 to {}.", from, to, nodes - 1);
  if (from == to) refuse("the edge {}-{} joins a node to itself: leave it out.", from, to);
  const auto pair =
      static_cast<std::uint64_t>(std::min(from, to)) << 32 | static_cast<std::uint64_t>(std::max(from, to));
  if (!pairs_.insert(pair).second)
    refuse(
        "the edge {}-{} is there twice: make it one, with the features of both (the direction does not "
        "make two).",
        from, to);
  if (reading_.bias != 0)
    feature(edge_feature(kConstantFeature), reading_.bias);
  else if (!featured)
    feature(edge_feature(kConstantFeature), 1);
  end_row(draft_.edge_features);
  draft_.edges.push_back({{static_cast<Index>(from), static_cast<Index>(to)},
                          number_of(growing_ ? &growing_->edge_types : nullptr, schema_.edge_types, type)});
}

void GraphBuilder::end_graph(std::string source, double weight) {
  if (!selection_(graphs_++)) return;
  if (draft_.nodes.empty()) refuse("the graph has no node: leave it out.");
  if (draft_.file.empty()) draft_.file = fmt::format("graph {}", graphs_ - 1);
  draft_.source = std::move(source);
  draft_.weight = weight;
  draft_.unlabelled = hides_labels_;
  drafts_.push_back(std::move(draft_));
  draft_ = {};
  pairs_.clear();
}

GraphCorpus GraphBuilder::finish(Ranks* ranks) && {
  if (ranks != nullptr) merge_drafts(*ranks, *growing_, labels_, drafts_);
  GraphFinisher finisher(schema_, growing_, reading_, labels_, ranks);
  GraphCorpus corpus = finisher.finish(std::move(drafts_));
  corpus.unseen_features = unseen_features_;
  return corpus;
}

}  // namespace hinge
