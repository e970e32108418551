#include "hinge/tasks/binary/any_binary.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/binary/examples.h"
#include "hinge/tasks/binary/metrics.h"
#include "hinge/tasks/binary/reader.h"
#include "hinge/tasks/binary/told_samples.h"
#include "hinge/tasks/binary/writer.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/product_adapter.h"

namespace hinge {
namespace {

class AnyBinary final
    : public ProductAdapter<ToldSamples, BinaryRecords, BinaryData, BinarySchema, BinaryOptions>,
      public SelectsRows {
 public:
  std::string name() const override { return "binary"; }
  std::vector<std::string> decodings() const override { return {"joint"}; }  // by the sign of the score
  std::vector<std::string> answer_names() const override {
    return {std::string(schema_->negative()), std::string(schema_->positive())};
  }
  std::string report(const nlohmann::json& metrics) const override { return binary_report(metrics); }
  std::optional<std::size_t> rows(const Data& data) const override {
    const SampleNames& names = own(data).text();
    return names.grouped ? std::nullopt : std::optional(names.rows);
  }

  BinaryRecords read_records(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return of_strings() ? read_string_sample(files, selection) : read_samples(files, selection);
  }
  std::unique_ptr<Data> examples_of(BinaryRecords records) const override {
    return make_examples(*schema_, std::move(records));
  }

 protected:
  ExamplePredictions answer(const BinaryData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    ExamplePredictions one;
    Vector scores = placed(scores_of(data, i, w, ScoredRows::all), data.text().place[i]);
    for (const double f : scores) one.label.push_back(f > 0);
    if (asked.what == Asked::scores) one.value = std::move(scores);
    return one;
  }
  std::size_t values(Asked::What what) const override {
    if (what == Asked::marginals) fail("rows have scores here, no probabilities: ask for `scores`.");
    return 1;
  }
  Asked written() const override { return {options_.output.scores ? Asked::scores : Asked::labels}; }
  void append(const BinaryData&, std::size_t, const ExamplePredictions& answer,
              std::string& text) const override {
    append_rows(*schema_, answer, text);
  }

  JsonValue measure(const BinaryData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    BinaryMetrics metrics(schema_->goal());
    const auto score = [&](std::size_t i) { return scores_of(data, i, w, ScoredRows::labelled); };
    for_answers(examples, executor, score, [&](std::size_t i, const Vector& scores) {
      const Documents& rows = rows_of(data, i);
      metrics.add(scores, rows.level, rows.size() - rows.judged());
    });
    return metrics.json();
  }

  MakeCutter cutter() const override { return cut_queries(Naming::once); }
  void refuse_data(const Data& data) const override { require_lessons(*schema_, data); }
  void refuse_share(const std::vector<std::string>& files) const override { refuse_unnamed_samples(files); }
};

}  // namespace

std::unique_ptr<RecordTask<BinaryRecords>> make_binary() { return std::make_unique<AnyBinary>(); }

}  // namespace hinge
