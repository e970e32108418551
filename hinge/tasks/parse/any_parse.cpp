#include "hinge/tasks/parse/any_parse.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/parse/examples.h"
#include "hinge/tasks/parse/metrics.h"
#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/parse/told_trees.h"
#include "hinge/tasks/parse/writer.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
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

  std::vector<std::vector<RankedTree>> best_trees(const Data& data, Weights w, std::size_t k,
                                                  Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      std::vector<RankedTree> ranked;
      Parser parser = this->parser();
      for (const Parser::Found& found : best(parser, own(data), i, w, k)) {
        ranked.push_back({"", found.score});
        append_tree(found.tree, ranked.back().text);
      }
      return ranked;
    });
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
    WordUses words = word_uses(own.trees);
    if (ranks != nullptr) words = merge_words(*ranks, words);
    schema_ = std::make_shared<const ParseSchema>(all, words, options_);
  }
  // Ranks have agreed on how many examples there are before the grammar was known.
  void settle(ParseRecords& own, Ranks* ranks) const override {
    if (ranks != nullptr) ranks->together([&] { refuse_left_out(*schema_, own.trees); });
  }
  std::unique_ptr<Data> training_examples(ParseRecords records) const override {
    return make_examples(*schema_, std::move(records), options_.reading.max_memory, true);
  }
  RankOracle::Start start_of_all(const Data& own_data, Ranks& ranks) const override {
    return [&ranks, &own_data, task = schema_->task()](std::size_t) {
      Vector uses = task->count_uses(own(own_data).examples(), chosen(own_data, {}));
      add_counts(ranks, uses);
      return task->start(uses);
    };
  }

  JsonValue measure(const ParseData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    ParseMetrics metrics;
    const auto answer = [&](std::size_t i) {
      const auto& [x, y, weight] = data.examples()[i];
      ChartTree derivation;
      Parser::Found found = parser().best(x, data.text()[i], w, &derivation);
      const ParseTask& task = *schema_->task();
      const double loss = derivation.empty() ? task.loss(y, schema_->label_of(found.tree).brackets)
                                             : task.loss(y, derivation);
      return std::pair(std::move(found), loss);
    };
    for_answers(examples, executor, answer, [&](std::size_t i, const auto& answered) {
      const auto& [found, loss] = answered;
      metrics.add(data.text()[i], found.tree, loss, found.fell_back(), !found.exact);
    });
    return metrics.json();
  }

  void write(const ParseData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const auto [nbest, scores, marginals] = options_.output;
    if (nbest > 1 && decoding_.max_marginals)
      fail("`nbest` lists trees by their scores, `decode` max-marginals has none: leave out one of them.");
    const bool scored = scores || nbest > 1;
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      Parser parser = this->parser();
      for (const Parser::Found& found : best(parser, data, i, w, static_cast<std::size_t>(nbest))) {
        Vector probability;
        if (marginals) probability = parser.marginals(data.examples()[i].input, found.tree, w);
        append_found(found, scored, probability, text);
      }
      if (scored || marginals) text.push_back('\n');
    });
  }

 private:
  Parser parser() const { return Parser(*schema_->task(), decoding_); }
  // The one that is decoded, or at most k with the best scores.
  static std::vector<Parser::Found> best(Parser& parser, const ParseData& data, std::size_t i, Weights w,
                                         std::size_t k) {
    const ParseInput& x = data.examples()[i].input;
    if (k > 1) return parser.top(x, data.text()[i], w, k);
    return {parser.best(x, data.text()[i], w)};
  }
};

}  // namespace

std::unique_ptr<RecordTask<ParseRecords>> make_parse() { return std::make_unique<AnyParse>(); }

}  // namespace hinge
