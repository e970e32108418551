#include "hinge/tasks/multilabel/any_multilabel.h"

#include <nlohmann/json.hpp>

#include "hinge/inference/best_assignments.h"
#include "hinge/inference/graph_maxima.h"
#include "hinge/tasks/class_answers.h"
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
      Factored<MultilabelTask>& factored = scratch<Factored<MultilabelTask>, struct AnyMultilabelFactored>();
      score(own(data).examples()[i].input, w, factored);
      std::vector<RankedLabels> ranked;
      for (auto& [s, score] : best_assignments(factored.engine(), factored.scores(), k).found)
        ranked.push_back({std::move(s), score});
      return ranked;
    });
  }

 protected:
  // An item for each label: whether it is there, and how probable that is, or how much the best set with it scores more
  // than the best one without.
  ExamplePredictions answer(const MultilabelData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    Factored<MultilabelTask>& factored = scratch<Factored<MultilabelTask>, struct AnyMultilabelFactored>();
    const SparseRow& x = data.examples()[i].input;
    const Assignment s = factored.predict(*schema_->task(), x, w, decoding_);
    ExamplePredictions one{{s.begin(), s.end()}, {}};
    if (asked.what == Asked::labels) return one;
    if (asked.what == Asked::scores) {
      score(x, w, factored);
      Vector& best = scratch<Vector, struct AnyMultilabelMaxima>();
      graph_maxima(factored.engine(), factored.scores(), best);
      for (std::size_t l = 0; l < s.size(); ++l) one.value.push_back(best[2 * l + 1] - best[2 * l]);
      return one;
    }
    factored.predict(*schema_->task(), x, w, Decoding::named("max-marginals"));
    for (std::size_t l = 0; l < s.size(); ++l) one.value.push_back(factored.counts().node(l)[1]);
    return one;
  }
  std::size_t values(Asked::What) const override { return 1; }
  Asked written() const override { return {options_.output.marginals ? Asked::marginals : Asked::labels}; }
  void append(const MultilabelData&, std::size_t, const ExamplePredictions& answer,
              std::string& line) const override {
    const auto name = [&](Index l) { return schema_->labels().text(l); };
    const std::size_t begin = line.size();
    for (Index l = 0; l < answer.label.size(); ++l)
      if (answer.label[l] == 1) line.append(line.size() == begin ? "" : ",").append(name(l));
    append_values(answer, name, line);
    line.push_back('\n');
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

 private:
  void score(const SparseRow& x, Weights w, Factored<MultilabelTask>& factored) const {
    factored.engine().settings = schema_->task()->settings();
    schema_->task()->score(x, w, factored.scores());
  }
};

}  // namespace

std::unique_ptr<RecordTask<MultilabelRecords>> make_multilabel() { return std::make_unique<AnyMultilabel>(); }

}  // namespace hinge
