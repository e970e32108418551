#include "hinge/tasks/input_features.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hinge/tasks/given_map.h"
#include "hinge/tasks/given_products.h"
#include "hinge/tasks/string_map.h"
#include "hinge/tasks/string_products.h"

namespace hinge {
namespace {

SparseRow all_features(std::size_t count) {
  SparseRow all;
  all.index.resize(count);
  std::iota(all.index.begin(), all.index.end(), Index{1});
  return all;
}

}  // namespace

// What every input becomes has all features.
InputFeatures::InputFeatures(std::shared_ptr<const InputMap> map, double bias)
    : RowFeatures(std::vector{all_features(map->size())}, std::identity(), bias, KernelOptions()),
      map_(std::move(map)) {}

InputFeatures::InputFeatures(std::shared_ptr<const RowProducts> products)
    : RowFeatures(std::vector{all_features(products->size())}, std::identity(), 0, KernelOptions()),
      products_(std::move(products)) {}

InputFeatures InputFeatures::of_given(const GivenKernel& all, double bias, const InputKernel& kernel) {
  if (kernel.map == "none") {
    auto given = std::make_shared<const GivenKernel>(all);
    InputFeatures features(std::make_shared<const GivenProducts>(given, bias));
    features.given_ = std::move(given);
    return features;
  }
  auto map = std::make_shared<const GivenMap>(all, static_cast<std::size_t>(kernel.size));
  InputFeatures features(map, bias);
  features.given_ = map->kernel();
  return features;
}

InputFeatures::InputFeatures(const Rows& rows, const OtherInputs& others, double bias,
                             const InputKernel& kernel)
    : InputFeatures([&] {
        require_kernel(others, kernel);
        if (!kernel.of_strings()) return of_given(GivenKernel(others.compared, rows), bias, kernel);
        return kernel.map == "none"
                   ? InputFeatures(std::make_shared<const StringProducts>(others.strings, kernel, bias))
                   : InputFeatures(std::make_shared<const StringMap>(others.strings, kernel), bias);
      }()) {
  strings_ = kernel.of_strings();
}

InputFeatures::InputFeatures(const Archive& archive) : RowFeatures(archive) {
  const auto has = [&](const char* name) { return archive.arrays.contains(name); };
  if (has("kernel_inputs")) {
    given_ = std::make_shared<const GivenKernel>(archive);
    if (has("kernel_triangle"))
      map_ = std::make_shared<const GivenMap>(given_, archive);
    else
      products_ = std::make_shared<const GivenProducts>(given_, archive);
  } else if (has("kernel_letters")) {
    products_ = std::make_shared<const StringProducts>(archive);
  } else if (has("kernel_strings")) {
    map_ = std::make_shared<const StringMap>(archive);
  }
  strings_ = !given_ && !of_rows();
  if ((map_ && used().size() != map_->size()) || (products_ && size() != products_->size()))
    fail("the model's inputs and features do not fit together: train the model again.");
}

void InputFeatures::save(Archive& archive) const {
  RowFeatures::save(archive);
  if (map_) map_->save(archive);
  if (products_) products_->save(archive);
}

void InputFeatures::require_kernel(const OtherInputs& others, const InputKernel& kernel) {
  const bool given = kernel.kernel == InputKernel::kGiven;
  if (given && others.compared == nullptr)
    fail(
        "`kernel` precomputed learns from products of inputs that a program knows, and a file has no place "
        "for: train in C++ or Python (docs/kernels.md), or use another `kernel`.");
  if (!given && others.compared != nullptr)
    fail("inputs that a program compares need `kernel` precomputed, and `kernel` is {}.", kernel.kernel);
}

void InputFeatures::require_kind(const OtherInputs& others, std::size_t examples) const {
  if (of_strings() && others.strings.size() != examples)
    fail("the model was learned from strings, and these examples are rows: give strings.");
  if (given_ && others.compared && others.compared.get() != given_->inputs())
    fail(
        "these are other inputs than training compared: give an input by its products with those, whose "
        "rows are features 1, 2, ....");
}

SparseRow InputFeatures::input(const OtherInputs& others, std::size_t i, SparseRow row) const {
  if (of_strings())
    row = letters_of(others.strings[i]);
  else
    given_->require_row(row);
  return map_ ? (*map_)(row) : row;
}

std::string InputFeatures::name(Index feature) const {
  return !of_rows() && feature < used().size() ? fmt::format("kernel {}", feature + 1)
                                               : RowFeatures::name(feature);
}

void tell_features(const InputFeatures& features, nlohmann::json& facts) {
  tell_map(features, facts);
  if (features.of_rows()) return;
  for (const char* of_rows : {"features", "entries", "unseen_features"}) facts.erase(of_rows);
  facts["kernel_features"] = features.used().size();
  if (const auto rest = features.rest()) facts["kernel_rest"] = *rest;
}

}  // namespace hinge
