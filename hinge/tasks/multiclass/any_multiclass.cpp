#include "hinge/tasks/multiclass/any_multiclass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "hinge/core/string_table.h"
#include "hinge/oracle/check_task.h"
#include "hinge/tasks/class_data.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/feature_set.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/multiclass/cost_matrix.h"
#include "hinge/tasks/multiclass/multiclass.h"
#include "hinge/tasks/svmlight.h"

namespace hinge {
namespace {

struct TrainOptions {
  double bias = 1;
  std::string cost_matrix;
  std::vector<std::string> class_weights;
  std::string feature_names;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("bias", self.bias, not_negative, "value of one more feature that every example has; 0: none");
    visit("cost_matrix", self.cost_matrix, any,
          "file with what each confusion costs; without it every error costs 1");
    visit(
        "class_weights", self.class_weights, any,
        "CLASS:W multiplies the weight of that class's examples; 'balanced' gives all classes the same sum");
    visit("feature_names", self.feature_names, any, "file whose line i names feature i, for inspect");
  }
};

struct PredictOptions {
  bool scores = false;
  bool marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("scores", self.scores, any, "after each prediction, the score of every class as class:score");
    visit(
        "marginals", self.marginals, any,
        "after each prediction, the probability of every class as class:probability (softmax of the scores)");
  }
};

using Examples = std::vector<Example<MulticlassTask>>;

using MulticlassData = ClassData<MulticlassTask>;

// Examples with the feature indices of the file, and labels numbered as they appear there.
struct RawExamples {
  Examples examples;
  StringTable labels;
  std::size_t hidden = 0, entries = 0;
  std::string note;  // where the labels look like something else
};

// "2,3": how LIBSVM writes an example of several classes.
bool lists_numbers(std::string_view label) {
  std::vector<std::string_view> numbers;
  split_fields<','>(label, numbers);
  return numbers.size() > 1 && std::ranges::all_of(numbers, [](std::string_view text) {
           double number;
           return parse_number(text, number);
         });
}

RawExamples read_raw(const std::vector<std::string>& files, const Selection& selection) {
  RawExamples raw;
  std::size_t read = 0;
  for (const auto& file : files) {
    SvmlightReader reader(file);
    SvmlightExample example;
    const std::size_t before = read;
    while (reader.next(example)) {
      if (!selection(read++)) continue;
      const bool hidden = example.label == kHiddenLabel;
      const int label = hidden ? MulticlassTask::kHidden : static_cast<int>(raw.labels.intern(example.label));
      raw.hidden += hidden;
      if (raw.note.empty() && lists_numbers(example.label))
        raw.note = fmt::format(
            "{}:{} has the label '{}', which is taken for the name of one class: there is no task for "
            "several "
            "labels an example",
            reader.file(), reader.line(), example.label);
      raw.entries += example.row.index.size();
      raw.examples.push_back({example.row, label, example.weight});
    }
    if (read == before) fail_at(reader.file(), 0, "has no example: give a file with at least one.");
  }
  return raw;
}

