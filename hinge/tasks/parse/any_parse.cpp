#include "hinge/tasks/parse/any_parse.h"

#include "hinge/tasks/parse/examples.h"
#include "hinge/tasks/parse/measure.h"
#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/parse/told_trees.h"
#include "hinge/tasks/parse/writer.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

class AnyParse final
    : public SharingAdapter<ToldTrees, Adapter<ParseRecords, ParseData, ParseSchema, ParseOptions>>,
      public HasViews,
      public ListsTrees {
 public:
  std::string name() const override { return "parse"; }
  std::vector<std::string> decodings() const override { return {"joint", "max-marginals"}; }
  std::string report(const nlohmann::json& metrics) const override { return parse_report(metrics); }

  ParseRecords read_records(const std::vector<std::string>& files,
                            const Selection& selection) const override {
    return read_trees(files, selection);
  }
  std::unique_ptr<Data> examples_of(ParseRecords records) const override {
    return make_examples(*schema_, std::move(records), options_.reading.max_memory, false);
  }

  std::vector<std::vector<RankedTree>> best_trees(const Data& data, Weights w, std::size_t k, bool given,
                                                  Executor& executor) const override {
    return map_examples(chosen(data, {}), executor,
                        [&](std::size_t i) { return ranked_trees(parser(), own(data), i, w, k, given); });
  }
  View view(const Data& data, std::size_t example, Weights w) const override {
    const SentenceTree& truth = own(data).text()[example];
    return TreeView{fmt::format("sentence {}", example + 1),
                    parser().best(own(data).examples()[example].input, truth, w).tree, truth};
  }

 protected:
  MakeCutter cutter() const override { return cut_trees(); }
  ToldTrees told(const ParseRecords& own) const override { return {own, options_.training.vertical}; }
  void fix(const ParseRecords& all, const ParseRecords& own, Ranks* ranks) override {
    schema_ = std::make_shared<const ParseSchema>(all, words_of_all(own, ranks), options_);
  }
  // Ranks have agreed on how many examples there are before the grammar was known.
  void settle(ParseRecords& own, Ranks* ranks) const override {
    if (ranks != nullptr) ranks->together([&] { refuse_left_out(*schema_, own); });
  }
  std::unique_ptr<Data> training_examples(ParseRecords records) const override {
    return make_examples(*schema_, std::move(records), options_.reading.max_memory, true);
  }
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return start_from_all(schema_->task(), own(own_data), ranks);
  }
  JsonValue measure(const ParseData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_trees(*schema_, decoding_, data, w, examples, executor);
  }

  void write(const ParseData& data, Weights w, Executor& executor, OutputFile& out) const override {
    refuse_list(options_.output, decoding_);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      append_answers(parser(), data.examples()[i].input, data.text()[i], w, options_.output, text);
    });
  }

 private:
  Parser parser() const { return Parser(*schema_->task(), decoding_); }
};

}  // namespace

std::unique_ptr<RecordTask<ParseRecords>> make_parse() { return std::make_unique<AnyParse>(); }

}  // namespace hinge
