// The items of a document with their fields, as they were read, and what the data says of their clusters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hinge/inference/partition.h"
#include "hinge/tasks/feature_rows.h"

namespace hinge {

// A field's value: missing, a text, a number, or a span of numbers, first and last.
struct Cell {
  enum class Kind { missing, text, number, span };
  Kind kind = Kind::missing;
  std::string text;
  double first = 0, last = 0;

  static Cell of(std::string text) { return {Kind::text, std::move(text), 0, 0}; }
  static Cell of(double number) { return {Kind::number, {}, number, number}; }
  static Cell of(double first, double last) { return {Kind::span, {}, first, last}; }
};

// Values by field, then by item.
class ItemTable {
 public:
  struct Column {
    std::string field;
    std::vector<Cell> cells;
  };

  explicit ItemTable(std::size_t items = 0) : items_(items) {}
  std::size_t items() const { return items_; }
  const std::vector<Column>& columns() const { return columns_; }
  const Column* find(std::string_view field) const {
    for (const Column& column : columns_)
      if (column.field == field) return &column;
    return nullptr;
  }
  void set(std::size_t item, std::string_view field, Cell cell) {
    for (Column& column : columns_)
      if (column.field == field) {
        column.cells[item] = std::move(cell);
        return;
      }
    columns_.push_back({std::string(field), std::vector<Cell>(items_)});
    columns_.back().cells[item] = std::move(cell);
  }

 private:
  std::size_t items_;
  std::vector<Column> columns_;
};

// Features that the data gives for some pairs: those of pair[k] (numbered as in pair_scores.h) are row k, in
// numbers of ClusterRecords::pair_features.
struct GivenPairs {
  std::vector<std::size_t> pair;  // ascending
  FeatureRows rows;
};

struct ItemDocument {
  std::string name;
  ItemTable items;
  GivenPairs pairs;
  std::optional<Partition> clusters;
  double weight = 1;
  std::string source;  // what predictions are written into; empty where it never was a file
  std::string file;
  std::size_t line = 0;  // where it begins
};

}  // namespace hinge
