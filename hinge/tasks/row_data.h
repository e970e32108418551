// Data of rows that may be under a kernel without a map (row_map.h): training then learns from products of the rows
// (oracle/gram_oracle.h), whose planes are told by the task.
#pragma once

#include <optional>

#include "hinge/oracle/gram_oracle.h"
#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// Of a task T whose example is one row: T::planes_of(label, query, planes) lists them.
template <class T>
class LabelPlanes final : public RowPlanes {
 public:
  explicit LabelPlanes(const TaskData<T>& data) : data_(data) {}
  std::size_t example(std::size_t row) const override { return row; }
  bool all_planes(std::size_t row, const Query& query, ProductPlanes& out) const override {
    return data_.task().planes_of(data_.examples()[row].label, query, out);
  }

 private:
  const TaskData<T>& data_;
};

// R is a RecordData.
template <class R>
class RowData final : public Data {
 public:
  using Records = R;
  explicit RowData(std::unique_ptr<const R> records) : records_(std::move(records)) {}

  const Oracle& oracle() const override {
    if (gram_) return *gram_;
    return records_->oracle();
  }
  JsonValue facts() const override { return records_->facts(); }
  CheckReport check(const CheckOptions& options) const { return records_->check(options); }
  const R& records() const { return *records_; }
  const auto& text() const { return records_->text(); }
  const auto& examples() const { return records_->examples(); }

  // Learns from products of the rows, which are those that training knows; at most so many products are kept.
  void learn_by_products(const RowProducts& products, std::vector<const SparseRow*> rows,
                         std::unique_ptr<const RowPlanes> planes, double megabytes) {
    Vector own;
    for (const SparseRow* const row : rows) own.push_back(products.product_with_itself(*row));
    planes_ = std::move(planes);
    gram_.emplace(
        records_->oracle(), *planes_, std::move(own),
        [&products, rows = std::move(rows)](std::size_t i, std::span<double> out) {
          products.products(*rows[i], out);
        },
        static_cast<std::size_t>(megabytes * 1e6));
  }
  // The same of a task whose example is one row; nothing where its kernel has a map.
  void learn_by_products(double megabytes) {
    const auto& data = records_->only();
    using T = std::remove_cvref_t<decltype(data.task())>;
    const RowProducts* const products = data.task().products();
    if (products == nullptr) return;
    std::vector<const SparseRow*> rows;
    for (const auto& example : data.examples()) rows.push_back(&example.input);
    learn_by_products(*products, std::move(rows), std::make_unique<LabelPlanes<T>>(data), megabytes);
  }

 private:
  std::unique_ptr<const R> records_;
  std::unique_ptr<const RowPlanes> planes_;
  std::optional<GramOracle> gram_;
};

}  // namespace hinge
