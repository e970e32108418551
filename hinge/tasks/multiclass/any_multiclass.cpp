#include "hinge/tasks/multiclass/any_multiclass.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/bare_tokens.h"
#include "hinge/tasks/class_answers.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/multiclass/examples.h"
#include "hinge/tasks/multiclass/reader.h"
#include "hinge/tasks/multiclass/told_classes.h"
#include "hinge/tasks/product_adapter.h"

namespace hinge {
namespace {

class AnyMulticlass final : public ProductAdapter<ToldClasses, MulticlassRecords, MulticlassData,
                                                  MulticlassSchema, MulticlassOptions>,
                            public BareTokens {
 public:
  std::string name() const override { return "multiclass"; }
  // Nothing is hidden and there is one output: all the same.
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->classes()); }
  std::vector<std::string> label_names() const override { return answer_names(); }
  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  MulticlassRecords read_records(const std::vector<std::string>& files,
                                 const Selection& selection) const override {
    return of_strings() ? read_strings(files, selection) : read_classes(files, selection);
  }
  // The task knows the sets of training data alone: a class that is one of several is hidden in other data.
  std::unique_ptr<Data> examples_of(MulticlassRecords records) const override {
    for (auto& row : records.rows) row.label = std::max(row.label, kHiddenClass);
    return make_examples(*schema_, std::move(records));
  }

  std::unique_ptr<Data> read_both(const std::vector<std::string>& files,
                                  const std::vector<std::string>& unlabelled,
                                  std::size_t& labelled) override {
    MulticlassRecords records = read_records(files, {}), more = read_records(unlabelled, {});
    labelled = records.rows.size();
    for (auto& row : more.rows) {
      row.label = kHiddenClass;
      records.rows.push_back(std::move(row));
    }
    std::ranges::move(more.strings, std::back_inserter(records.strings));
    return train_on(std::move(records));
  }
  std::unique_ptr<AnyGuidedExamples> guided(const Data& data, std::size_t labelled,
                                            const Knowledge& knowledge, bool rule_features,
                                            const GuidedSettings& settings) const override {
    options_.kernel.require_map();
    return std::make_unique<GuidedExamples<MulticlassTask>>(*schema_->task(), std::span(own(data).examples()),
                                                            labelled, knowledge, rule_features, settings);
  }

 protected:
  std::vector<Labels> position_labels(const Data& data) const override {
    std::vector<Labels> labels;
    for (const auto& example : own(data).examples())
      labels.push_back({schema_->task()->seen(example.label) ? example.label : kUnknown});
    return labels;
  }

  ExamplePredictions answer(const MulticlassData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    Choice::Scores& scores = scratch<Choice::Scores, struct AnyMulticlassScores>();
    schema_->task()->score(data.examples()[i].input, w, scores);
    return best_class(scores.value, asked);
  }
  std::size_t values(Asked::What) const override { return schema_->classes().size(); }
  Asked written() const override { return asked_by(options_.columns); }
  void append(const MulticlassData&, std::size_t, const ExamplePredictions& answer,
              std::string& line) const override {
    append_class(
        answer, [&](Index c) { return schema_->classes().text(c); }, line);
  }

  JsonValue measure(const MulticlassData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_classes(
               data.records(), w, examples, executor, {}, [](int y) { return y; }, [](Index s) { return s; })
        .json(data.records().text().texts());
  }

  void settle(MulticlassRecords& own, Ranks* ranks) const override {
    if (ranks == nullptr) return weigh_classes(options_.training.class_weights, own);
    share_weights(options_.training.class_weights, *ranks, own);
    const auto sets = static_cast<int>(told_before(*ranks, own.sets.size()));
    for (auto& row : own.rows)
      if (row.label <= MulticlassTask::kSets) row.label -= sets;
  }
};

}  // namespace

std::unique_ptr<RecordTask<MulticlassRecords>> make_multiclass() { return std::make_unique<AnyMulticlass>(); }

}  // namespace hinge
