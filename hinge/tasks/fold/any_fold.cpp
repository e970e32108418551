#include "hinge/tasks/fold/any_fold.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/tasks/fold/metrics.h"
#include "hinge/tasks/fold/reader.h"
#include "hinge/tasks/fold/schema.h"
#include "hinge/tasks/fold/told_folds.h"
#include "hinge/tasks/pairing_adapter.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

using FoldData = RecordData<FoldRecords, FoldTask>;

void write_numbered(const FoldRecord& record, const FoldPairs& s, bool ct, std::string& text) {
  if (ct) fmt::format_to(std::back_inserter(text), "{} {}\n", s.size(), record.name);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (ct)
      fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {}\n", i + 1, record.letters[i], i,
                     i + 1 < s.size() ? i + 2 : 0, s[i] + 1, i + 1);
    else
      fmt::format_to(std::back_inserter(text), "{} {} {}\n", i + 1, record.letters[i], s[i] + 1);
}

class AnyFold final
    : public SharingAdapter<ToldFolds,
                            PairingAdapter<FoldTask, FoldRecords, FoldRecords, FoldSchema, FoldOptions>> {
 public:
  std::string name() const override { return "fold"; }

  FoldRecords read_records(const std::vector<std::string>& files, const Selection& selection) const override {
    return read_folds(files, options_.reading.crossing == "drop", selection);
  }

  std::unique_ptr<Data> examples_of(FoldRecords records) const override {
    const FoldTask& task = *schema_->task();
    std::vector<Example<FoldTask>> examples;
    std::size_t letters = 0, known = 0, pairs = 0, lost = 0;
    for (const FoldRecord& record : records) {
      if (const std::string trouble = trouble_with(record); !trouble.empty()) fail("{}", trouble);
      refuse_long(record);
      std::size_t left_out = 0;
      examples.push_back(
          {task.input(record, options_.reading.gamma), task.label(record, left_out), record.weight});
      letters += record.letters.size();
      known += examples.back().label.known;
      pairs += examples.back().label.pairs;
      lost += left_out;
    }
    nlohmann::json facts = {{"sequences", examples.size()},
                            {"letters", letters},
                            {"known_letters", known},
                            {"known_pairs", pairs}};
    if (lost > 0) facts["pairs_that_no_fold_here_has"] = lost;
    return std::make_unique<FoldData>(schema_->task(), std::move(examples), std::move(facts),
                                      std::move(records));
  }

  std::string report(const nlohmann::json& metrics) const override { return fold_report(metrics); }

  View view(const Data& data, std::size_t example, Weights w) const override {
    const FoldRecord& record = own(data).text()[example];
    ArcView view{record.name, record.letters, {}, {}};
    const FoldPairs s = answer(own(data).examples()[example].input, w);
    for (const auto& [i, j, probability] : probable_pairs())
      if (s[i] == static_cast<int>(j)) view.answer.push_back({i, j, probability});
    for (std::size_t i = 0; i < record.partners.size(); ++i)
      if (record.partners[i] > static_cast<int>(i))
        view.truth.push_back({i, static_cast<std::size_t>(record.partners[i]), 1});
    return view;
  }

 protected:
  MakeCutter cutter() const override { return cut_folds(); }
  void fix(const FoldRecords& all, const FoldRecords&, Ranks*) override {
    if (std::ranges::none_of(all, [](const FoldRecord& r) { return !r.partners.empty(); }))
      fail("no sequence has a known fold: give structures too.");
    schema_ = std::make_shared<const FoldSchema>(options_.model);
  }

  JsonValue measure(const FoldData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    FoldMetrics metrics;
    for_answers(
        examples, executor, [&](std::size_t i) { return answer(data.examples()[i].input, w); },
        [&](std::size_t i, const FoldPairs& s) {
          metrics.add(data.text()[i].partners, s, schema_->task()->loss(data.examples()[i].label, s));
        });
    return metrics.json();
  }

  void write(const FoldData& data, Weights w, Executor& executor, OutputFile& out) const override {
    refuse_both(options_.columns);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const FoldRecord& record = data.text()[i];
      write_answers(data, i, w, options_.columns, text, [&](const FoldPairs& s) {
        if (options_.writing.notation == "dots")
          fmt::format_to(std::back_inserter(text), ">{}\n{}\n{}\n", record.name, record.letters,
                         dot_bracket(s));
        else
          write_numbered(record, s, options_.writing.notation == "ct", text);
      });
    });
  }

 private:
  void refuse_long(const FoldRecord& r) const {
    const double megabytes = FoldCells::memory(r.letters.size()) / 1e6;
    if (megabytes > options_.reading.max_memory)
      fail(
          "folding '{}' ({} letters) takes {:.0f} MB, more than `max_memory` {:g}: leave it out, cut it, or "
          "allow more.",
          r.name, r.letters.size(), megabytes, options_.reading.max_memory);
  }
};

}  // namespace

std::unique_ptr<RecordTask<FoldRecords>> make_fold() { return std::make_unique<AnyFold>(); }

}  // namespace hinge
