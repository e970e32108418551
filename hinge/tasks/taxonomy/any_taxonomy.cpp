#include "hinge/tasks/taxonomy/any_taxonomy.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/class_answers.h"
#include "hinge/tasks/multiclass/reader.h"
#include "hinge/tasks/multiclass/told_classes.h"
#include "hinge/tasks/product_adapter.h"
#include "hinge/tasks/taxonomy/examples.h"
#include "hinge/tasks/taxonomy/metrics.h"

namespace hinge {
namespace {

class AnyTaxonomy final
    : public ProductAdapter<ToldClasses, TaxonomyRecords, TaxonomyData, TaxonomySchema, TaxonomyOptions> {
 public:
  std::string name() const override { return "taxonomy"; }
  // Nothing is hidden and there is one output: all the same.
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override {
    std::vector<std::string> names;
    for (Index k = 0; k < values(Asked::scores); ++k) names.emplace_back(answer_name(k));
    return names;
  }
  std::string report(const nlohmann::json& metrics) const override { return taxonomy_report(metrics); }

  TaxonomyRecords read_records(const std::vector<std::string>& files,
                               const Selection& selection) const override {
    return {of_strings() ? read_strings(files, selection) : read_classes(files, selection)};
  }
  std::unique_ptr<Data> examples_of(TaxonomyRecords records) const override {
    return make_examples(*schema_, std::move(records));
  }

 protected:
  void refuse_options() const override { options_.training.check_consistency(); }
  ExamplePredictions answer(const TaxonomyData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    TreeChoice& engine = scratch<TreeChoice, struct AnyTaxonomyEngine>();
    TreeChoice::Scores& scores = scratch<TreeChoice::Scores, struct AnyTaxonomyScores>();
    std::vector<double>& values = scratch<std::vector<double>, struct AnyTaxonomyValues>();
    schema_->task()->score(data.examples()[i].input, w, scores);
    engine.score_answers(scores, values);
    return best_class(values, asked);
  }
  std::size_t values(Asked::What) const override { return schema_->tree().hierarchy().answers().size(); }
  Asked written() const override { return asked_by(options_.columns); }
  void append(const TaxonomyData&, std::size_t, const ExamplePredictions& answer,
              std::string& line) const override {
    append_class(
        answer, [&](Index k) { return answer_name(k); }, line);
  }

  JsonValue measure(const TaxonomyData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    TaxonomyMetrics metrics(*schema_->task(), schema_->tree());
    for_predictions(data.records().only(), w, examples, executor, {},
                    [&](std::size_t i, Index found, const Answer&) {
                      metrics.add(data.examples()[i].label, data.text()[i], found);
                    });
    return metrics.json();
  }

 private:
  std::string_view answer_name(Index k) const {
    return schema_->tree().name(schema_->tree().hierarchy().answers()[k]);
  }
};

}  // namespace

std::unique_ptr<RecordTask<TaxonomyRecords>> make_taxonomy() { return std::make_unique<AnyTaxonomy>(); }

}  // namespace hinge
