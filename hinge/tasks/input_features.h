// What training fixes about the inputs of tasks of rows: the features of rows, or of what a map makes of strings in their
// place (string_map.h), or products of strings (string_products.h).
#pragma once

#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/row_features.h"
#include "hinge/tasks/string_map.h"
#include "hinge/tasks/string_products.h"

namespace hinge {

class InputFeatures : public RowFeatures {
 public:
  // Of training examples, or of the strings where the kernel is one of strings; `row_of(example)` is the SparseRow of each.
  template <class Examples, class RowOf>
  InputFeatures(const Examples& examples, RowOf row_of, const std::vector<std::string>& strings, double bias,
                const InputKernel& kernel)
      : InputFeatures(kernel.any() && kernel.of_strings()
                          ? InputFeatures(strings, bias, kernel)
                          : InputFeatures(RowFeatures(examples, row_of, bias, kernel, Products::served))) {}
  explicit InputFeatures(const Archive& archive);
  void save(Archive& archive) const;

  bool of_strings() const { return strings_ || string_products_; }  // else examples are rows
  // Where no map makes rows of rows, or of strings: these are left as they are, and the bias is in their products.
  std::shared_ptr<const RowProducts> products() const {
    if (string_products_) return string_products_;
    return RowFeatures::products();
  }
  // How far products of what strings become may be from the kernel.
  std::optional<double> rest() const { return strings_ ? std::optional(strings_->rest()) : std::nullopt; }
  // Puts rows in the place of strings. Throws InputError where there should be strings and are none.
  template <class Examples, class RowOf>
  void make_rows(const std::vector<std::string>& strings, Examples& examples, RowOf row_of) const {
    if (of_strings()) require_strings(strings.size(), examples.size());
    for (std::size_t i = 0; i < strings.size(); ++i)
      row_of(examples[i]) = strings_ ? (*strings_)(strings[i]) : StringProducts::row(strings[i]);
  }
  std::size_t renumber(SparseRow& row) const { return string_products_ ? 0 : RowFeatures::renumber(row); }
  std::string name(Index feature) const;

 private:
  explicit InputFeatures(RowFeatures rows) : RowFeatures(std::move(rows)) {}
  InputFeatures(const std::vector<std::string>& strings, double bias, const InputKernel& kernel);
  InputFeatures(std::shared_ptr<const StringMap> strings, double bias);
  explicit InputFeatures(std::shared_ptr<const StringProducts> strings);
  static void require_strings(std::size_t strings, std::size_t examples);

  std::shared_ptr<const StringMap> strings_;
  std::shared_ptr<const StringProducts> string_products_;
};

// What a kernel became, among the facts of data, and nothing of rows where there are strings.
void tell_features(const InputFeatures& features, nlohmann::json& facts);

}  // namespace hinge
