#include "hinge/tasks/cluster/json_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/inference/pair_scores.h"
#include "hinge/tasks/json_line.h"

namespace hinge {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::array kKeys = {"name", "items", "pairs", "pair_features", "clusters", "weight", "comment"};

class DocumentLine : JsonLine {
 public:
  DocumentLine(std::string_view text, const std::string& file, std::size_t line, StringTable& pair_features)
      : JsonLine(text, file, line, "document", kKeys), pair_features_(pair_features) {
    document_.source = text;
    document_.name = has("name") && json()["name"].is_string() ? json()["name"].get<std::string>()
                                                               : fmt::format("{}:{}", file, line);
  }

  ItemDocument read() {
    read_items();
    if (has("pair_features"))
      read_pairs();
    else if (has("pairs"))
      refuse("\"pairs\" come without \"pair_features\": give a row for each pair.");
    if (has("clusters")) read_clusters();
    document_.weight = weight();
    return std::move(document_);
  }

 private:
  std::size_t items() const { return document_.items.items(); }

  void read_items() {
    if (!has("items")) refuse("has no \"items\": list them, or give their number.");
    const Json& items = json()["items"];
    if (!items.is_array() && !items.is_number_unsigned())
      refuse("\"items\" is {}, where a list [...] or their number belongs.", shown(items));
    const std::size_t count = items.is_array() ? items.size() : items.get<std::size_t>();
    if (count > kMaxItems) refuse("has {} items, but a document can have {} at most.", count, kMaxItems);
    document_.items = ItemTable(count);
    for (std::size_t i = 0; items.is_array() && i < count; ++i) {
      if (items[i].is_string())
        document_.items.set(i, "text", Cell::of(items[i].get<std::string>()));
      else if (items[i].is_object())
        for (const auto& [field, value] : items[i].items())
          document_.items.set(i, field, cell(value, field, i));
      else
        refuse("item {} is {}, where a text or an object of fields belongs.", i, shown(items[i]));
    }
  }

  Cell cell(const Json& value, const std::string& field, std::size_t i) const {
    if (value.is_null()) return {};
    if (value.is_string()) return Cell::of(value.get<std::string>());
    if (value.is_boolean()) return Cell::of(std::string(value.get<bool>() ? "yes" : "no"));
    if (value.is_number()) return Cell::of(value.get<double>());
    if (value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number() &&
        value[0].get<double>() <= value[1].get<double>())
      return Cell::of(value[0].get<double>(), value[1].get<double>());
    refuse("the field \"{}\" of item {} is {}, where a text, a number, or [first, last] belongs.", field, i,
           shown(value));
  }

