#include "hinge/tasks/input_features.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

namespace hinge {
namespace {

SparseRow all_features(std::size_t count) {
  SparseRow all;
  all.index.resize(count);
  std::iota(all.index.begin(), all.index.end(), Index{1});
  return all;
}

}  // namespace

InputFeatures::InputFeatures(const std::vector<std::string>& strings, double bias, const InputKernel& kernel)
    : InputFeatures(kernel.map == "none"
                        ? InputFeatures(std::make_shared<const StringProducts>(strings, kernel, bias))
                        : InputFeatures(std::make_shared<const StringMap>(strings, kernel), bias)) {}

// What every string becomes has all features.
InputFeatures::InputFeatures(std::shared_ptr<const StringMap> strings, double bias)
    : RowFeatures(std::vector{all_features(strings->size())}, std::identity(), bias, KernelOptions()),
      strings_(std::move(strings)) {}

InputFeatures::InputFeatures(std::shared_ptr<const StringProducts> strings)
    : RowFeatures(std::vector{all_features(strings->size())}, std::identity(), 0, KernelOptions()),
      string_products_(std::move(strings)) {}

InputFeatures::InputFeatures(const Archive& archive) : RowFeatures(archive) {
  if (archive.arrays.contains("kernel_letters"))
    string_products_ = std::make_shared<const StringProducts>(archive);
  else if (archive.arrays.contains("kernel_strings"))
    strings_ = std::make_shared<const StringMap>(archive);
  if ((strings_ && used().size() != strings_->size()) ||
      (string_products_ && size() != string_products_->size()))
    fail("the model's strings and features do not fit together: train the model again.");
}

void InputFeatures::save(Archive& archive) const {
  RowFeatures::save(archive);
  if (strings_) strings_->save(archive);
  if (string_products_) string_products_->save(archive);
}

void InputFeatures::require_strings(std::size_t strings, std::size_t examples) {
  if (strings != examples)
    fail("the model was learned from strings, and these examples are rows: give strings.");
}

std::string InputFeatures::name(Index feature) const {
  return of_strings() && feature < used().size() ? fmt::format("kernel {}", feature + 1)
                                                 : RowFeatures::name(feature);
}

void tell_features(const InputFeatures& features, nlohmann::json& facts) {
  tell_map(features, facts);
  if (!features.of_strings()) return;
  for (const char* of_rows : {"features", "entries", "unseen_features"}) facts.erase(of_rows);
  facts["kernel_features"] = features.used().size();
  if (const auto rest = features.rest()) facts["kernel_rest"] = *rest;
}

}  // namespace hinge
