#include "hinge/tasks/binary/any_binary.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/binary/metrics.h"
#include "hinge/tasks/binary/reader.h"
#include "hinge/tasks/binary/samples.h"
#include "hinge/tasks/binary/told_samples.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/row_adapter.h"

namespace hinge {
namespace {

using BinaryData = RecordData<SampleNames, BinaryTask<Contingency>, BinaryTask<CountedComparisons>,
                              BinaryTask<RankedInterleaving>>;

const Sample& sample(const BinaryData& data, std::size_t i) {
  return data.visit([&](const auto& of) -> const Sample& { return of.examples()[i].input; });
}

class AnyBinary final
    : public RowAdapter<ToldSamples, BinaryRecords, BinaryData, BinarySchema, BinaryOptions>,
      public SelectsRows {
 public:
  std::string name() const override { return "binary"; }
  std::vector<std::string> decodings() const override { return {"joint"}; }  // by the sign of the score
  std::optional<std::size_t> rows(const Data& data) const override {
    const SampleNames& names = own(data).text();
    return names.grouped ? std::nullopt : std::optional(names.rows);
  }

  BinaryRecords read_records(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return read_samples(files, selection);
  }
  std::unique_ptr<Data> examples_of(BinaryRecords records) const override {
    return with_binary_task(*schema_, [&]<class T>(std::shared_ptr<const T> task) -> std::unique_ptr<Data> {
      auto [examples, names, facts] = make_samples<typename T::Engine>(*schema_, std::move(records));
      nlohmann::json told = facts;
      tell_map(schema_->features(), told);
      return std::make_unique<BinaryData>(std::move(task), std::move(examples), std::move(told),
                                          std::move(names));
    });
  }

  std::string report(const nlohmann::json& metrics) const override { return binary_report(metrics); }

  std::vector<std::string> answer_names() const override {
    return {std::string(schema_->negative()), std::string(schema_->positive())};
  }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    if (asked.what == Asked::marginals) fail("rows have scores here, no probabilities: ask for `scores`.");
    const std::size_t width = asked.what == Asked::scores ? 1 : 0;
    return predict_examples(data, executor, width, [&](std::size_t i) {
      ExamplePredictions one;
      const Vector scores = row_scores(own(data), i, w);
      for (const double f : scores) one.label.push_back(f > 0);
      if (width > 0) one.value.assign(scores.begin(), scores.end());
      return one;
    });
  }

 protected:
  JsonValue measure(const BinaryData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    BinaryMetrics metrics(schema_->goal());
    const auto score = [&](std::size_t i) {
      Vector scores(sample(data, i).rows.judged());
      sample(data, i).rows.score(w, scores);
      return scores;
    };
    for_answers(examples, executor, score, [&](std::size_t i, const Vector& scores) {
      const Documents& rows = sample(data, i).rows;
      metrics.add(scores, rows.level, rows.size() - rows.judged());
    });
    return metrics.json();
  }

  void write(const BinaryData& data, Weights w, Executor& executor, OutputFile& out) const override {
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      for (const double f : row_scores(data, i, w)) {
        text.append(f > 0 ? schema_->positive() : schema_->negative());
        if (options_.output.scores) fmt::format_to(std::back_inserter(text), " {}", f);
        text.push_back('\n');
      }
    });
  }

  MakeCutter cutter() const override { return cut_queries(Naming::once); }
  void refuse_data(const Data& data) const override {
    if (data.facts()["samples_that_teach_nothing"] == data.size())
      fail(
          "no sample teaches `measure` {} anything: it needs rows that are positive and rows that are not{}.",
          options_.training.measure,
          options_.training.measure.ends_with('k')
              ? fmt::format(", and more than {} of them", schema_->goal().at)
              : "");
  }
  // By the first row of each file.
  void refuse_share(const std::vector<std::string>& files) const override {
    for (const std::string& file : files) {
      SvmlightReader reader(file);
      SvmlightExample row;
      if (reader.next(row) && !row.query)
        fail_at(file, reader.line(),
                "has no qid:N: all rows are one sample then, and no rank can have a share of that: leave out "
                "`share_data`, or name samples.");
    }
  }

 private:
  // In the order of the data.
  static Vector row_scores(const BinaryData& data, std::size_t i, Weights w) {
    const std::vector<Index>& place = data.text().place[i];
    Vector stored(place.size()), scores(place.size());
    sample(data, i).rows.score(w, stored);
    for (std::size_t k = 0; k < stored.size(); ++k) scores[place[k]] = stored[k];
    return scores;
  }
};

}  // namespace

std::unique_ptr<RecordTask<BinaryRecords>> make_binary() { return std::make_unique<AnyBinary>(); }

}  // namespace hinge