class AnyMulticlass final : public AnyTask {
 public:
  std::string name() const override { return "multiclass"; }
  std::vector<OptionRef> options() override { return list_options(train_); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  // Nothing is hidden and there is one output: all the same.
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(train_);
    RawExamples raw = read_raw(files, selection);
    std::vector<double> costs = fix_classes(raw.labels);
    features_ =
        FeatureSet::of(raw.examples, [](const auto& example) -> const SparseRow& { return example.input; });
    bias_ = train_.bias;
    read_feature_names();
    make_task(std::move(costs));
    weigh_classes(raw);
    return adopt(std::move(raw));
  }

  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return adopt(read_raw(files, selection));
  }

  nlohmann::json evaluate(const Data& any_data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const MulticlassData& data = own(any_data);
    return measure_classes(
               data, w, subset, executor, {}, [](int y) { return y; }, [](Index s) { return s; })
        .json(data.names(classes_));
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  void predict(const Data& any_data, Weights w, Executor& executor, OutputFile& out) const override {
    if (predict_.scores && predict_.marginals)
      fail("`scores` and `marginals` are two columns: give one of them.");
    const MulticlassData& data = own(any_data);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      static thread_local Choice::Scores scores;
      static thread_local Choice::Counts counts;
      task_->score(data.examples()[i].input, w, scores);
      Choice().solve(scores, 0, 0, counts);
      text.append(classes_.text(counts.structure()));
      if (predict_.marginals) smooth_max(scores.value, 1, scores.value);
      if (predict_.scores || predict_.marginals)
        for (Index c = 0; c < classes_.size(); ++c)
          fmt::format_to(std::back_inserter(text), " {}:{:g}", classes_.text(c), scores.value[c]);
      text.push_back('\n');
    });
  }

  Index dimension() const override { return task_->dimension(); }
  std::string feature_name(Index weight) const override {
    const auto count = static_cast<Index>(classes_.size());
    const Index feature = weight / count;
    const std::string name = feature == features_.size() ? "bias"
                             : feature_name_.empty()     ? fmt::to_string(features_.indices()[feature])
                                                         : std::string(names_.text(feature_name_[feature]));
    return fmt::format("{} -> {}", name, classes_.text(weight % count));
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, own(data).examples(), options);
  }

  void save(Archive& archive) const override {
    classes_.save(archive, "classes");
    archive.arrays["features"] = features_.indices();
    archive.arrays["bias"] = std::vector<double>{bias_};
    archive.arrays["costs"] = task_->costs();
    names_.save(archive, "names");
    archive.arrays["feature_name"] = feature_name_;
  }

  void load(const Archive& archive) override {
    AnyMulticlass loaded;
    loaded.classes_.load(archive, "classes");
    const auto& features = archive.get<Index>("features");
    const auto& bias = archive.get<double>("bias");
    const auto& costs = archive.get<double>("costs");
    loaded.names_.load(archive, "names");
    loaded.feature_name_ = archive.get<Index>("feature_name");
    const std::size_t count = loaded.classes_.size();
    const bool names_fit =
        loaded.feature_name_.empty() ||
        (loaded.feature_name_.size() == features.size() &&
         std::ranges::all_of(loaded.feature_name_, [&](Index name) { return name < loaded.names_.size(); }));
    if (count == 0 || bias.size() != 1 || !(costs.empty() || costs.size() == count * count) || !names_fit ||
        !std::ranges::is_sorted(features, std::ranges::less_equal()))
      fail("the model's classes and features do not fit together: train the model again.");
    loaded.features_ = FeatureSet(features);
    loaded.bias_ = bias[0];
    loaded.make_task(costs);
    loaded.predict_ = predict_;
    *this = std::move(loaded);
  }

 private:
  static const MulticlassData& own(const Data& data) {
    assert(dynamic_cast<const MulticlassData*>(&data) != nullptr);
    return static_cast<const MulticlassData&>(data);
  }

  // The classes are those of the cost matrix, or those of the data. Returns the costs in their order.
  std::vector<double> fix_classes(const StringTable& labels) {
    classes_ = {};
    if (labels.empty()) fail("no example has a label: give some a class in place of '?'.");
    if (train_.cost_matrix.empty()) {
      for (const auto& name : sorted_names(labels)) classes_.intern(name);
      if (classes_.size() == 1)
        fail("every label is '{}', but there is nothing to learn from one class: add examples of another.",
             classes_.text(0));
      return {};
    }
    const CostMatrix matrix = read_cost_matrix(train_.cost_matrix);
    for (Index c = 0; c < labels.size(); ++c)
      if (matrix.classes.find(labels.text(c)) == StringTable::kNone)
        fail_at(train_.cost_matrix, 0, "lacks the class '{}' of the data: add its row and column.",
                labels.text(c));
    for (const auto& name : sorted_names(matrix.classes)) classes_.intern(name);
    std::vector<double> costs;
    for (Index truth = 0; truth < classes_.size(); ++truth)
      for (Index answer = 0; answer < classes_.size(); ++answer)
        costs.push_back(
            matrix(matrix.classes.find(classes_.text(truth)), matrix.classes.find(classes_.text(answer))));
    return costs;
  }

  void read_feature_names() {
    names_ = {};
    feature_name_.clear();
    if (train_.feature_names.empty()) return;
    LineReader reader(train_.feature_names);
    std::string_view line;
    while (feature_name_.size() < features_.size() && reader.next(line))
      if (reader.line() == features_.indices()[feature_name_.size()])
        feature_name_.push_back(names_.intern(line));
    if (feature_name_.size() < features_.size())
      fail_at(reader.file(), reader.line(), "is the last line, but the data has the feature {}: name it too.",
              features_.indices().back());
  }

  void make_task(std::vector<double> costs) {
    const std::size_t features = features_.size() + (bias_ != 0 ? 1 : 0), count = classes_.size();
    if (features > kMaxDimension / count)
      fail("{} features x {} classes are more than {} weights: use fewer features.", features, count,
           kMaxDimension);
    task_ = std::make_shared<MulticlassTask>(static_cast<Index>(features), static_cast<Index>(count),
                                             std::move(costs));
  }

  void weigh_classes(RawExamples& raw) const {
    if (train_.class_weights.empty()) return;
    std::vector<double> factor(raw.labels.size(), 1.0);
    if (train_.class_weights == std::vector<std::string>{"balanced"}) {
      std::vector<double> total(factor.size(), 0.0);
      double sum = 0;
      for (const auto& example : raw.examples)
        if (example.label >= 0)
          total[static_cast<std::size_t>(example.label)] += example.weight, sum += example.weight;
      for (std::size_t c = 0; c < factor.size(); ++c)
        factor[c] = sum / (static_cast<double>(factor.size()) * total[c]);
    } else {
      for (const auto& text : train_.class_weights) {
        const std::size_t colon = std::min(text.rfind(':'), text.size());
        const Index label = raw.labels.find(std::string_view(text).substr(0, colon));
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
    for (auto& example : raw.examples)
      if (example.label >= 0) example.weight *= factor[static_cast<std::size_t>(example.label)];
  }

  // Renumbers features and labels as the task has them, and counts what it lacks.
  std::unique_ptr<Data> adopt(RawExamples raw) const {
    StringTable unseen;
    const std::vector<int> label_of = class_numbers(raw.labels, classes_, unseen);
    std::size_t unseen_features = 0, unseen_labels = 0;
    for (auto& [row, label, weight] : raw.examples) {
      unseen_features += features_.renumber(row);
      if (bias_ != 0) {
        row.index.push_back(static_cast<Index>(features_.size()));
        row.value.push_back(static_cast<float>(bias_));
      }
      if (label != MulticlassTask::kHidden) label = label_of[static_cast<std::size_t>(label)];
      unseen_labels += label >= static_cast<int>(classes_.size());
    }
    nlohmann::json facts = {{"examples", raw.examples.size()},   {"classes", classes_.size()},
                            {"features", features_.size()},      {"entries", raw.entries},
                            {"unlabelled", raw.hidden},          {"unseen_labels", unseen_labels},
                            {"unseen_features", unseen_features}};
    if (!raw.note.empty()) facts["note"] = std::move(raw.note);
    return std::make_unique<MulticlassData>(task_, std::move(raw.examples), std::move(facts),
                                            std::move(unseen));
  }

  TrainOptions train_;
  PredictOptions predict_;
  StringTable classes_;
  FeatureSet features_;
  double bias_ = 0;
  StringTable names_;                // of features, each once
  std::vector<Index> feature_name_;  // the name of each feature; empty when there are none
  std::shared_ptr<const MulticlassTask> task_;
};

}  // namespace

std::unique_ptr<AnyTask> make_multiclass() { return std::make_unique<AnyMulticlass>(); }

}  // namespace hinge
