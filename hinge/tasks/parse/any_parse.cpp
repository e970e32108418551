#include "hinge/tasks/parse/any_parse.h"

#include <fmt/ranges.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "hinge/tasks/parse/metrics.h"
#include "hinge/tasks/parse/parser.h"
#include "hinge/tasks/parse/reader.h"
#include "hinge/tasks/parse/schema.h"
#include "hinge/tasks/parse/told_trees.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

using ParseData = RecordData<std::vector<SentenceTree>, ParseTask>;

class AnyParse final
    : public SharingAdapter<ToldTrees, Adapter<ParseRecords, ParseData, ParseSchema, ParseOptions>>,
      public HasViews,
      public ListsTrees {
 public:
  std::string name() const override { return "parse"; }
  std::vector<std::string> decodings() const override { return {"joint", "max-marginals"}; }

  ParseRecords read_records(const std::vector<std::string>& files,
                            const Selection& selection) const override {
    return read_trees(files, selection);
  }
  std::unique_ptr<Data> examples_of(ParseRecords records) const override {
    return make(std::move(records), false);
  }

  std::vector<std::vector<RankedTree>> best_trees(const Data& data, Weights w, std::size_t k,
                                                  Executor& executor) const override {
    return map_examples(chosen(data, {}), executor, [&](std::size_t i) {
      const ParseInput& x = own(data).examples()[i].input;
      const SentenceTree& sentence = own(data).text()[i];
      Parser parser = this->parser();
      std::vector<RankedTree> ranked;
      const auto add = [&](const Parser::Found& found) {
        ranked.push_back({"", found.score});
        append_tree(found.tree, ranked.back().text);
      };
      if (k > 1)
        for (const Parser::Found& found : parser.top(x, sentence, w, k)) add(found);
      else
        add(parser.best(x, sentence, w));
      return ranked;
    });
  }

  std::string report(const nlohmann::json& metrics) const override { return parse_report(metrics); }

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
    schema_ = std::make_shared<const ParseSchema>(all, words, options_.training);
  }
  // Ranks have agreed on how many examples there are before the grammar was known.
  void settle(ParseRecords& own, Ranks* ranks) const override {
    if (ranks == nullptr) return;
    ranks->together([&] {
      for (const SentenceTree& tree : own.trees) {
        if (tree.complete()) continue;
        const ParseInput x = schema_->input_of(tree);
        if (!possible(*schema_->task(), x, schema_->label_of(SentenceTree::of_words(tree.words))))
          fail(
              "the grammar has no tree for the sentence '{}', which would be left out: take it out, or leave "
              "out `share_data`.",
              fmt::join(tree.words, " "));
      }
    });
  }
  std::unique_ptr<Data> training_examples(ParseRecords records) const override {
    return make(std::move(records), true);
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
    struct Answer {
      Parser::Found found;
      double loss = 0;
    };
    const auto answer = [&](std::size_t i) {
      const auto& [x, y, weight] = data.examples()[i];
      ChartTree derivation;
      Answer result{parser().best(x, data.text()[i], w, &derivation)};
      const ParseTask& task = *schema_->task();
      result.loss = derivation.empty() ? task.loss(y, schema_->label_of(result.found.tree).brackets)
                                       : task.loss(y, derivation);
      return result;
    };
    for_answers(examples, executor, answer, [&](std::size_t i, const Answer& result) {
      metrics.add(data.text()[i], result.found.tree, result.loss, result.found.fell_back(),
                  !result.found.exact);
    });
    return metrics.json();
  }

  void write(const ParseData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const auto [nbest, scores, marginals] = options_.output;
    if (nbest > 1 && decoding_.max_marginals)
      fail("`nbest` lists trees by their scores, `decode` max-marginals has none: leave out one of them.");
    const bool scored = scores || nbest > 1;
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const auto& [x, y, weight] = data.examples()[i];
      Parser parser = this->parser();
      std::vector<Parser::Found> found;
      if (nbest > 1)
        found = parser.top(x, data.text()[i], w, static_cast<std::size_t>(nbest));
      else
        found.push_back(parser.best(x, data.text()[i], w));
      for (const Parser::Found& one : found) {
        if (scored) {
          if (one.fell_back())
            text += "# no score: the grammar has no tree\n";
          else
            fmt::format_to(std::back_inserter(text), "# score {:g}\n", one.score);
        }
        append_tree(one.tree, text);
        text.push_back('\n');
        if (marginals) append_marginals(parser, x, one.tree, w, text);
      }
      if (scored || marginals) text.push_back('\n');
    });
  }

 private:
  Parser parser() const { return Parser(*schema_->task(), decoding_); }

  static void append_marginals(Parser& parser, const ParseInput& x, const SentenceTree& tree, Weights w,
                               std::string& text) {
    const std::vector<double> marginals = parser.marginals(x, tree, w);
    for (std::size_t b = 1; b < tree.brackets.size(); ++b)
      fmt::format_to(std::back_inserter(text), "# {} {}-{} {:.6g}\n", tree.brackets[b].label,
                     tree.brackets[b].begin + 1, tree.brackets[b].end, marginals[b]);
  }

  void refuse_long(const SentenceTree& tree, std::size_t number) const {
    const double bytes = Chart::bytes(schema_->grammar().chart(), tree.words.size());
    if (bytes > options_.reading.max_memory * 1048576)
      fail(
          "sentence {} has {} words, for which the chart of this grammar takes {:.0f} MiB: leave it out, or "
          "give a larger `max_memory`.",
          number + 1, tree.words.size(), bytes / 1048576);
  }

  std::unique_ptr<Data> make(ParseRecords records, bool training) const {
    const ParseTask& task = *schema_->task();
    std::vector<Example<ParseTask>> examples;
    std::vector<SentenceTree> kept;
    std::size_t partial = 0, unseen_words = 0, words = 0, beyond = 0, left_out = 0;
    for (std::size_t k = 0; k < records.trees.size(); ++k) {
      SentenceTree& tree = records.trees[k];
      refuse_long(tree, k);
      ParseInput x = schema_->input_of(tree);
      ParseLabel y = schema_->label_of(tree);
      for (const std::string& word : tree.words) unseen_words += !schema_->lexicon().known(word);
      words += tree.words.size();
      partial += !tree.complete();
      if (training && !task.determined(y) && !possible(task, x, y)) {
        // The grammar has no tree that agrees with what is known: then nothing is taken for known.
        y = schema_->label_of(SentenceTree::of_words(tree.words));
        if (!possible(task, x, y)) {
          ++left_out;
          continue;
        }
        ++beyond;
      } else if (!training && tree.complete() && !task.determined(y)) {
        ++beyond;
      }
      examples.push_back({std::move(x), std::move(y), records.weights[k]});
      kept.push_back(std::move(tree));
    }
    if (examples.empty() && left_out > 0)
      fail("the grammar has a tree for none of the sentences: give whole trees.");
    const ChartGrammar& chart = task.grammar().chart();
    nlohmann::json facts = {{"examples", examples.size()},
                            {"words", words},
                            {"labels", task.grammar().labels().size() - 1},
                            {"tags", task.grammar().tags().size()},
                            {"rules", chart.rules().size()},
                            {"chains", chart.chains().size()},
                            {"partial_trees", partial},
                            {"unseen_words", unseen_words},
                            {"beyond_the_grammar", beyond},
                            {"left_out", left_out}};
    return std::make_unique<ParseData>(schema_->task(), std::move(examples), std::move(facts),
                                       std::move(kept));
  }
  static bool possible(const ParseTask& task, const ParseInput& x, const ParseLabel& y) {
    Chart& chart = scratch<Chart, struct AnyParseChart>();
    chart.settings = task.settings();
    ChartScores& scores = scratch<ChartScores, struct AnyParseScores>();
    ChartCounts& counts = scratch<ChartCounts, struct AnyParseCounts>();
    Vector& zero = scratch<Vector, struct AnyParseZeros>();  // never written
    if (zero.size() < task.dimension()) zero.resize(task.dimension());
    task.score(x, zero, scores);
    task.forbid(y, scores);
    return chart.solve(scores, 0, 0, counts) != kForbidden;
  }
};

}  // namespace

std::unique_ptr<RecordTask<ParseRecords>> make_parse() { return std::make_unique<AnyParse>(); }

}  // namespace hinge
