// What training fixes about the inputs of classes: the features of rows, or of what a map makes of strings in their place
// (string_map.h).
#pragma once

#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/multiclass/string_map.h"
#include "hinge/tasks/row_features.h"

namespace hinge {

class ClassFeatures : public RowFeatures {
 public:
  ClassFeatures(const MulticlassRecords& records, double bias, const MulticlassKernel& kernel)
      : ClassFeatures(records, bias, kernel,
                      kernel.any() && kernel.of_strings()
                          ? std::make_shared<const StringMap>(records.strings, kernel)
                          : nullptr) {}
  explicit ClassFeatures(const Archive& archive);
  void save(Archive& archive) const;

  const StringMap* strings() const { return strings_.get(); }  // null where examples are rows
  // Puts rows in the place of strings. Throws InputError where there should be strings and are none.
  void make_rows(MulticlassRecords& records) const;
  std::string name(Index feature) const;

 private:
  ClassFeatures(const MulticlassRecords& records, double bias, const MulticlassKernel& kernel,
                std::shared_ptr<const StringMap> strings);

  std::shared_ptr<const StringMap> strings_;
};

// What a kernel became, among the facts of data, and nothing of rows where there are strings.
void tell_features(const ClassFeatures& features, nlohmann::json& facts);

}  // namespace hinge
