#include "hinge/tasks/graph/finisher.h"

#include <algorithm>

#include "hinge/core/text_file.h"
#include "hinge/tasks/graph/shared_drafts.h"
#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

constexpr std::string_view kUnlabelled = "unlabelled";
constexpr long long kMaxStates = 1'000'000;

bool known(const DraftNode& node) { return node.label != kUnknown; }
bool kept(const DraftNode& node) { return node.hidden || known(node); }

// f(number of a text that the node's label may be)
template <class F>
void for_each_text(const GraphDraft& draft, const DraftNode& node, F&& f) {
  if (node.label >= 0) f(node.label);
  if (node.label <= kSets)
    for (const int text : draft.sets[static_cast<std::size_t>(kSets - node.label)]) f(text);
}

// Leaves out the outputs without a label, and their edges.
void drop_unlabelled(GraphDraft& draft) {
  GraphDraft small;
  std::vector<Index> number(draft.nodes.size());
  const auto copy_row = [](const FeatureRows& from, std::size_t t, FeatureRows& to) {
    const auto begin = static_cast<std::ptrdiff_t>(from.start[t]),
               end = static_cast<std::ptrdiff_t>(from.start[t + 1]);
    to.attribute.insert(to.attribute.end(), from.attribute.begin() + begin, from.attribute.begin() + end);
    to.value.insert(to.value.end(), from.value.begin() + begin, from.value.begin() + end);
    to.start.push_back(static_cast<Index>(to.attribute.size()));
  };
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    if (!kept(draft.nodes[i])) continue;
    number[i] = static_cast<Index>(small.nodes.size());
    small.nodes.push_back(draft.nodes[i]);
    copy_row(draft.node_features, i, small.node_features);
  }
  for (std::size_t e = 0; e < draft.edges.size(); ++e) {
    const auto& [ends, type] = draft.edges[e];
    if (!kept(draft.nodes[ends.from]) || !kept(draft.nodes[ends.to])) continue;
    small.edges.push_back({{number[ends.from], number[ends.to]}, type});
    copy_row(draft.edge_features, e, small.edge_features);
  }
  draft.nodes = std::move(small.nodes);
  draft.edges = std::move(small.edges);
  draft.node_features = std::move(small.node_features);
  draft.edge_features = std::move(small.edge_features);
}

// Inference holds a number for each state of a node and each pair of states of an edge.
void check_tables(const GraphDraft& draft, const std::vector<Index>& states,
                  const std::vector<Graph::Edge>& edges) {
  constexpr double most = std::size_t{1} << 31;
  double cells = 0;
  for (const Index k : states) cells += k;
  for (const auto& [from, to] : edges) cells += static_cast<double>(states[from]) * states[to];
  if (cells > most)
    fail_at(
        draft.file, draft.line,
        "the graph has {:.0f} pairs of states on its edges, more than the {:.0f} that inference can hold: "
        "make it smaller, or its states fewer.",
        cells, most);
}

void forget_ones(FeatureRows& rows) {
  if (std::ranges::all_of(rows.value, [](float v) { return v == 1; })) rows.value.clear();
  rows.value.shrink_to_fit();
}

}  // namespace

GraphCorpus GraphFinisher::finish(std::vector<GraphDraft> drafts) {
  together(ranks_, [&] {
    for (const GraphDraft& draft : drafts) check(draft);
  });
  if (growing_ != nullptr && reading_.unlabelled == "drop")
    for (GraphDraft& draft : drafts)
      if (!draft.unlabelled) drop_unlabelled(draft);
  if (growing_ != nullptr) fill_labels(drafts);
  number_labels();
  if (ranks_ != nullptr) share_node_kinds(drafts);
  together(ranks_, [&] {
    for (GraphDraft& draft : drafts) {
      GraphInput made = input(draft);
      corpus_.labels.push_back(labels(draft, made));
      corpus_.inputs.push_back(std::move(made));
      corpus_.weights.push_back(draft.weight);
      corpus_.sources.push_back(std::move(draft.source));
      draft = {};
    }
  });
  if (ranks_ != nullptr) share_edge_kinds();
  scale();
  map_nodes();
  return std::move(corpus_);
}

