#include "hinge/tasks/taxonomy/any_taxonomy.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/multiclass/reader.h"
#include "hinge/tasks/multiclass/told_classes.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/row_adapter.h"
#include "hinge/tasks/taxonomy/metrics.h"
#include "hinge/tasks/taxonomy/schema.h"

namespace hinge {
namespace {

using UnseenNames = std::vector<std::string>;  // of each example's class that is not in the tree
using TaxonomyData = RecordData<UnseenNames, TaxonomyTask>;

class AnyTaxonomy final
    : public RowAdapter<ToldClasses, TaxonomyRecords, TaxonomyData, TaxonomySchema, TaxonomyOptions> {
 public:
  std::string name() const override { return "taxonomy"; }
  // Nothing is hidden and there is one output: all the same.
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  TaxonomyRecords read_records(const std::vector<std::string>& files,
                               const Selection& selection) const override {
    return {read_classes(files, selection)};
  }

  std::unique_ptr<Data> examples_of(TaxonomyRecords records) const override {
    const TaxonomyTask& task = *schema_->task();
    std::vector<Example<TaxonomyTask>> examples;
    UnseenNames names;
    std::size_t hidden = 0, open = 0, unseen_labels = 0, unseen_features = 0;
    for (auto& [row, number, weight] : records.rows) {
      const TaxonLabel y = schema_->label_of(number, records.classes);
      names.emplace_back(y.unseen > 0 ? records.classes.text(static_cast<Index>(number)) : "");
      hidden += y.node < 0;
      unseen_labels += y.unseen > 0;
      open += y.node >= 0 && y.unseen == 0 && !task.determined(y);
      unseen_features += schema_->features().renumber(row);
      examples.push_back({std::move(row), y, weight});
    }
    nlohmann::json facts = {{"examples", examples.size()},
                            {"classes", task.hierarchy().size() - 1},
                            {"answers", task.hierarchy().answers().size()},
                            {"features", schema_->features().size()},
                            {"unlabelled", hidden},
                            {"labels_above_the_answers", open},
                            {"unseen_labels", unseen_labels},
                            {"unseen_features", unseen_features}};
    tell_map(schema_->features(), facts);
    if (!records.note.empty()) facts["note"] = std::move(records.note);
    return std::make_unique<TaxonomyData>(schema_->task(), std::move(examples), std::move(facts),
                                          std::move(names));
  }

  std::string report(const nlohmann::json& metrics) const override { return taxonomy_report(metrics); }

  std::vector<std::string> answer_names() const override {
    std::vector<std::string> names;
    for (const Index answer : schema_->task()->hierarchy().answers())
      names.emplace_back(schema_->tree().name(answer));
    return names;
  }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    const auto& answers = schema_->task()->hierarchy().answers();
    const std::size_t width = asked.what == Asked::labels ? 0 : answers.size();
    return predict_examples(data, executor, width, [&](std::size_t i) {
      TreeChoice& engine = scratch<TreeChoice, struct AnyTaxonomyEngine2>();
      TreeChoice::Scores& scores = scratch<TreeChoice::Scores, struct AnyTaxonomyScores2>();
      ExamplePredictions one;
      schema_->task()->score(own(data).examples()[i].input, w, scores);
      engine.score_answers(scores, one.value);
      one.label = {static_cast<int>(arg_max(one.value))};
      if (asked.what == Asked::marginals) smooth_max(one.value, 1, one.value);
      if (width == 0) one.value.clear();
      return one;
    });
  }

 protected:
  JsonValue measure(const TaxonomyData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    TaxonomyMetrics metrics(*schema_->task(), schema_->tree());
    const auto predict = [&](std::size_t i) {
      Factored<TaxonomyTask>& factored = scratch<Factored<TaxonomyTask>, struct AnyTaxonomyFactored>();
      return factored.predict(*schema_->task(), data.examples()[i].input, w);
    };
    for_answers(examples, executor, predict, [&](std::size_t i, Index answer) {
      metrics.add(data.examples()[i].label, data.text()[i], answer);
    });
    return metrics.json();
  }

  void write(const TaxonomyData& data, Weights w, Executor& executor, OutputFile& out) const override {
    options_.columns.refuse_both();
    const auto& answers = schema_->task()->hierarchy().answers();
    write_examples(data, executor, out, [&](std::size_t i, std::string& line) {
      TreeChoice& engine = scratch<TreeChoice, struct AnyTaxonomyEngine>();
      TreeChoice::Scores& scores = scratch<TreeChoice::Scores, struct AnyTaxonomyScores>();
      std::vector<double>& values = scratch<std::vector<double>, struct AnyTaxonomyValues>();
      schema_->task()->score(data.examples()[i].input, w, scores);
      engine.score_answers(scores, values);
      line.append(schema_->tree().name(answers[arg_max(values)]));
      if (options_.columns.marginals) smooth_max(values, 1, values);
      if (options_.columns.marginals || options_.columns.scores)
        for (std::size_t k = 0; k < answers.size(); ++k)
          fmt::format_to(std::back_inserter(line), " {}:{:g}", schema_->tree().name(answers[k]), values[k]);
      line.push_back('\n');
    });
  }
};

}  // namespace

std::unique_ptr<RecordTask<TaxonomyRecords>> make_taxonomy() { return std::make_unique<AnyTaxonomy>(); }

}  // namespace hinge
