#include "hinge/tasks/graph/jsonl_format.h"

#include <array>
#include <nlohmann/json.hpp>

#include "hinge/core/text_file.h"
#include "hinge/tasks/json_line.h"
#include "hinge/tasks/label_sets.h"

namespace hinge {
namespace {

constexpr std::array kKeys = {"features", "labels",        "node_types", "states", "hidden",
                              "edges",    "edge_features", "edge_types", "nodes",  "weight",
                              "id",       "comment",       "marginals",  "score"};

// One line, column by column.
class GraphLine : JsonLine {
 public:
  GraphLine(const std::string& file, std::size_t line, std::string_view text, GraphBuilder& builder)
      : JsonLine(text, file, line, "graph", kKeys), builder_(builder) {}

  void build() {
    const std::size_t nodes = count_nodes();
    const Json *features = column("features", nodes, "node"), *labels = column("labels", nodes, "node"),
               *types = column("node_types", nodes, "node"), *states = column("states", nodes, "node"),
               *hidden = column("hidden", nodes, "node");
    dense_ = kUnset;
    for (std::size_t i = 0; i < nodes; ++i) {
      if (features) add_features((*features)[i], "node", i, false);
      const auto label = labels ? said((*labels)[i], i) : std::nullopt;
      const std::string type = types ? text((*types)[i], "type", i) : "";
      builder_.node(
          {label, type, states ? number_of_states((*states)[i], i) : 0, hidden && truth((*hidden)[i], i)});
    }
    const std::size_t edges = json().contains("edges") ? list("edges").size() : 0;
    const Json *edge_features = column("edge_features", edges, "edge"),
               *edge_types = column("edge_types", edges, "edge");
    dense_ = kUnset;
    for (std::size_t e = 0; e < edges; ++e) {
      if (edge_features) add_features((*edge_features)[e], "edge", e, true);
      const std::string type = edge_types ? text((*edge_types)[e], "type", e) : "";
      const auto [from, to] = ends(list("edges")[e], e);
      builder_.edge(from, to, type, edge_features != nullptr);
    }
  }

  using JsonLine::weight;

 private:
  static constexpr std::size_t kUnset = static_cast<std::size_t>(-1);

  const Json* column(const char* key, std::size_t size, const char* what) const {
    if (!has(key)) return nullptr;
    const Json& value = list(key);
    if (value.size() != size)
      refuse("\"{}\" has {} entries for {} {}s: give one for each.", key, value.size(), size, what);
    return &value;
  }

  std::size_t count_nodes() const {
    if (json().contains("nodes")) {
      const Json& value = json()["nodes"];
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() > GraphBuilder::kMaxNodes)
        refuse("\"nodes\" is {}, where their number belongs, at most {}.", shown(value),
               GraphBuilder::kMaxNodes);
      return value.get<std::size_t>();
    }
    for (const char* key : {"features", "labels", "node_types", "states", "hidden"})
      if (has(key)) return list(key).size();
    refuse("has no nodes: give \"features\", \"labels\" or the number of \"nodes\".");
  }

  // A name: text as it is, a whole number as its digits, null as '?'.
  std::string text(const Json& value, const char* what, std::size_t i) const {
    if (value.is_null()) return "?";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return value.dump();
    refuse("the {} of {} is {}, where a text, a whole number or null belongs.", what, i, shown(value));
  }
  // A label, or a list of those that it may be.
  std::optional<std::string_view> said(const Json& value, std::size_t i) {
    texts_.clear();
    if (!value.is_array()) return builder_.said(texts_.emplace_back(text(value, "label", i)));
    if (value.empty()) refuse("the label of {} is an empty list: give null where any may be.", i);
    for (const Json& each : value) texts_.push_back(text(each, "label", i));
    const std::vector<std::string_view> names(texts_.begin(), texts_.end());
    require_labels(names, file_, line_);
    builder_.one_of(names);
    return std::nullopt;
  }
  std::size_t number_of_states(const Json& value, std::size_t i) const {
    if (value.is_null()) return 0;
    if (!value.is_number_unsigned() || value == 0 || value.get<std::uint64_t>() > 1'000'000)
      refuse("node {} has {} states, where a whole number from 1 to a million belongs.", i, shown(value));
    return value.get<std::size_t>();
  }
  bool truth(const Json& value, std::size_t i) const {
    if (!value.is_boolean())
      refuse("\"hidden\" of node {} is {}, where true or false belongs.", i, shown(value));
    return value.get<bool>();
  }
  std::pair<long long, long long> ends(const Json& value, std::size_t e) const {
    if (!value.is_array() || value.size() != 2 || !value[0].is_number_integer() ||
        !value[1].is_number_integer())
      refuse("edge {} is {}, where two numbers of nodes belong: [from, to].", e, shown(value));
    return {value[0].get<long long>(), value[1].get<long long>()};
  }