void GraphFinisher::share_node_kinds(const std::vector<GraphDraft>& drafts) {
  together(ranks_, [&] {
    for (const GraphDraft& draft : drafts) {
      if (schema_.per_position && &draft != &drafts.front()) break;
      for (std::size_t i = 0; i < draft.nodes.size(); ++i) node_kind(draft, i);
    }
    if (!schema_.per_position || drafts.empty()) return;
    for (const auto& [ends, type] : drafts.front().edges)
      growing_->edge_kinds.push_back({type, ends.from, ends.to, false});
  });
  if (!schema_.per_position) {
    merge_kinds(*ranks_, growing_->node_kinds);
    return;
  }
  take_first_kinds(*ranks_, growing_->node_kinds);
  take_first_kinds(*ranks_, growing_->edge_kinds);
}

void GraphFinisher::share_edge_kinds() {
  if (schema_.per_position) return;
  const std::vector<Index> number = merge_kinds(*ranks_, growing_->edge_kinds);
  for (GraphInput& input : corpus_.inputs)
    for (Index& kind : input.edge_kind) kind = number[kind];
}

void GraphFinisher::scale() {
  if (growing_ != nullptr && reading_.scale) {
    // A feature that is nowhere but 0 keeps its size.
    growing_->node_scale.divisor.assign(schema_.node_features.size(), 0.0f);
    growing_->edge_scale.divisor.assign(schema_.edge_features.size(), 0.0f);
    for (const GraphInput& input : corpus_.inputs) {
      growing_->node_scale.fit(input.nodes);
      growing_->edge_scale.fit(input.edges);
    }
    for (auto* scale : {&growing_->node_scale, &growing_->edge_scale}) {
      if (ranks_ != nullptr) largest_of_ranks(*ranks_, scale->divisor);
      std::ranges::replace(scale->divisor, 0.0f, 1.0f);
    }
  }
  for (GraphInput& input : corpus_.inputs) {
    schema_.node_scale.apply(input.nodes);
    schema_.edge_scale.apply(input.edges);
  }
}

void GraphFinisher::map_nodes() {
  if (growing_ != nullptr && reading_.kernel.any()) {
    if (reading_.bias != 0) growing_->bias = schema_.node_features.find(kConstantFeature);
    if (schema_.compared() == 0) fail("no node has a feature that a `kernel` could compare: leave it out.");
    std::vector<SparseRow> rows;
    for (const GraphInput& input : corpus_.inputs)
      for (std::size_t t = 0; t < input.nodes.length(); ++t)
        rows.push_back(row_of(input.nodes, t, schema_.bias));
    growing_->node_map = make_row_map(rows, schema_.compared(), reading_.kernel);
  }
  if (!schema_.node_map) return;
  const RowMap& map = *schema_.node_map;
  for (GraphInput& input : corpus_.inputs) {
    FeatureRows made;
    for (std::size_t t = 0; t < input.nodes.length(); ++t) {
      const SparseRow row = mapped(map, row_of(input.nodes, t, schema_.bias));
      made.attribute.insert(made.attribute.end(), row.index.begin(), row.index.end());
      made.value.insert(made.value.end(), row.value.begin(), row.value.end());
      for (std::size_t k = input.nodes.start[t]; k < input.nodes.start[t + 1]; ++k) {
        if (input.nodes.attribute[k] != schema_.bias) continue;
        made.attribute.push_back(static_cast<Index>(map.size()));
        made.value.push_back(input.nodes.value_of(k));
      }
      made.start.push_back(static_cast<Index>(made.attribute.size()));
    }
    input.nodes = std::move(made);
  }
}

