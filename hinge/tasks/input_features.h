// What training fixes about the inputs of tasks of rows: the features of rows, or of what a map makes of strings in their
// place (string_map.h).
#pragma once

#include "hinge/tasks/input_kernel.h"
#include "hinge/tasks/row_features.h"
#include "hinge/tasks/string_map.h"

namespace hinge {

class InputFeatures : public RowFeatures {
 public:
  // Of training examples, or of the strings where the kernel is one of strings; `row_of(example)` is the SparseRow of each.
  template <class Examples, class RowOf>
  InputFeatures(const Examples& examples, RowOf row_of, const std::vector<std::string>& strings, double bias,
                const InputKernel& kernel)
      : InputFeatures(kernel.any() && kernel.of_strings()
                          ? InputFeatures(std::make_shared<const StringMap>(strings, kernel), bias)
                          : InputFeatures(RowFeatures(examples, row_of, bias, kernel, Products::served))) {}
  explicit InputFeatures(const Archive& archive);
  void save(Archive& archive) const;

  const StringMap* strings() const { return strings_.get(); }  // null where examples are rows
  // Puts rows in the place of strings. Throws InputError where there should be strings and are none.
  template <class Examples, class RowOf>
  void make_rows(const std::vector<std::string>& strings, Examples& examples, RowOf row_of) const {
    if (strings_) require_strings(strings.size(), examples.size());
    for (std::size_t i = 0; i < strings.size(); ++i) row_of(examples[i]) = (*strings_)(strings[i]);
  }
  std::string name(Index feature) const;

 private:
  explicit InputFeatures(RowFeatures rows) : RowFeatures(std::move(rows)) {}
  InputFeatures(std::shared_ptr<const StringMap> strings, double bias);
  static void require_strings(std::size_t strings, std::size_t examples);

  std::shared_ptr<const StringMap> strings_;
};

// What a kernel became, among the facts of data, and nothing of rows where there are strings.
void tell_features(const InputFeatures& features, nlohmann::json& facts);

}  // namespace hinge