  // [1.5, 0, ...] all of one length, {"name": value, ...} or ["name", ...].
  void add_features(const Json& row, const char* what, std::size_t i, bool edge) {
    const auto number = [&](std::string_view name) {
      return edge ? builder_.edge_feature(name) : builder_.node_feature(name);
    };
    const auto value_of = [&](const Json& value) {
      if (!value.is_number()) refuse("a feature of {} {} is {}, not a number.", what, i, shown(value));
      return value.get<double>();
    };
    if (row.is_object()) {
      for (const auto& [name, value] : row.items()) builder_.feature(number(name), value_of(value));
      return;
    }
    if (!row.is_array())
      refuse("the features of {} {} are {}, where [...] or {{...}} belongs.", what, i, shown(row));
    if (!row.empty() && row[0].is_string()) {
      for (const Json& name : row) {
        if (!name.is_string())
          refuse("the features of {} {} have {} among names: give names alone, or {{\"name\": value}}.", what,
                 i, shown(name));
        builder_.feature(number(name.get_ref<const std::string&>()), 1);
      }
      return;
    }
    if (dense_ == kUnset) dense_ = row.size();
    if (row.size() != dense_)
      refuse("{} {} has {} features where those before have {}.", what, i, row.size(), dense_);
    for (std::size_t f = 0; f < row.size(); ++f) {
      const double value = value_of(row[f]);
      const Index named = number(fmt::format_int(f).c_str());  // also when 0, so that all of them have names
      if (value != 0) builder_.feature(named, value);
    }
  }

  GraphBuilder& builder_;
  std::size_t dense_ = kUnset;      // length of a dense row
  std::vector<std::string> texts_;  // of the current label
};

// A label that is a whole number is written as one.
nlohmann::ordered_json label_json(std::string_view label) {
  long long number = 0;
  if (label.empty()) return nullptr;
  if (parse_integer(label, number) && std::to_string(number) == label) return number;
  return std::string(label);
}

}  // namespace

std::unique_ptr<ExampleCutter> JsonlFormat::cutter(const std::string& file) const {
  return cut_lines()(file);
}

void JsonlFormat::read_file(const std::string& file, GraphBuilder& builder) const {
  LineReader lines(file);
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    builder.at(lines.file(), lines.line());
    GraphLine graph(lines.file(), lines.line(), line, builder);
    graph.build();
    builder.end_graph(std::string(line), graph.weight());
  }
}

void append_json(const std::string& source, const GraphAnswer& answer, std::string& out) {
  using Ordered = nlohmann::ordered_json;
  Ordered graph = source.empty() ? Ordered::object() : Ordered::parse(source);
  Ordered& labels = graph["labels"] = Ordered::array();
  for (const std::string_view label : answer.labels) labels.push_back(label_json(label));
  graph.erase("marginals");
  graph.erase("score");
  if (answer.scored) graph["score"] = answer.score;
  if (!answer.marginals.empty()) graph["marginals"] = answer.marginals;
  out += graph.dump(-1, ' ', false, Ordered::error_handler_t::replace);
  out += '\n';
}

}  // namespace hinge
