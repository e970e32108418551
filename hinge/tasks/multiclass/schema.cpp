#include "hinge/tasks/multiclass/schema.h"

#include <algorithm>

#include "hinge/core/text_file.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/multiclass/cost_matrix.h"

namespace hinge {

MulticlassSchema::MulticlassSchema(const MulticlassRecords& records, const MulticlassOptions& options)
    : features_(records.rows, input_of, records, options.training.bias, options.kernel) {
  std::vector<double> costs = fix_classes(records.classes, options.training.cost_matrix);
  if (!options.training.feature_names.empty()) read_feature_names(options.training.feature_names);
  make_task(std::move(costs), sets_of(records));
}

MulticlassTask::Sets MulticlassSchema::sets_of(const MulticlassRecords& records) const {
  MulticlassTask::Sets sets;
  for (const std::vector<int>& set : records.sets) {
    std::vector<Index>& classes = sets.emplace_back();
    for (const int c : set) classes.push_back(classes_.find(records.classes.text(static_cast<Index>(c))));
  }
  return sets;
}

// The classes are those of the cost matrix, or those of the data. Returns the costs in their order.
std::vector<double> MulticlassSchema::fix_classes(const StringTable& labels, const std::string& cost_matrix) {
  if (labels.empty()) fail("no example has a label: give some a class in place of '?'.");
  if (cost_matrix.empty()) {
    classes_ = training_classes(labels, "examples");
    return {};
  }
  const CostMatrix matrix = read_cost_matrix(cost_matrix);
  for (Index c = 0; c < labels.size(); ++c)
    if (matrix.classes.find(labels.text(c)) == StringTable::kNone)
      fail_at(matrix.name, matrix.line, "lacks the class '{}' of the data: add its row and column.",
              labels.text(c));
  for (const auto& name : sorted_names(matrix.classes)) classes_.intern(name);
  std::vector<double> costs;
  for (Index truth = 0; truth < classes_.size(); ++truth)
    for (Index answer = 0; answer < classes_.size(); ++answer)
      costs.push_back(
          matrix(matrix.classes.find(classes_.text(truth)), matrix.classes.find(classes_.text(answer))));
  return costs;
}

void MulticlassSchema::read_feature_names(const std::string& file) {
  if (features_.map() || !features_.of_rows())
    fail("`feature_names` are of no use with a `kernel`, which has features of its own.");
  const std::vector<Index>& indices = features_.used().indices();
  LineReader reader(file);
  std::string_view line;
  while (feature_name_.size() < indices.size() && reader.next(line))
    if (reader.line() == indices[feature_name_.size()]) feature_name_.push_back(names_.intern(line));
  if (feature_name_.size() < indices.size())
    fail_at(reader.file(), reader.line(), "is the last line, but the data has the feature {}: name it too.",
            indices.back());
}

void MulticlassSchema::make_task(std::vector<double> costs, MulticlassTask::Sets sets) {
  const std::size_t features = features_.size(), count = classes_.size();
  if (features > kMaxDimension / count)
    fail("{} features x {} classes are more than {} weights: use fewer features.", features, count,
         kMaxDimension);
  task_ = std::make_shared<MulticlassTask>(static_cast<Index>(features), static_cast<Index>(count),
                                           std::move(costs), std::move(sets), features_.products());
}

void MulticlassSchema::save(Archive& archive) const {
  classes_.save(archive, "classes");
  features_.save(archive);
  archive.arrays["costs"] = task_->costs();
  names_.save(archive, "names");
  archive.arrays["feature_name"] = feature_name_;
}

MulticlassSchema::MulticlassSchema(const Archive& archive, const MulticlassOptions&) : features_(archive) {
  classes_.load(archive, "classes");
  const auto& costs = archive.get<double>("costs");
  names_.load(archive, "names");
  feature_name_ = archive.get<Index>("feature_name");
  const std::size_t count = classes_.size();
  const bool names_fit =
      feature_name_.empty() ||
      (feature_name_.size() == features_.used().size() &&
       std::ranges::all_of(feature_name_, [&](Index name) { return name < names_.size(); }));
  if (count == 0 || !(costs.empty() || costs.size() == count * count) || !names_fit)
    fail("the model's classes and features do not fit together: train the model again.");
  make_task(costs);
}

std::string MulticlassSchema::feature_name(Index weight) const {
  const auto count = static_cast<Index>(classes_.size());
  const Index feature = weight / count;
  const std::string name = feature < feature_name_.size() ? std::string(names_.text(feature_name_[feature]))
                                                          : features_.name(feature);
  return fmt::format("{} -> {}", name, classes_.text(weight % count));
}

void weigh_classes(const std::vector<std::string>& class_weights, MulticlassRecords& records) {
  if (class_weights.empty()) return;
  std::vector<double> factor(records.classes.size(), 1.0);
  if (class_weights == std::vector<std::string>{"balanced"}) {
    std::vector<double> total(factor.size(), 0.0);
    double sum = 0;
    for (const auto& row : records.rows)
      if (row.label >= 0) total[static_cast<std::size_t>(row.label)] += row.weight, sum += row.weight;
    const auto seen = static_cast<double>(std::ranges::count_if(total, [](double each) { return each > 0; }));
    for (std::size_t c = 0; c < factor.size(); ++c)
      if (total[c] > 0) factor[c] = sum / (seen * total[c]);
  } else {
    for (const auto& text : class_weights) {
      const std::size_t colon = std::min(text.rfind(':'), text.size());
      const Index label = records.classes.find(std::string_view(text).substr(0, colon));
      double weight;
      if (colon == text.size() || !parse_number(std::string_view(text).substr(colon + 1), weight) ||
          weight <= 0)
        fail("`class_weights` has '{}', but takes CLASS:W with a positive number, or 'balanced' alone.",
             text);
      if (label == StringTable::kNone)
        fail("`class_weights` has '{}', but no example has that label: check its spelling.", text);
      factor[label] = weight;
    }
  }
  for (auto& row : records.rows)
    if (row.label >= 0) row.weight *= factor[static_cast<std::size_t>(row.label)];
}

}  // namespace hinge
