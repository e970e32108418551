// What a rank tells of its label sets (shared_records.h): the sets themselves, by which pairs of labels are chosen, and
// which features there are.
#pragma once

#include "hinge/tasks/multilabel/records.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

class ToldLabelSets {
 public:
  ToldLabelSets() = default;
  explicit ToldLabelSets(const MultilabelRecords& records) : labels_(texts_of(records.labels)) {
    FeaturesUsed used;
    for (const LabelSetRecord& row : records.rows) {
      used.add(row.row);
      sets_.push_back({row.present, row.unknown, row.others_unknown, row.weight});
    }
    features_ = used.row().index;
  }
  void keep(Snapshot& snapshot) { snapshot(labels_, sets_, features_); }

  void add_to(MultilabelRecords& all) const {
    std::vector<Index> number;
    for (const std::string& name : labels_) number.push_back(all.labels.intern(name));
    for (const Set& set : sets_) {
      LabelSetRecord& row = all.rows.emplace_back();
      for (const Index label : set.present) row.present.push_back(number[label]);
      for (const Index label : set.unknown) row.unknown.push_back(number[label]);
      row.others_unknown = set.others_unknown;
      row.weight = set.weight;
      if (&set == &sets_.front()) row.row = {features_, std::vector<float>(features_.size(), 1)};
    }
  }

 private:
  struct Set {
    std::vector<Index> present, unknown;
    bool others_unknown = false;
    double weight = 1;
    void keep(Snapshot& snapshot) { snapshot(present, unknown, others_unknown, weight); }
  };
  std::vector<std::string> labels_;
  std::vector<Set> sets_;
  std::vector<Index> features_;
};

}  // namespace hinge