void GraphFinisher::check(const GraphDraft& draft) const {
  if (std::ranges::all_of(draft.nodes, &DraftNode::hidden))
    fail_at(draft.file, draft.line, "the graph has no output: every node is hidden for good.");
  if (growing_ != nullptr && !draft.unlabelled && std::ranges::none_of(draft.nodes, known))
    fail_at(draft.file, draft.line,
            "no label of the graph is known, so that there is nothing to learn from it: leave it out.");
}

void GraphFinisher::fill_labels(const std::vector<GraphDraft>& drafts) {
  std::size_t states = 0;
  bool unlabelled = false;
  for (const GraphDraft& draft : drafts)
    for (const DraftNode& node : draft.nodes)
      if (!node.hidden) {
        states = std::max<std::size_t>(states, node.states);
        unlabelled |= !known(node) && !draft.unlabelled;
      }
  if (ranks_ != nullptr) {
    states = largest_of_ranks(*ranks_, states);
    unlabelled = ranks_->any(unlabelled);
  }
  StringTable& labels = growing_->labels;
  if (states == 0) {
    for (const std::string& name : sorted_names(texts_)) labels.intern(name);
  } else {
    together(ranks_, [&] {
      for (const GraphDraft& draft : drafts)
        for (const DraftNode& node : draft.nodes)
          for_each_text(draft, node, [&](int text) { states = std::max(states, state_of(draft, text)); });
    });
    if (ranks_ != nullptr) states = largest_of_ranks(*ranks_, states);
    for (std::size_t k = 0; k < states; ++k) labels.intern(std::to_string(k));
  }
  if (unlabelled && reading_.unlabelled == "class") labels.intern(kUnlabelled);
  if (labels.size() == 1)
    fail("every label is '{}', but there is nothing to learn from one label: add data with another.",
         labels.text(0));
}

// One more than the state that a label is the number of.
std::size_t GraphFinisher::state_of(const GraphDraft& draft, int label) const {
  const std::string_view text = texts_.text(static_cast<Index>(label));
  long long number = 0;
  if (!parse_integer(text, number) || number < 0 || number > kMaxStates)
    fail_at(draft.file, draft.line,
            "the label '{}' is no state: where nodes say how many states they have, labels are the numbers "
            "from 0 on.",
            text);
  return static_cast<std::size_t>(number) + 1;
}

void GraphFinisher::number_labels() {
  for (Index k = 0; k < texts_.size(); ++k) {
    const Index found = schema_.labels.find(texts_.text(k));
    label_.push_back(found != StringTable::kNone
                         ? static_cast<int>(found)
                         : kUnseen - static_cast<int>(corpus_.unseen_labels.intern(texts_.text(k))));
  }
}

Labels GraphFinisher::labels(const GraphDraft& draft, const GraphInput& input) {
  const bool as_class = growing_ != nullptr && reading_.unlabelled == "class";
  const auto unlabelled = as_class ? schema_.labels.find(kUnlabelled) : StringTable::kNone;
  Labels y(draft.nodes.size(), kUnknown);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const DraftNode& node = draft.nodes[i];
    corpus_.hidden_nodes += node.hidden;
    if (node.hidden) continue;
    if (node.label >= 0)
      y[i] = label_[static_cast<std::size_t>(node.label)];
    else if (known(node))
      y[i] = label_of_set(draft.sets[static_cast<std::size_t>(kSets - node.label)], i, y);
    else if (as_class)
      y[i] = static_cast<int>(unlabelled);
    corpus_.unlabelled_nodes += node.label == kUnknown || y[i] == kUnknown;
    corpus_.unseen_label_nodes += y[i] <= kUnseen;
    const auto states = static_cast<int>(input.shape->states(i));
    for_each_text(draft, node, [&](int text) {
      if (label_[static_cast<std::size_t>(text)] >= states)
        fail_at(draft.file, draft.line, "node {} has the label '{}', but only {} states, 0 to {}.", i,
                texts_.text(static_cast<Index>(text)), states, states - 1);
    });
  }
  return y;
}