  std::size_t item(const Json& value, const char* where) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= items())
      refuse("\"{}\" has {}, where a number of an item belongs, 0 to {}.", where, shown(value),
             static_cast<long long>(items()) - 1);
    return value.get<std::size_t>();
  }

  void read_pairs() {
    const Json& rows = list("pair_features");
    const std::size_t expected = has("pairs") ? list("pairs").size() : first_pair(items());
    if (rows.size() != expected)
      refuse("\"pair_features\" has {} rows for {} pairs: give one for each.", rows.size(), expected);
    std::vector<std::pair<std::size_t, std::size_t>> order;  // pair, row
    for (std::size_t k = 0; k < expected; ++k)
      order.emplace_back(has("pairs") ? pair(list("pairs")[k]) : k, k);
    std::ranges::sort(order);
    for (std::size_t k = 0; k < expected; ++k) {
      if (k > 0 && order[k].first == order[k - 1].first)
        refuse("\"pairs\" has {} twice.", shown(list("pairs")[order[k].second]));
      document_.pairs.pair.push_back(order[k].first);
      read_features(rows[order[k].second], order[k].second);
    }
  }
  std::size_t pair(const Json& value) const {
    if (!value.is_array() || value.size() != 2)
      refuse("\"pairs\" has {}, where two numbers of items belong: [0, 1].", shown(value));
    const auto [i, j] = std::minmax({item(value[0], "pairs"), item(value[1], "pairs")});
    if (i == j) refuse("\"pairs\" has {}, which is one item with itself.", shown(value));
    return first_pair(j) + i;
  }
  void read_features(const Json& row, std::size_t k) {
    FeatureRows& rows = document_.pairs.rows;
    const auto add = [&](std::string_view name, const Json& value) {
      if (name.empty()) refuse("a feature of row {} of \"pair_features\" has an empty name.", k);
      const Index feature = pair_features_.intern(name);
      if (!value.is_number() || std::abs(value.get<double>()) > 3e38)
        refuse("a feature of row {} of \"pair_features\" is {}, not a number that fits.", k, shown(value));
      if (value.get<double>() == 0) return;
      rows.attribute.push_back(feature);
      rows.value.push_back(value.get<float>());
    };
    if (row.is_object()) {
      for (const auto& [name, value] : row.items()) add(name, value);
    } else if (row.is_array() && !row.empty() && row[0].is_string()) {
      for (const Json& name : row) {
        if (!name.is_string())
          refuse("row {} of \"pair_features\" has {} among names: give names alone, or {{\"name\": value}}.",
                 k, shown(name));
        add(name.get_ref<const std::string&>(), 1);
      }
    } else if (row.is_array()) {
      if (dense_ == kUnset) dense_ = row.size();
      if (row.size() != dense_)
        refuse("row {} of \"pair_features\" has {} numbers where those before have {}.", k, row.size(),
               dense_);
      for (std::size_t f = 0; f < row.size(); ++f) add(fmt::format_int(f).c_str(), row[f]);
    } else {
      refuse("row {} of \"pair_features\" is {}, where [...] or {{...}} belongs.", k, shown(row));
    }
    rows.start.push_back(static_cast<Index>(rows.attribute.size()));
  }

  void read_clusters() {
    constexpr Index none = 0xffffffff;
    const Json& clusters = list("clusters");
    Partition y(items(), none);
    for (Index c = 0; c < clusters.size(); ++c) {
      if (!clusters[c].is_array())
        refuse("\"clusters\" has {}, where a list of items belongs.", shown(clusters[c]));
      for (const Json& value : clusters[c]) {
        const std::size_t i = item(value, "clusters");
        if (y[i] == c) refuse("item {} is twice in cluster {}: name it once.", i, c);
        if (y[i] != none)
          refuse("item {} is in cluster {} and in cluster {}, but an item has one cluster.", i, y[i], c);
        y[i] = c;
      }
    }
    // A cluster by its first item, since lists may be empty and then there are more of them than items.
    std::vector<Index> first(clusters.size(), none);
    for (Index i = 0; i < y.size(); ++i) {
      if (y[i] != none && first[y[i]] == none) first[y[i]] = i;
      y[i] = y[i] == none ? i : first[y[i]];
    }
    document_.clusters = renumbered(std::move(y));
  }

  static constexpr std::size_t kUnset = static_cast<std::size_t>(-1);
  StringTable& pair_features_;
  ItemDocument document_;
  std::size_t dense_ = kUnset;  // length of a dense row
};

Ordered lists_of(const Partition& clusters) {
  std::vector<std::vector<Index>> lists(cluster_count(clusters));
  for (Index i = 0; i < clusters.size(); ++i) lists[clusters[i]].push_back(i);
  return lists;
}

// A whole number without a point.
Ordered number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<long long>(value);
  return value;
}

std::string line_of(const Ordered& json) {
  return json.dump(-1, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

}  // namespace

ItemDocument read_json_document(std::string_view text, const std::string& file, std::size_t line,
                                StringTable& pair_features) {
  return DocumentLine(text, file, line, pair_features).read();
}

std::string json_of(const ItemDocument& document) {
  Ordered json = {{"name", document.name}, {"items", Ordered::array()}};
  for (std::size_t i = 0; i < document.items.items(); ++i) {
    Ordered item = Ordered::object();
    for (const ItemTable::Column& column : document.items.columns()) {
      const Cell& cell = column.cells[i];
      if (cell.kind == Cell::Kind::text) item[column.field] = cell.text;
      if (cell.kind == Cell::Kind::number) item[column.field] = number(cell.first);
      if (cell.kind == Cell::Kind::span) item[column.field] = {number(cell.first), number(cell.last)};
    }
    json["items"].push_back(std::move(item));
  }
  if (document.clusters) json["clusters"] = lists_of(*document.clusters);
  return line_of(json);
}

std::string json_with_clusters(const std::string& source, const Partition& clusters) {
  Ordered json = source.empty() ? Ordered::object() : Ordered::parse(source);
  json["clusters"] = lists_of(clusters);
  return line_of(json);
}

}  // namespace hinge
