#include "hinge/tasks/binary/any_binary.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/tasks/adapter.h"
#include "hinge/tasks/binary/binary_task.h"
#include "hinge/tasks/binary/metrics.h"
#include "hinge/tasks/binary/reader.h"
#include "hinge/tasks/binary/schema.h"
#include "hinge/tasks/powers.h"

namespace hinge {
namespace {

struct SampleNames {
  std::vector<std::vector<Index>> place;  // of each stored row of each sample in the order of the data
  std::size_t selectable = 0;             // see SelectsRows
  bool grouped = false;
};
using BinaryData = RecordData<SampleNames, BinaryTask<Contingency>, BinaryTask<CountedComparisons>,
                              BinaryTask<RankedInterleaving>>;

const Sample& sample(const BinaryData& data, std::size_t i) {
  return data.visit([&](const auto& of) -> const Sample& { return of.examples()[i].input; });
}

class AnyBinary final : public Adapter<BinaryRecords, BinaryData, BinarySchema, BinaryOptions>,
                        public SelectsRows {
 public:
  std::string name() const override { return "binary"; }
  std::vector<std::string> decodings() const override { return {"joint"}; }  // by the sign of the score
  std::optional<std::size_t> rows(const Data& data) const override {
    const SampleNames& names = own(data).text();
    return names.grouped ? std::nullopt : std::optional(names.selectable);
  }

  BinaryRecords read_records(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return read_samples(files, selection);
  }
  std::unique_ptr<Data> train_on(BinaryRecords records) override {
    require_options();
    schema_ = std::make_shared<const BinarySchema>(records, options_);
    std::unique_ptr<Data> data = examples_of(std::move(records));
    if (data->facts()["samples that teach nothing"] == data->size())
      fail(
          "no sample teaches `measure` {} anything: it needs rows that are positive and rows that are not{}.",
          options_.training.measure,
          options_.training.measure.ends_with('k')
              ? fmt::format(", and more than {} of them", schema_->goal().at)
              : "");
    return data;
  }
  std::unique_ptr<Data> examples_of(BinaryRecords records) const override {
    if (schema_->goal().pairs()) return make<CountedComparisons>(std::move(records));
    if (schema_->goal().rankings()) return make<RankedInterleaving>(std::move(records));
    return make<Contingency>(std::move(records));
  }

  std::string report(const nlohmann::json& metrics) const override { return binary_report(metrics); }

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
      const std::vector<Index>& place = data.text().place[i];
      Vector stored(place.size()), scores(place.size());
      sample(data, i).rows.score(w, stored);
      for (std::size_t k = 0; k < stored.size(); ++k) scores[place[k]] = stored[k];
      for (const double f : scores) {
        text.append(f > 0 ? schema_->positive() : schema_->negative());
        if (options_.output.scores) fmt::format_to(std::back_inserter(text), " {}", f);
        text.push_back('\n');
      }
    });
  }

 private:
  // Rows with a label come first.
  template <class E>
  std::unique_ptr<Data> make(BinaryRecords records) const {
    const BinaryGoal& goal = schema_->goal();
    std::vector<Example<BinaryTask<E>>> examples;
    SampleNames names{{}, 0, records.grouped};
    std::size_t positives = 0, unlabelled = 0, nothing = 0, unseen_labels = 0, unseen_features = 0;
    for (SampleRecord& record : records.samples) {
      SampleRecord whole = std::exchange(record, {});
      std::vector<SparseRow> rows;
      std::vector<Index> level, &place = names.place.emplace_back();
      for (const bool labelled : {true, false})
        for (std::size_t k = 0; k < whole.rows.size(); ++k) {
          const int own = schema_->level(whole.labels[k], records.classes);
          if ((own >= 0) != labelled) continue;
          rows.push_back(std::move(whole.rows[k]));
          unseen_features += schema_->features().renumber(rows.back());
          place.push_back(static_cast<Index>(k));
          if (!labelled) continue;
          level.push_back(static_cast<Index>(own));
          unseen_labels += !schema_->known(records.classes.text(static_cast<Index>(whole.labels[k])));
        }
      const auto here = static_cast<std::size_t>(std::ranges::count(level, Index{1}));
      positives += here;
      unlabelled += rows.size() - level.size();
      names.selectable += rows.size();
      nothing += !goal.teaches(here, level.size() - here);
      examples.push_back(make_sample<E>(rows, std::move(level), schema_->features().size(), whole.weight));
    }
    nlohmann::json facts = {{"samples", examples.size()},     {"rows", names.selectable},
                            {"positives", positives},         {"features", schema_->features().size()},
                            {"unlabelled", unlabelled},       {"samples that teach nothing", nothing},
                            {"unseen labels", unseen_labels}, {"unseen features", unseen_features}};
    return std::make_unique<BinaryData>(
        std::make_shared<const BinaryTask<E>>(schema_->features().size(), goal), std::move(examples),
        std::move(facts), std::move(names));
  }
};

}  // namespace

std::unique_ptr<RecordTask<BinaryRecords>> make_binary() { return std::make_unique<AnyBinary>(); }

}  // namespace hinge
