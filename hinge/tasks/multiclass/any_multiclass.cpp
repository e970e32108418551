#include "hinge/tasks/multiclass/any_multiclass.h"

#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/adapter.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/multiclass/reader.h"
#include "hinge/tasks/multiclass/schema.h"

namespace hinge {
namespace {

using MulticlassData = RecordData<ClassNames, MulticlassTask>;

class AnyMulticlass final
    : public Adapter<MulticlassRecords, MulticlassData, MulticlassSchema, MulticlassOptions> {
 public:
  std::string name() const override { return "multiclass"; }
  // Nothing is hidden and there is one output: all the same.
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  MulticlassRecords read_records(const std::vector<std::string>& files,
                                 const Selection& selection) const override {
    return read_classes(files, selection);
  }
  std::unique_ptr<Data> train_on(MulticlassRecords records) override {
    require_options();
    schema_ = std::make_shared<const MulticlassSchema>(records, options_.training);
    weigh_classes(options_.training.class_weights, records);
    return examples_of(std::move(records));
  }

  // Renumbers features and labels as the task has them, and counts what it lacks.
  std::unique_ptr<Data> examples_of(MulticlassRecords records) const override {
    ClassNames names(schema_->classes(), records.classes);
    std::size_t entries = 0, hidden = 0, unseen_features = 0, unseen_labels = 0;
    for (auto& [row, label, weight] : records.rows) {
      entries += row.index.size();
      unseen_features += schema_->renumber(row);
      label = names[label];
      hidden += label == kHiddenClass;
      unseen_labels += label >= static_cast<int>(schema_->classes().size());
    }
    nlohmann::json facts = {{"examples", records.rows.size()},
                            {"classes", schema_->classes().size()},
                            {"features", schema_->features()},
                            {"entries", entries},
                            {"unlabelled", hidden},
                            {"unseen_labels", unseen_labels},
                            {"unseen_features", unseen_features}};
    if (!records.note.empty()) facts["note"] = std::move(records.note);
    return std::make_unique<MulticlassData>(schema_->task(), std::move(records.rows), std::move(facts),
                                            std::move(names));
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

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
};

}  // namespace

std::unique_ptr<RecordTask<MulticlassRecords>> make_multiclass() { return std::make_unique<AnyMulticlass>(); }

}  // namespace hinge
