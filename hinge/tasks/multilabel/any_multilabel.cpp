#include "hinge/tasks/multilabel/any_multilabel.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/multilabel/metrics.h"
#include "hinge/tasks/multilabel/reader.h"
#include "hinge/tasks/multilabel/schema.h"
#include "hinge/tasks/multilabel/told_label_sets.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {
namespace {

using UnseenNames = std::vector<std::vector<std::string>>;  // of each example, labels that training never saw
using MultilabelData = RecordData<UnseenNames, MultilabelTask>;

class AnyMultilabel final : public RowAdapter<ToldLabelSets, MultilabelRecords, MultilabelData,
                                              MultilabelSchema, MultilabelOptions> {
 public:
  std::string name() const override { return "multilabel"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  MultilabelRecords read_records(const std::vector<std::string>& files,
                                 const Selection& selection) const override {
    return read_label_sets(files, selection);
  }

  std::unique_ptr<Data> examples_of(MultilabelRecords records) const override {
    std::vector<Example<MultilabelTask>> examples;
    UnseenNames unseen;
    std::size_t unknown = 0, unseen_labels = 0, unseen_features = 0;
    for (LabelSetRecord& record : records.rows) {
      LabelSet set = schema_->set_of(record, records.labels);
      unknown += static_cast<std::size_t>(std::ranges::count(set.states, kUnknown));
      unseen_labels += set.unseen;
      unseen.emplace_back();
      for (const Index name : record.present)
        if (const auto text = records.labels.text(name); schema_->labels().find(text) == StringTable::kNone)
          unseen.back().emplace_back(text);
      unseen_features += schema_->features().renumber(record.row);
      examples.push_back({std::move(record.row), std::move(set), record.weight});
    }
    nlohmann::json facts = {{"examples", examples.size()},
                            {"labels", schema_->labels().size()},
                            {"pairs", schema_->task()->graph().edges()},
                            {"features", schema_->features().size()},
                            {"unknown_labels", unknown},
                            {"unseen_labels", unseen_labels},
                            {"unseen_features", unseen_features}};
    tell_map(schema_->features(), facts);
    return std::make_unique<MultilabelData>(schema_->task(), std::move(examples), std::move(facts),
                                            std::move(unseen));
  }

  std::string report(const nlohmann::json& metrics) const override { return multilabel_report(metrics); }

  // An item for each label: whether it is there, and how probable that is.
  std::vector<std::string> answer_names() const override { return texts_of(schema_->labels()); }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what == Asked::scores)
      fail("labels of a set have no scores of their own: ask for `marginals`.");
    const std::size_t width = asked.what == Asked::marginals ? 1 : 0;
    return predict_examples(data, executor, width, [&](std::size_t i) {
      Factored<MultilabelTask>& factored = scratch<Factored<MultilabelTask>, struct AnyMultilabelFactored3>();
      const SparseRow& x = own(data).examples()[i].input;
      const Assignment s = factored.predict(*schema_->task(), x, w, decoding_);
      ExamplePredictions one{{s.begin(), s.end()}, {}};
      if (width == 0) return one;
      factored.predict(*schema_->task(), x, w, Decoding::named("max-marginals"));
      for (std::size_t l = 0; l < s.size(); ++l) one.value.push_back(factored.counts().node(l)[1]);
      return one;
    });
  }

 protected:
  JsonValue measure(const MultilabelData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    const MultilabelTask& task = *schema_->task();
    const auto found = [&](std::size_t i) {
      Factored<MultilabelTask>& factored = scratch<Factored<MultilabelTask>, struct AnyMultilabelFactored>();
      Assignment s = factored.predict(task, data.examples()[i].input, w, decoding_);
      return std::pair(std::move(s), factored.engine().answer());
    };
    MultilabelMetrics metrics(schema_->labels().size());
    for_answers(examples, executor, found, [&](std::size_t i, const auto& answer) {
      const LabelSet& y = data.examples()[i].label;
      metrics.add(y, answer.first, task.loss(y, answer.first), answer.second);
      for (const std::string& label : data.text()[i]) metrics.add_unseen(label);
    });
    return metrics.json(schema_->labels());
  }

  void write(const MultilabelData& data, Weights w, Executor& executor, OutputFile& out) const override {
    write_examples(data, executor, out, [&](std::size_t i, std::string& line) {
      Factored<MultilabelTask>& factored = scratch<Factored<MultilabelTask>, struct AnyMultilabelFactored2>();
      const SparseRow& x = data.examples()[i].input;
      const Assignment s = factored.predict(*schema_->task(), x, w, decoding_);
      const StringTable& labels = schema_->labels();
      const std::size_t begin = line.size();
      for (Index l = 0; l < labels.size(); ++l)
        if (s[l] == 1) line.append(line.size() == begin ? "" : ",").append(labels.text(l));
      if (options_.output.marginals) {
        factored.predict(*schema_->task(), x, w, Decoding::named("max-marginals"));
        for (Index l = 0; l < labels.size(); ++l)
          fmt::format_to(std::back_inserter(line), " {}:{:g}", labels.text(l), factored.counts().node(l)[1]);
      }
      line.push_back('\n');
    });
  }
};

}  // namespace

std::unique_ptr<RecordTask<MultilabelRecords>> make_multilabel() { return std::make_unique<AnyMultilabel>(); }

}  // namespace hinge
