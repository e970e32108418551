// Makes examples of records, with what the schema of training knows, and counts what it does not.
#pragma once

#include <optional>

#include "hinge/oracle/gram_oracle.h"
#include "hinge/tasks/multiclass/schema.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// Lists the planes of labels, where the rows they would be products with are made by a kernel.
class LabelPlanes final : public ForwardingOracle {
 public:
  LabelPlanes(const Oracle& behind, const MulticlassTask& task,
              std::span<const Example<MulticlassTask>> examples)
      : ForwardingOracle(behind), task_(task), examples_(examples) {}
  bool all_planes(std::size_t i, const Query& query, ProductPlanes& out) const override {
    out.row = {};
    out.value = {};
    return task_.planes_of(examples_[i].label, query, out);
  }

 private:
  const MulticlassTask& task_;
  std::span<const Example<MulticlassTask>> examples_;
};

class MulticlassData final : public Data {
 public:
  using Records = RecordData<ClassNames, MulticlassTask>;
  explicit MulticlassData(std::unique_ptr<const Records> records) : records_(std::move(records)) {}

  const Oracle& oracle() const override {
    if (gram_) return *gram_;
    return records_->oracle();
  }
  JsonValue facts() const override { return records_->facts(); }
  CheckReport check(const CheckOptions& options) const { return records_->check(options); }
  const Records& records() const { return *records_; }
  const std::vector<Example<MulticlassTask>>& examples() const { return records_->examples(); }

  // Where the kernel has no map: these are the rows that it was made of. At most so many of their products are kept.
  void learn_by_products(double megabytes);

 private:
  std::unique_ptr<const Records> records_;
  std::optional<LabelPlanes> planes_;
  std::optional<GramOracle> gram_;
};

// Sets of classes are those that the task knows, of its training data: labels that name others are kHiddenClass.
std::unique_ptr<MulticlassData> make_examples(const MulticlassSchema& schema, MulticlassRecords records);

}  // namespace hinge
