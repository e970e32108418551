// What training fixes about the inputs of tasks of rows: the features of rows; or, where inputs are strings or what a program
// compares itself, a map that makes rows of them (input_map.h), or products of them (row_products.h).
#pragma once

#include "hinge/tasks/given_kernel.h"
#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/input_map.h"
#include "hinge/tasks/row_features.h"

namespace hinge {

class InputFeatures : public RowFeatures {
 public:
  // Of training examples; `row_of(example)` is the SparseRow of each.
  template <class Examples, class RowOf>
  InputFeatures(const Examples& examples, RowOf row_of, const OtherInputs& others, double bias,
                const InputKernel& kernel)
      : InputFeatures(kernel.any() && !kernel.of_rows()
                          ? InputFeatures(rows_of(examples, row_of), others, bias, kernel)
                          : InputFeatures(RowFeatures(examples, row_of, bias, kernel, Products::served))) {
    require_kernel(others, kernel);
  }
  explicit InputFeatures(const Archive& archive);
  void save(Archive& archive) const;

  bool of_strings() const { return strings_; }
  bool of_rows() const { return !map_ && !products_; }
  // Where no map makes rows of inputs: these are left as they are, and the bias is in their products.
  std::shared_ptr<const RowProducts> products() const {
    if (products_) return products_;
    return RowFeatures::products();
  }
  // How far products of what inputs become may be from the kernel.
  std::optional<double> rest() const { return map_ ? std::optional(map_->rest()) : std::nullopt; }
  // Puts rows in the place of other inputs. Throws InputError where inputs are of another kind than training's.
  template <class Examples, class RowOf>
  void make_rows(const OtherInputs& others, Examples& examples, RowOf row_of) const {
    require_kind(others, examples.size());
    if (of_rows()) return;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      SparseRow& row = row_of(examples[i]);
      row = input(others, i, std::move(row));
    }
  }
  std::size_t renumber(SparseRow& row) const { return products_ ? 0 : RowFeatures::renumber(row); }
  std::string name(Index feature) const;

 private:
  using Rows = std::vector<const SparseRow*>;
  template <class Examples, class RowOf>
  static Rows rows_of(const Examples& examples, RowOf row_of) {
    Rows rows;
    for (const auto& example : examples) rows.push_back(&row_of(example));
    return rows;
  }
  explicit InputFeatures(RowFeatures rows) : RowFeatures(std::move(rows)) {}
  InputFeatures(const Rows& rows, const OtherInputs& others, double bias, const InputKernel& kernel);
  explicit InputFeatures(std::shared_ptr<const RowProducts> products);
  InputFeatures(std::shared_ptr<const InputMap> map, double bias);
  static InputFeatures of_given(const GivenKernel& all, double bias, const InputKernel& kernel);
  static void require_kernel(const OtherInputs& others, const InputKernel& kernel);
  void require_kind(const OtherInputs& others, std::size_t examples) const;
  SparseRow input(const OtherInputs& others, std::size_t i, SparseRow row) const;

  bool strings_ = false;
  std::shared_ptr<const GivenKernel> given_;  // null where inputs are not compared by a program
  std::shared_ptr<const InputMap> map_;
  std::shared_ptr<const RowProducts> products_;
};

// What a kernel became, among the facts of data, and nothing of rows where inputs are none.
void tell_features(const InputFeatures& features, nlohmann::json& facts);

}  // namespace hinge