int GraphFinisher::label_of_set(const std::vector<int>& texts, std::size_t node, Labels& y) const {
  OneOf some{node, {}};
  for (const int text : texts)
    if (const int label = label_[static_cast<std::size_t>(text)]; label >= 0 && !some.admits(label))
      some.labels.push_back(label);
  if (some.labels.empty()) return label_[static_cast<std::size_t>(texts[0])];
  if (some.labels.size() == 1 && texts.size() == 1) return some.labels[0];
  y.one_of.push_back(std::move(some));
  return kUnknown;
}

Index GraphFinisher::node_kind(const GraphDraft& draft, std::size_t i) {
  const DraftNode& node = draft.nodes[i];
  const std::size_t states = node.states > 0                             ? node.states
                             : node.hidden && reading_.hidden_states > 0 ? reading_.hidden_states
                                                                         : schema_.labels.size();
  const NodeKind kind{node.type, static_cast<Index>(states), node.hidden};
  if (schema_.per_position) {
    if (growing_ != nullptr && i == growing_->node_kinds.size() && corpus_.inputs.empty())
      growing_->node_kinds.push_back(kind);
    if (!(schema_.node_kinds[i] == kind))
      fail_at(draft.file, draft.line,
              "node {} is of another kind than in the graph before: weights per position need graphs of one "
              "shape.",
              i);
    return static_cast<Index>(i);
  }
  const auto& kinds = schema_.node_kinds;
  const auto found = std::ranges::find(kinds, kind);
  if (found != kinds.end()) return static_cast<Index>(found - kinds.begin());
  if (growing_ == nullptr)
    fail_at(draft.file, draft.line, "node {} has {} states{}, which no node of its type had in training.", i,
            states, node.hidden ? " and is hidden" : "");
  growing_->node_kinds.push_back(kind);
  return static_cast<Index>(kinds.size() - 1);
}

void GraphFinisher::check_agreement(const GraphDraft& draft, std::size_t e,
                                    const std::vector<Index>& node_kind) const {
  const auto [from, to] = draft.edges[e].ends;
  const NodeKind &a = schema_.node_kinds[node_kind[from]], &b = schema_.node_kinds[node_kind[to]];
  if (a.hidden != b.hidden || a.states != b.states)
    fail_at(draft.file, draft.line,
            "the ends of edge {} have different labels, so that they cannot agree: use `pairs` table.", e);
  const FeatureRows& rows = draft.edge_features;
  for (std::size_t k = rows.start[e]; k < rows.start[e + 1]; ++k)
    if (rows.value_of(k) < 0)
      fail_at(draft.file, draft.line,
              "edge {} has a feature of value {:g}, but `pairs` agreement needs values that are not "
              "negative: add a "
              "constant to them, or use `pairs` table.",
              e, rows.value_of(k));
}

Index GraphFinisher::edge_kind(const GraphDraft& draft, std::size_t e, const std::vector<Index>& node_kind,
                               Graph::Edge& ends) {
  const Index type = draft.edges[e].type;
  const auto& kinds = schema_.edge_kinds;
  if (schema_.per_position) {
    const EdgeKind kind{type, ends.from, ends.to, false};
    if (growing_ != nullptr && e == kinds.size() && corpus_.inputs.empty())
      growing_->edge_kinds.push_back(kind);
    if (!(kinds[e] == kind))
      fail_at(draft.file, draft.line,
              "edge {} joins others than in the graph before: weights per position need graphs of one shape.",
              e);
    return static_cast<Index>(e);
  }
  if (type == StringTable::kNone) return StringTable::kNone;
  const auto is = [&](std::string_view name) {
    return name == "all" || name == schema_.edge_types.text(type);
  };
  const bool directed = std::ranges::any_of(reading_.directed, is) && !reading_.agreement;
  if (!directed && node_kind[ends.from] > node_kind[ends.to]) std::swap(ends.from, ends.to);
  const Index from = node_kind[ends.from], to = node_kind[ends.to];
  const EdgeKind kind{type, from, to, !directed && from == to};
  const auto found = std::ranges::find(kinds, kind);
  if (found != kinds.end()) return static_cast<Index>(found - kinds.begin());
  if (growing_ == nullptr) return StringTable::kNone;
  growing_->edge_kinds.push_back(kind);
  return static_cast<Index>(kinds.size() - 1);
}

