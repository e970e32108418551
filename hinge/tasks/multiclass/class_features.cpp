#include "hinge/tasks/multiclass/class_features.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

namespace hinge {
namespace {

RowFeatures features_of(const MulticlassRecords& records, double bias, const KernelOptions& kernel,
                        const StringMap* strings) {
  if (strings == nullptr)
    return {records.rows, [](const auto& row) -> const SparseRow& { return row.input; }, bias, kernel,
            RowFeatures::Products::served};
  SparseRow all;  // what every string becomes has all features
  all.index.resize(strings->size());
  std::iota(all.index.begin(), all.index.end(), Index{1});
  return {std::vector{all}, std::identity(), bias, KernelOptions()};
}

}  // namespace

ClassFeatures::ClassFeatures(const MulticlassRecords& records, double bias, const MulticlassKernel& kernel,
                             std::shared_ptr<const StringMap> strings)
    : RowFeatures(features_of(records, bias, kernel, strings.get())), strings_(std::move(strings)) {}

ClassFeatures::ClassFeatures(const Archive& archive)
    : RowFeatures(archive),
      strings_(archive.arrays.contains("kernel_strings") ? std::make_shared<const StringMap>(archive)
                                                         : nullptr) {
  if (strings_ && used().size() != strings_->size())
    fail("the model's strings and features do not fit together: train the model again.");
}

void ClassFeatures::save(Archive& archive) const {
  RowFeatures::save(archive);
  if (strings_) strings_->save(archive);
}

void ClassFeatures::make_rows(MulticlassRecords& records) const {
  if (strings_ && records.strings.size() != records.rows.size())
    fail("the model was learned from strings, and these examples are rows: give strings.");
  for (std::size_t i = 0; i < records.strings.size(); ++i)
    records.rows[i].input = (*strings_)(records.strings[i]);
}

std::string ClassFeatures::name(Index feature) const {
  return strings_ && feature < strings_->size() ? fmt::format("kernel {}", feature + 1)
                                                : RowFeatures::name(feature);
}

void tell_features(const ClassFeatures& features, nlohmann::json& facts) {
  tell_map(features, facts);
  if (features.strings() == nullptr) return;
  for (const char* of_rows : {"features", "entries", "unseen_features"}) facts.erase(of_rows);
  facts["kernel_features"] = features.strings()->size();
  facts["kernel_rest"] = features.strings()->rest();
}

}  // namespace hinge
