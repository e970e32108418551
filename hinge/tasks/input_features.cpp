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

// What every string becomes has all features.
InputFeatures::InputFeatures(std::shared_ptr<const StringMap> strings, double bias)
    : RowFeatures(std::vector{all_features(strings->size())}, std::identity(), bias, KernelOptions()),
      strings_(std::move(strings)) {}

InputFeatures::InputFeatures(const Archive& archive)
    : RowFeatures(archive),
      strings_(archive.arrays.contains("kernel_strings") ? std::make_shared<const StringMap>(archive)
                                                         : nullptr) {
  if (strings_ && used().size() != strings_->size())
    fail("the model's strings and features do not fit together: train the model again.");
}

void InputFeatures::save(Archive& archive) const {
  RowFeatures::save(archive);
  if (strings_) strings_->save(archive);
}

void InputFeatures::require_strings(std::size_t strings, std::size_t examples) {
  if (strings != examples)
    fail("the model was learned from strings, and these examples are rows: give strings.");
}

std::string InputFeatures::name(Index feature) const {
  return strings_ && feature < strings_->size() ? fmt::format("kernel {}", feature + 1)
                                                : RowFeatures::name(feature);
}

void tell_features(const InputFeatures& features, nlohmann::json& facts) {
  tell_map(features, facts);
  if (features.strings() == nullptr) return;
  for (const char* of_rows : {"features", "entries", "unseen_features"}) facts.erase(of_rows);
  facts["kernel_features"] = features.strings()->size();
  facts["kernel_rest"] = features.strings()->rest();
}

}  // namespace hinge