// With weights per position, every graph has the shape of the first.
void GraphFinisher::check_positions(const GraphDraft& draft) {
  if (!schema_.per_position || (growing_ != nullptr && schema_.node_kinds.empty())) return;
  if (draft.nodes.size() != schema_.node_kinds.size() || draft.edges.size() != schema_.edge_kinds.size())
    fail_at(
        draft.file, draft.line,
        "the graph has {} nodes and {} edges where the one before has {} and {}: weights per position need "
        "graphs of one shape.",
        draft.nodes.size(), draft.edges.size(), schema_.node_kinds.size(), schema_.edge_kinds.size());
}

GraphInput GraphFinisher::input(GraphDraft& draft) {
  check_positions(draft);
  GraphInput made;
  std::vector<Index> states;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    made.node_kind.push_back(node_kind(draft, i));
    states.push_back(schema_.node_kinds[made.node_kind.back()].states);
  }
  std::vector<Graph::Edge> edges;
  FeatureRows& from = draft.edge_features;
  std::size_t to = 0;  // rows of edges that are left out are closed up
  made.edges.start.reserve(draft.edges.size() + 1);
  for (std::size_t e = 0; e < draft.edges.size(); ++e) {
    Graph::Edge ends = draft.edges[e].ends;
    if (schema_.agreement) check_agreement(draft, e, made.node_kind);
    const Index kind = edge_kind(draft, e, made.node_kind, ends);
    if (kind == StringTable::kNone) {
      ++corpus_.unseen_edges;
      continue;
    }
    edges.push_back(ends);
    made.edge_kind.push_back(kind);
    for (std::size_t k = from.start[e]; k < from.start[e + 1]; ++k, ++to) {
      from.attribute[to] = from.attribute[k];
      from.value[to] = from.value[k];
    }
    made.edges.start.push_back(static_cast<Index>(to));
  }
  from.attribute.resize(to);
  from.value.resize(to);
  made.edges.attribute = std::move(from.attribute);
  made.edges.value = std::move(from.value);
  made.nodes = std::move(draft.node_features);
  forget_ones(made.nodes);
  forget_ones(made.edges);
  check_tables(draft, states, edges);
  corpus_.nodes += states.size();
  corpus_.edges += edges.size();
  made.shape = shape(std::move(states), std::move(edges));
  return made;
}

std::shared_ptr<const Graph> GraphFinisher::shape(std::vector<Index> states, std::vector<Graph::Edge> edges) {
  std::size_t hash = states.size();
  const auto mix = [&](std::size_t v) { hash = (hash ^ v) * 0x9e3779b97f4a7c15u + (hash >> 29); };
  for (const Index k : states) mix(k);
  for (const auto& [from, to] : edges) mix(std::size_t{from} << 32 | to);
  auto& alike = shapes_[hash];
  const auto same = [&](const std::shared_ptr<const Graph>& graph) {
    if (graph->nodes() != states.size() || graph->edges() != edges.size()) return false;
    for (std::size_t i = 0; i < states.size(); ++i)
      if (graph->states(i) != states[i]) return false;
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (!(graph->edge(e) == edges[e])) return false;
    return true;
  };
  const auto found = std::ranges::find_if(alike, same);
  if (found != alike.end()) return *found;
  return alike.emplace_back(std::make_shared<const Graph>(std::move(states), std::move(edges)));
}

}  // namespace hinge
