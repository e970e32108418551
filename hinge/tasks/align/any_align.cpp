#include "hinge/tasks/align/any_align.h"

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "hinge/tasks/align/aligned_rows.h"
#include "hinge/tasks/align/metrics.h"
#include "hinge/tasks/align/reader.h"
#include "hinge/tasks/align/schema.h"
#include "hinge/tasks/align/told_pairs.h"
#include "hinge/tasks/pairing_adapter.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

using PairTexts = std::vector<AlignRecord>;  // without their labels
using AlignData = RecordData<PairTexts, AlignTask>;

class AnyAlign final
    : public SharingAdapter<ToldPairs,
                            PairingAdapter<AlignTask, AlignRecords, PairTexts, AlignSchema, AlignOptions>>,
      public HasGroups {
 public:
  std::string name() const override { return "align"; }

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

  std::vector<std::size_t> groups(const Data& data) const override {
    const auto numbers = number_families(own(data).text());
    std::vector<std::size_t> groups;
    for (const AlignRecord& record : own(data).text()) groups.push_back(numbers.at(record.family).number);
    return groups;
  }

  std::string report(const nlohmann::json& metrics) const override { return align_report(metrics); }

  View view(const Data& data, std::size_t example, Weights w) const override {
    const AlignRecord& record = own(data).text()[example];
    const AlignedRows rows = rows_of(record, answer(own(data).examples()[example].input, w));
    AlignmentView view{record.name1, record.name2, rows.first, rows.second, Vector(rows.first.size())};
    for (const auto& [i, j, probability] : probable_pairs())
      for (std::size_t c = 0; c < rows.letters.size(); ++c)
        if (rows.letters[c] == std::pair(static_cast<int>(i), static_cast<int>(j)))
          view.confidence[c] = probability;
    return view;
  }

 protected:
  MakeCutter cutter() const override { return cut_pairs(); }
  void fix(const AlignRecords& all, const AlignRecords&, Ranks*) override {
    if (std::ranges::none_of(all, [](const AlignRecord& r) { return !r.partners.empty(); }))
      fail("no pair of sequences has a reference alignment: give rows of one length, with gaps.");
    schema_ = std::make_shared<const AlignSchema>(all, options_.model);
  }
  // Families weigh the same, and the mean weight stays 1.
  void settle(AlignRecords& records, Ranks* ranks) const override {
    if (!options_.model.balance) return;
    const auto families =
        ranks == nullptr
            ? number_families(records)
            : number_families(merge_records<ToldPairs, AlignRecords>(*ranks, ToldPairs(records)));
    std::size_t pairs = 0;
    for (const auto& [name, family] : families) pairs += family.pairs;
    const double mean = static_cast<double>(pairs) / static_cast<double>(families.size());
    for (AlignRecord& record : records)
      record.weight *= mean / static_cast<double>(families.at(record.family_name()).pairs);
  }
  JsonValue facts_of_all(const AlignRecords& all) const override {
    return nlohmann::json{{"families", number_families(all).size()}};
  }
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return [&ranks, &own_data, task = schema_->task()](std::size_t attempt) {
      Vector counts = task->count_pairs(own(own_data).examples(), chosen(own_data, {}));
      add_counts(ranks, counts);
      return task->start(counts, attempt);
    };
  }
  std::unique_ptr<Data> training_examples(AlignRecords records) const override {
    const AlignTask& task = *schema_->task();
    std::vector<Example<AlignTask>> examples;
    std::size_t letters = 0, known = 0, pairs = 0, unlabelled = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      AlignRecord& record = records[i];
      if (const std::string trouble = trouble_with(record, *task.shape().alphabet); !trouble.empty())
        fail("{}", trouble);
      refuse_long(record);
      examples.push_back({task.input(record), task.label(record), record.weight});
      const PairLabel& y = examples.back().label;
      letters += record.letters1.size() + record.letters2.size();
      known += y.known;
      unlabelled += y.known == 0;
      pairs += static_cast<std::size_t>(std::ranges::count_if(y.partners, [](int j) { return j >= 0; }));
      record.family = record.family_name();
      record.partners.clear();
      record.gaps2.clear();
    }
    const std::size_t families = number_families(records).size();
    nlohmann::json facts = {{"pairs_of_sequences", examples.size()},
                            {"families", families},
                            {"letters", letters},
                            {"known_letters", known},
                            {"known_pairs", pairs},
                            {"secondary_structure", task.shape().structure ? "used" : "none"}};
    if (unlabelled > 0) facts["without_a_reference"] = unlabelled;
    return std::make_unique<AlignData>(schema_->task(), std::move(examples), std::move(facts),
                                       std::move(records));
  }

  JsonValue measure(const AlignData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    AlignMetrics metrics(*schema_->task());
    for_answers(
        examples, executor, [&](std::size_t i) { return answer(data.examples()[i].input, w); },
        [&](std::size_t i, const Partners& s) {
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
    refuse_large(r, PairCells::memory_of_list(r.letters1.size(), r.letters2.size()), "listing alignments of");
  }

 private:
  struct Family {
    std::size_t number = 0, pairs = 0;
  };
  static std::map<std::string, Family> number_families(const AlignRecords& records) {
    std::map<std::string, Family> families;
    for (const AlignRecord& record : records) {
      const auto [place, added] = families.try_emplace(record.family_name());
      if (added) place->second.number = families.size() - 1;
      ++place->second.pairs;
    }
    return families;
  }
  void refuse_long(const AlignRecord& r) const {
    refuse_large(r, PairCells::memory(r.letters1.size(), r.letters2.size()), "aligning");
  }
  void refuse_large(const AlignRecord& r, double bytes, const char* doing) const {
    if (bytes / 1e6 > options_.limits.max_memory)
      fail(
          "{} '{}' ({} letters) with '{}' ({}) takes {:.0f} MB, more than `max_memory` {:g}: leave the "
          "pair out, cut "
          "it, or allow more.",
          doing, r.name1, r.letters1.size(), r.name2, r.letters2.size(), bytes / 1e6,
          options_.limits.max_memory);
  }
  AlignedRows rows_of(const AlignRecord& record, const Partners& s) const {
    return aligned_rows(record.letters1, record.letters2, s, schema_->task()->shape().local);
  }
};

}  // namespace

std::unique_ptr<RecordTask<AlignRecords>> make_align() { return std::make_unique<AnyAlign>(); }

}  // namespace hinge
