#include "hinge/tasks/fold/any_fold.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/fold/examples.h"
#include "hinge/tasks/fold/forms.h"
#include "hinge/tasks/fold/metrics.h"
#include "hinge/tasks/fold/reader.h"
#include "hinge/tasks/fold/told_folds.h"
#include "hinge/tasks/fold/writer.h"
#include "hinge/tasks/pairing_adapter.h"

namespace hinge {
namespace {

class AnyFold final
    : public PairingAdapter<ToldFolds, FoldTask, FoldRecords, FoldRecords, FoldSchema, FoldOptions> {
 public:
  std::string name() const override { return "fold"; }
  std::string report(const nlohmann::json& metrics) const override { return fold_report(metrics); }

  FoldRecords read_records(const std::vector<std::string>& files, const Selection& selection) const override {
    return read_folds(files, options_.reading.crossing == "drop", selection);
  }
  std::unique_ptr<Data> examples_of(FoldRecords records) const override {
    return make_examples(*schema_, options_.reading, std::move(records));
  }

  View view(const Data& data, std::size_t example, Weights w) const override {
    const FoldRecord& record = own(data).text()[example];
    ArcView view{record.name, record.letters, {}, {}};
    const FoldPairs s = find(own(data).examples()[example].input, w);
    for (const auto& [i, j, probability] : probable_pairs())
      if (s[i] == static_cast<int>(j)) view.answer.push_back({i, j, probability});
    for (std::size_t i = 0; i < record.partners.size(); ++i)
      if (record.partners[i] > static_cast<int>(i))
        view.truth.push_back({i, static_cast<std::size_t>(record.partners[i]), 1});
    return view;
  }

 protected:
  MakeCutter cutter() const override { return cut_folds(); }
  void refuse_decoding() const override {
    if (options_.reading.gamma != FoldReading().gamma && !decoding_.max_marginals)
      fail("`gamma` weighs the pairs of `decode` max-marginals: give that too, or leave out `gamma`.");
  }

  JsonValue measure(const FoldData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    FoldMetrics metrics;
    return measured(metrics, data, w, examples, executor, [&](std::size_t i, const FoldPairs& s) {
      metrics.add(data.text()[i].partners, s, schema_->task()->loss(data.examples()[i].label, s));
    });
  }
  void append_answer(const FoldData& data, std::size_t i, const FoldPairs& s,
                     std::string& text) const override {
    append_fold(data.text()[i], s, options_.writing.notation, text);
  }
  double room_for_list(const FoldData& data, std::size_t i) const override {
    const std::size_t n = data.text()[i].letters.size();
    return options_.reading.max_memory * 1e6 - FoldCells::memory(n, schema_->task()->energies() != nullptr);
  }
  void refuse_list(const FoldData& data, std::size_t i, std::size_t k, std::size_t listed) const override {
    refuse_long_list(data.text()[i], k, listed, options_.reading.max_memory);
  }
};

}  // namespace

std::unique_ptr<RecordTask<FoldRecords>> make_fold() { return std::make_unique<AnyFold>(); }

}  // namespace hinge
