// What training fixes about the features of sparse rows: the indices that it uses, numbered 0, 1, 2, ..., what
// a kernel makes of them (row_map.h), and behind them a bias, one more feature of the same value in every row
// (0: there is none).
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "hinge/core/archive.h"
#include "hinge/tasks/feature_set.h"
#include "hinge/tasks/row_map.h"

namespace hinge {

class RowFeatures {
 public:
  enum class Bias { yes, no };
  enum class Products { refused, served };  // `kernel_map` none
  // Of training rows; `row_of(example)` is the SparseRow of each.
  template <class Examples, class RowOf>
  RowFeatures(const Examples& examples, RowOf row_of, double bias, const KernelOptions& kernel,
              Products products = Products::refused)
      : used_(FeatureSet::of(examples, row_of)), bias_(bias) {
    if (!kernel.any()) return;
    if (products == Products::refused) kernel.require_map();
    std::vector<SparseRow> rows;
    for (const auto& example : examples) rows.push_back(row_of(example));
    make_map(std::move(rows), kernel);
  }
  // Throws InputError where the archive's make no sense.
  explicit RowFeatures(const Archive& archive, Bias kept = Bias::yes);
  void save(Archive& archive) const;

  Index size() const { return mapped() + (bias_ != 0 && !products() ? 1 : 0); }
  const FeatureSet& used() const { return used_; }
  const RowMap* map() const { return map_.get(); }
  // The map where it is none: rows are left as they are, and the bias is in their products.
  std::shared_ptr<const RowMap> products() const { return map_ && map_->is_none() ? map_ : nullptr; }
  std::string name(Index feature) const {
    return feature == mapped() ? "bias"
           : map_              ? fmt::format("kernel {}", feature + 1)
                               : fmt::to_string(used_.indices()[feature]);
  }
  // Makes the features of a row those of the task, and returns how many of its own training never saw.
  std::size_t renumber(SparseRow& row) const;

 private:
  Index mapped() const { return static_cast<Index>(map_ ? map_->size() : used_.size()); }
  void make_map(std::vector<SparseRow> rows, const KernelOptions& kernel);

  FeatureSet used_;
  std::shared_ptr<const RowMap> map_;
  double bias_;
};

// What a kernel became, among the facts of data; nothing where there is none.
void tell_map(const RowFeatures& features, nlohmann::json& facts);

}  // namespace hinge
