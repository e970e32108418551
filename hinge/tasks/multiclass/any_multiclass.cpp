#include "hinge/tasks/multiclass/any_multiclass.h"

#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/bare_tokens.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/multiclass/reader.h"
#include "hinge/tasks/multiclass/schema.h"
#include "hinge/tasks/multiclass/told_classes.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {
namespace {

using MulticlassData = RecordData<ClassNames, MulticlassTask>;

class AnyMulticlass final
    : public RowAdapter<ToldClasses, MulticlassRecords, MulticlassData, MulticlassSchema, MulticlassOptions>,
      public BareTokens {
 public:
  std::string name() const override { return "multiclass"; }
  // Nothing is hidden and there is one output: all the same.
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  MulticlassRecords read_records(const std::vector<std::string>& files,
                                 const Selection& selection) const override {
    return read_classes(files, selection);
  }
  // The task knows the sets of training data alone: a class that is one of several is hidden in other data.
  std::unique_ptr<Data> examples_of(MulticlassRecords records) const override {
    for (auto& row : records.rows) row.label = std::max(row.label, kHiddenClass);
    return examples(std::move(records));
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  std::vector<std::string> label_names() const override {
    std::vector<std::string> names;
    for (Index c = 0; c < schema_->classes().size(); ++c) names.emplace_back(schema_->classes().text(c));
    return names;
  }
  std::vector<Labels> position_labels(const Data& data) const override {
    std::vector<Labels> labels;
    for (const auto& example : own(data).examples())
      labels.push_back({schema_->task()->seen(example.label) ? example.label : kUnknown});
    return labels;
  }
  std::vector<Labels> answers(const Data& data, Weights w, Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      const Index best =
          Factored<MulticlassTask>().predict(*schema_->task(), own(data).examples()[i].input, w);
      return Labels{static_cast<int>(best)};
    });
  }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->classes()); }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    const std::size_t width = asked.what == Asked::labels ? 0 : schema_->classes().size();
    return predict_examples(data, executor, width, [&](std::size_t i) {
      Choice::Scores& scores = scratch<Choice::Scores, struct AnyMulticlassValues>();
      schema_->task()->score(own(data).examples()[i].input, w, scores);
      ExamplePredictions one{{static_cast<int>(arg_max(scores.value))}, {}};
      if (asked.what == Asked::marginals) smooth_max(scores.value, 1, scores.value);
      if (width > 0) one.value.assign(scores.value.begin(), scores.value.end());
      return one;
    });
  }
  std::unique_ptr<Data> read_both(const std::vector<std::string>& files,
                                  const std::vector<std::string>& unlabelled,
                                  std::size_t& labelled) override {
    MulticlassRecords records = read_classes(files, {});
    labelled = records.rows.size();
    for (auto& row : read_classes(unlabelled, {}).rows) {
      row.label = kHiddenClass;
      records.rows.push_back(std::move(row));
    }
    return train_on(std::move(records));
  }
  std::unique_ptr<AnyGuidedExamples> guided(const Data& data, std::size_t labelled,
                                            const Knowledge& knowledge, bool rule_features,
                                            const GuidedSettings& settings) const override {
    return std::make_unique<GuidedExamples<MulticlassTask>>(*schema_->task(), std::span(own(data).examples()),
                                                            labelled, knowledge, rule_features, settings);
  }

 protected:
  JsonValue measure(const MulticlassData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_classes(
               data, w, examples, executor, {}, [](int y) { return y; }, [](Index s) { return s; })
        .json(data.text().texts());
  }

  void write(const MulticlassData& data, Weights w, Executor& executor, OutputFile& out) const override {
    options_.columns.refuse_both();
    write_examples(data, executor, out, [&](std::size_t i, std::string& line) {
      Choice::Scores& scores = scratch<Choice::Scores, struct AnyMulticlassScores>();
      Choice::Counts& counts = scratch<Choice::Counts, struct AnyMulticlassCounts>();
      schema_->task()->score(data.examples()[i].input, w, scores);
      Choice().solve(scores, 0, 0, counts);
      if (options_.columns.marginals) smooth_max(scores.value, 1, scores.value);
      options_.columns.append(schema_->classes(), counts.structure(), scores.value, line);
    });
  }

  std::unique_ptr<Data> training_examples(MulticlassRecords records) const override {
    return examples(std::move(records));
  }
  void settle(MulticlassRecords& own, Ranks* ranks) const override {
    if (ranks == nullptr) return weigh_classes(options_.training.class_weights, own);
    share_weights(*ranks, own);
    const auto sets = static_cast<int>(told_before(*ranks, own.sets.size()));
    for (auto& row : own.rows)
      if (row.label <= MulticlassTask::kSets) row.label -= sets;
  }

 private:
  // Weights of classes by the rows of all ranks.
  void share_weights(Ranks& ranks, MulticlassRecords& own) const {
    if (options_.training.class_weights.empty()) return;
    auto all = merge_records<ToldWeights, MulticlassRecords>(ranks, ToldWeights(own));
    weigh_classes(options_.training.class_weights, all);
    std::size_t i = told_before(ranks, own.rows.size());
    for (auto& row : own.rows) row.weight = all.rows[i++].weight;
  }

  // Renumbers features and labels as the task has them, and counts what it lacks.
  std::unique_ptr<Data> examples(MulticlassRecords records) const {
    ClassNames names(schema_->classes(), records.classes);
    std::size_t entries = 0, hidden = 0, unseen_features = 0, unseen_labels = 0;
    for (auto& [row, label, weight] : records.rows) {
      entries += row.index.size();
      unseen_features += schema_->features().renumber(row);
      label = names[label];
      hidden += label == kHiddenClass;
      unseen_labels += label >= static_cast<int>(schema_->classes().size());
    }
    nlohmann::json facts = {{"examples", records.rows.size()},
                            {"classes", schema_->classes().size()},
                            {"features", schema_->features().used().size()},
                            {"entries", entries},
                            {"unlabelled", hidden},
                            {"unseen_labels", unseen_labels},
                            {"unseen_features", unseen_features}};
    tell_map(schema_->features(), facts);
    if (!records.note.empty()) facts["note"] = std::move(records.note);
    return std::make_unique<MulticlassData>(schema_->task(), std::move(records.rows), std::move(facts),
                                            std::move(names));
  }
};

}  // namespace

std::unique_ptr<RecordTask<MulticlassRecords>> make_multiclass() { return std::make_unique<AnyMulticlass>(); }

}  // namespace hinge
