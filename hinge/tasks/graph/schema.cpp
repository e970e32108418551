#include "hinge/tasks/graph/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/tasks/graph/symmetric.h"

namespace hinge {
namespace {

constexpr std::size_t kNodeFields = 3, kEdgeFields = 4;

[[noreturn]] void damaged() { fail("the model's kinds of nodes and edges are damaged: train it again."); }

FeatureScale load_scale(const Archive& archive, const std::string& name, std::size_t features) {
  FeatureScale scale{archive.get<float>(name)};
  const auto sound = [](float v) { return std::isfinite(v) && v > 0; };
  if ((!scale.divisor.empty() && scale.divisor.size() != features) ||
      !std::ranges::all_of(scale.divisor, sound))
    fail("the model's '{}' is damaged: train it again.", name);
  return scale;
}

}  // namespace

std::size_t GraphSchema::weights() const {
  std::size_t sum = 0;
  for (const NodeKind& kind : node_kinds) sum += node_width() * kind.states;
  for (const EdgeKind& kind : edge_kinds) sum += edge_features.size() * cells(kind);
  return sum;
}

std::string GraphSchema::feature_name(std::size_t feature) const {
  if (!node_map) return std::string(node_features.text(static_cast<Index>(feature)));
  return feature == node_map->size() ? std::string(node_features.text(bias))
                                     : fmt::format("kernel {}", feature + 1);
}

std::string GraphSchema::node_name(std::size_t kind) const {
  if (per_position) return fmt::format("node {}: ", kind);
  const NodeKind& own = node_kinds[kind];
  const std::string_view type = node_types.text(own.type);
  std::string name(type);
  if (own.hidden) name += name.empty() ? "hidden" : " hidden";
  const bool sizes_differ = std::ranges::any_of(node_kinds, [&](const NodeKind& other) {
    return other.type == own.type && other.hidden == own.hidden && other.states != own.states;
  });
  if (sizes_differ) name += fmt::format("{}{} states", name.empty() ? "" : " ", own.states);
  return name.empty() ? name : name + ": ";
}

std::string GraphSchema::edge_name(std::size_t kind) const {
  const EdgeKind& own = edge_kinds[kind];
  if (per_position) return fmt::format("edge {}-{}: ", own.from, own.to);
  std::string name = fmt::format("edge {}", edge_types.text(own.type));
  if (node_kinds.size() > 1)
    for (const Index end : {own.from, own.to}) name += fmt::format("[{}]", node_name(end));
  return name + ": ";
}

std::string GraphSchema::state_name(const NodeKind& kind, std::size_t state) const {
  return kind.hidden ? fmt::format("#{}", state) : std::string(labels.text(static_cast<Index>(state)));
}

std::string GraphSchema::weight_name(std::size_t weight) const {
  for (std::size_t k = 0; k < node_kinds.size(); ++k) {
    const NodeKind& kind = node_kinds[k];
    const std::size_t size = node_width() * kind.states;
    if (weight < size)
      return fmt::format("{}{} -> {}", node_name(k), feature_name(weight / kind.states),
                         state_name(kind, weight % kind.states));
    weight -= size;
  }
  for (std::size_t k = 0; k < edge_kinds.size(); ++k) {
    const EdgeKind& kind = edge_kinds[k];
    const std::size_t each = cells(kind), size = edge_features.size() * each;
    if (weight < size) {
      const NodeKind &from = node_kinds[kind.from], &to = node_kinds[kind.to];
      const auto [a, b] = agreement        ? std::pair{weight % each, weight % each}
                          : kind.symmetric ? symmetric_pair(weight % each)
                                           : std::pair{weight % each / to.states, weight % each % to.states};
      return fmt::format("{}{} -> {} , {}", edge_name(k),
                         edge_features.text(static_cast<Index>(weight / each)), state_name(from, a),
                         state_name(to, b));
    }
    weight -= size;
  }
  return {};
}

void GraphSchema::save(Archive& archive) const {
  node_features.save(archive, "node_features");
  edge_features.save(archive, "edge_features");
  labels.save(archive, "labels");
  node_types.save(archive, "node_types");
  edge_types.save(archive, "edge_types");
  std::vector<std::uint32_t> nodes, edges;
  for (const NodeKind& k : node_kinds) nodes.insert(nodes.end(), {k.type, k.states, k.hidden});
  for (const EdgeKind& k : edge_kinds) edges.insert(edges.end(), {k.type, k.from, k.to, k.symmetric});
  archive.arrays["node_kinds"] = std::move(nodes);
  archive.arrays["edge_kinds"] = std::move(edges);
  archive.arrays["node_scale"] = node_scale.divisor;
  archive.arrays["edge_scale"] = edge_scale.divisor;
  archive.header["graph_schema"] = {{"per_position", per_position}, {"agreement", agreement}};
  if (!node_map) return;
  node_map->save(archive);
  if (bias != StringTable::kNone) archive.header["graph_schema"]["bias"] = bias;
}

void GraphSchema::load(const Archive& archive) {
  node_features.load(archive, "node_features");
  edge_features.load(archive, "edge_features");
  labels.load(archive, "labels");
  node_types.load(archive, "node_types");
  edge_types.load(archive, "edge_types");
  if (!archive.header.contains("graph_schema")) damaged();
  const nlohmann::json& own = archive.header["graph_schema"];
  if (!own.value("per_position", nlohmann::json()).is_boolean() ||
      !own.value("agreement", nlohmann::json(false)).is_boolean())  // models of before have none
    damaged();
  per_position = own["per_position"].get<bool>();
  agreement = own.value("agreement", false);
  node_kinds.clear();
  edge_kinds.clear();
  const auto& nodes = archive.get<std::uint32_t>("node_kinds");
  const auto& edges = archive.get<std::uint32_t>("edge_kinds");
  if (nodes.size() % kNodeFields != 0 || edges.size() % kEdgeFields != 0) damaged();
  for (std::size_t k = 0; k < nodes.size(); k += kNodeFields) {
    const NodeKind kind{nodes[k], nodes[k + 1], nodes[k + 2] != 0};
    if (kind.type >= node_types.size() || kind.states == 0 || kind.states > kMaxDimension) damaged();
    if (!kind.hidden && kind.states > labels.size()) damaged();
    node_kinds.push_back(kind);
  }
  for (std::size_t k = 0; k < edges.size(); k += kEdgeFields) {
    const EdgeKind kind{edges[k], edges[k + 1], edges[k + 2], edges[k + 3] != 0};
    if (kind.type >= edge_types.size() || kind.from >= node_kinds.size() || kind.to >= node_kinds.size() ||
        (kind.symmetric && kind.from != kind.to) ||
        (agreement && node_kinds[kind.from].states != node_kinds[kind.to].states))
      damaged();
    edge_kinds.push_back(kind);
  }
  node_scale = load_scale(archive, "node_scale", node_features.size());
  edge_scale = load_scale(archive, "edge_scale", edge_features.size());
  if (own.contains("bias")) bias = whole_number<std::uint32_t>(own, "bias");
  if (bias != StringTable::kNone && bias >= node_features.size()) damaged();
  if (archive.arrays.contains("kernel")) node_map = std::make_shared<const RowMap>(archive, compared());
}

}  // namespace hinge
