#include "hinge/tasks/multilabel/any_multilabel.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/graph_answers.h"
#include "hinge/tasks/multilabel/answers.h"
#include "hinge/tasks/multilabel/examples.h"
#include "hinge/tasks/multilabel/metrics.h"
#include "hinge/tasks/multilabel/reader.h"
#include "hinge/tasks/multilabel/told_label_sets.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {
namespace {

class AnyMultilabel final : public RowAdapter<ToldLabelSets, MultilabelRecords, MultilabelData,
                                              MultilabelSchema, MultilabelOptions>,
                            public ListsBest {
 public:
  std::string name() const override { return "multilabel"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->labels()); }
  std::string report(const nlohmann::json& metrics) const override { return multilabel_report(metrics); }

  MultilabelRecords read_records(const std::vector<std::string>& files,
                                 const Selection& selection) const override {
    return read_label_sets(files, selection);
  }
  std::unique_ptr<Data> examples_of(MultilabelRecords records) const override {
    return make_examples(*schema_, std::move(records));
  }

  // A number for each label: 1 where it is there.
  std::vector<std::vector<RankedLabels>> best_labels(const Data& data, Weights w, std::size_t k, bool given,
                                                     Executor& executor) const override {
    if (given) fail("the best sets that agree with labels that are known cannot be listed.");
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      return best_labels_of(*schema_->task(), own(data).examples()[i].input, w, k);
    });
  }

 protected:
  ExamplePredictions answer(const MultilabelData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    return answer_set(*schema_->task(), data.examples()[i].input, w, decoding_, asked.what);
  }
  std::size_t values(Asked::What) const override { return 1; }
  Asked written() const override { return {options_.output.marginals ? Asked::marginals : Asked::labels}; }
  void append(const MultilabelData&, std::size_t, const ExamplePredictions& answer,
              std::string& line) const override {
    append_set(schema_->labels(), answer, line);
  }

  JsonValue measure(const MultilabelData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    MultilabelMetrics metrics(schema_->labels().size());
    const auto add = [&](std::size_t i, const Assignment& found, const Answer& answer) {
      const LabelSet& y = data.examples()[i].label;
      metrics.add(y, found, schema_->task()->loss(y, found), answer);
      for (const std::string& label : data.text()[i]) metrics.add_unseen(label);
    };
    for_predictions(data.only(), w, examples, executor, decoding_, add);
    return metrics.json(schema_->labels());
  }
};

}  // namespace

std::unique_ptr<RecordTask<MultilabelRecords>> make_multilabel() { return std::make_unique<AnyMultilabel>(); }

}  // namespace hinge
