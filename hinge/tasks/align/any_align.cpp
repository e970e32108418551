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
    const Partners s = find(own(data).examples()[example].input, w);
    return alignment_view(own(data).text()[example], s, schema_->task()->shape().local, probable_pairs());
  }

 protected:
  MakeCutter cutter() const override { return cut_pairs(); }
  void settle(AlignRecords& records, Ranks* ranks) const override {
    if (options_.model.balance) balance_families(records, ranks);
  }
  std::unique_ptr<Data> training_examples(AlignRecords records) const override {
    return make_examples(*schema_, options_.limits.max_memory, std::move(records));
  }
  JsonValue facts_of_all(const AlignRecords& all) const override { return family_facts(all); }
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return start_from_all(schema_->task(), own(own_data), ranks);
  }

  JsonValue measure(const AlignData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    AlignMetrics metrics(*schema_->task());
    return measured(metrics, data, w, examples, executor, [&](std::size_t i, const Partners& s) {
      metrics.add(data.text()[i].family, data.examples()[i].label, s);
    });
  }
  void append_answer(const AlignData& data, std::size_t i, const Partners& s,
                     std::string& text) const override {
    append_alignment(data.text()[i], s, schema_->task()->shape().local, text);
  }
  double room_for_list(const AlignData& data, std::size_t i) const override {
    return hinge::room_for_list(data.text()[i], options_.limits.max_memory);
  }
  void refuse_list(const AlignData& data, std::size_t i, std::size_t k, std::size_t listed) const override {
    refuse_long_list(data.text()[i], k, listed, options_.limits.max_memory);
  }
};

}  // namespace

std::unique_ptr<RecordTask<AlignRecords>> make_align() { return std::make_unique<AnyAlign>(); }

}  // namespace hinge
