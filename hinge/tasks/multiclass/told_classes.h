// What a rank tells of its rows of classes (shared_records.h): the names of its classes, and the features of each.
#pragma once

#include <map>

#include "hinge/tasks/multiclass/schema.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/shared_records.h"

namespace hinge {

class ToldClasses {
 public:
  ToldClasses() = default;
  explicit ToldClasses(const MulticlassRecords& records)
      : classes_(texts_of(records.classes)), sets_(records.sets), note_(records.note) {
    std::map<int, FeaturesUsed> used;
    for (const auto& row : records.rows) used[std::max(row.label, kHiddenClass)].add(row.input);
    for (auto& [label, features] : used) {
      labels_.push_back(label);
      features_.push_back(features.row().index);
    }
  }
  void keep(Snapshot& snapshot) { snapshot(classes_, sets_, note_, labels_, features_); }

  void add_to(MulticlassRecords& all) const {
    std::vector<int> number;
    for (const std::string& name : classes_) number.push_back(class_number(name, all.classes));
    const auto at = [&](int label) { return label < 0 ? label : number[static_cast<std::size_t>(label)]; };
    for (const std::vector<int>& set : sets_) {
      all.sets.emplace_back();
      for (const int label : set) all.sets.back().push_back(at(label));
    }
    if (all.note.empty()) all.note = note_;
    for (std::size_t k = 0; k < labels_.size(); ++k)
      all.rows.push_back({{features_[k], std::vector<float>(features_[k].size(), 1)}, at(labels_[k]), 1});
  }

 private:
  std::vector<std::string> classes_;
  std::vector<std::vector<int>> sets_;
  std::string note_;
  std::vector<int> labels_;
  std::vector<std::vector<Index>> features_;  // of the rows of each label
};

// Labels and weights of all rows, without their features.
class ToldWeights {
 public:
  ToldWeights() = default;
  explicit ToldWeights(const MulticlassRecords& records) : classes_(texts_of(records.classes)) {
    for (const auto& row : records.rows) {
      labels_.push_back(row.label);
      weights_.push_back(row.weight);
    }
  }
  void keep(Snapshot& snapshot) { snapshot(classes_, labels_, weights_); }

  void add_to(MulticlassRecords& all) const {
    std::vector<int> number;
    for (const std::string& name : classes_) number.push_back(class_number(name, all.classes));
    for (std::size_t i = 0; i < labels_.size(); ++i)
      all.rows.push_back(
          {{}, labels_[i] < 0 ? labels_[i] : number[static_cast<std::size_t>(labels_[i])], weights_[i]});
  }

 private:
  std::vector<std::string> classes_;
  std::vector<int> labels_;
  Vector weights_;
};

// Weighs the rows of this rank as weigh_classes would in those of all.
inline void share_weights(const std::vector<std::string>& class_weights, Ranks& ranks,
                          MulticlassRecords& own) {
  if (class_weights.empty()) return;
  auto all = merge_records<ToldWeights, MulticlassRecords>(ranks, ToldWeights(own));
  weigh_classes(class_weights, all);
  std::size_t i = told_before(ranks, own.rows.size());
  for (auto& row : own.rows) row.weight = all.rows[i++].weight;
}

}  // namespace hinge
