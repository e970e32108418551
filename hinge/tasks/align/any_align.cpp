#include "hinge/tasks/align/any_align.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/align/aligned_rows.h"
#include "hinge/tasks/align/examples.h"
#include "hinge/tasks/align/families.h"
#include "hinge/tasks/align/metrics.h"
#include "hinge/tasks/align/reader.h"
#include "hinge/tasks/align/told_pairs.h"
#include "hinge/tasks/pairing_adapter.h"

namespace hinge {
namespace {

class AnyAlign final
    : public PairingAdapter<ToldPairs, AlignTask, AlignRecords, PairTexts, AlignSchema, AlignOptions>,
      public HasGroups {
 public:
  std::string name() const override { return "align"; }
  std::string report(const nlohmann::json& metrics) const override { return align_report(metrics); }
  std::vector<std::size_t> groups(const Data& data) const override {
    return number_families(own(data).text());
  }

  AlignRecords read_records(const std::vector<std::string>& files,
                            const Selection& selection) const override {
    return read_pairs(files,
                      schema_ ? *schema_->task()->shape().alphabet : Alphabet::named(options_.model.alphabet),
                      selection);
  }
  std::unique_ptr<Data> examples_of(AlignRecords records) const override {
    settle(records, nullptr);
    return training_examples(std::move(records));
  }

  View view(const Data& data, std::size_t example, Weights w) const override {
    const AlignRecord& record = own(data).text()[example];
    const AlignedRows rows = rows_of(record, find(own(data).examples()[example].input, w));
    AlignmentView view{record.name1, record.name2, rows.first, rows.second, Vector(rows.first.size())};
    for (const auto& [i, j, probability] : probable_pairs())
      for (std::size_t c = 0; c < rows.letters.size(); ++c)
        if (rows.letters[c] == std::pair(static_cast<int>(i), static_cast<int>(j)))
          view.confidence[c] = probability;
    return view;
  }

 protected:
  MakeCutter cutter() const override { return cut_pairs(); }
  void settle(AlignRecords& records, Ranks* ranks) const override {
    if (options_.model.balance) balance_families(records, ranks);
  }
  std::unique_ptr<Data> training_examples(AlignRecords records) const override {
    return make_examples(*schema_, options_.limits.max_memory, std::move(records));
  }
  JsonValue facts_of_all(const AlignRecords& all) const override {
    return nlohmann::json{{"families", family_sizes(all).size()}};
  }
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return [&ranks, &own_data, task = schema_->task()](std::size_t attempt) {
      Vector counts = task->count_pairs(own(own_data).examples(), chosen(own_data, {}));
      add_counts(ranks, counts);
      return task->start(counts, attempt);
    };
  }

  JsonValue measure(const AlignData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    AlignMetrics metrics(*schema_->task());
    const auto found = [&](std::size_t i) { return find(data.examples()[i].input, w); };
    for_answers(examples, executor, found, [&](std::size_t i, const Partners& s) {
      metrics.add(data.text()[i].family, data.examples()[i].label, s);
    });
    return metrics.json();
  }

  void write(const AlignData& data, Weights w, Executor& executor, OutputFile& out) const override {
    refuse_both(options_.columns);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const AlignRecord& record = data.text()[i];
      write_answers(data, i, w, options_.columns, text, [&](const Partners& s) {
        const AlignedRows rows = rows_of(record, s);
        fmt::format_to(std::back_inserter(text), ">{}\n{}\n>{}\n{}\n", record.name1, rows.first, record.name2,
                       rows.second);
      });
    });
  }

  void refuse_list(const AlignData& data, std::size_t i) const override {
    const AlignRecord& r = data.text()[i];
    refuse_large(r, PairCells::memory_of_list(r.letters1.size(), r.letters2.size()),
                 options_.limits.max_memory, "listing alignments of");
  }

 private:
  AlignedRows rows_of(const AlignRecord& record, const Partners& s) const {
    return aligned_rows(record.letters1, record.letters2, s, schema_->task()->shape().local);
  }
};

}  // namespace

std::unique_ptr<RecordTask<AlignRecords>> make_align() { return std::make_unique<AnyAlign>(); }

}  // namespace hinge
