#include "hinge/tasks/parse/examples.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace hinge {
namespace {

void refuse_long(const ParseSchema& schema, const ParseRecords& records, std::size_t number,
                 double max_memory) {
  const SentenceTree& tree = records.trees[number];
  const double bytes = Chart::bytes(schema.grammar().chart(), tree.words.size());
  if (bytes > max_memory * 1048576)
    fail_at(
        records.places[number],
        "sentence {} has {} words, for which the chart of this grammar takes {:.0f} MiB: leave it out, or "
        "give a larger `max_memory`.",
        number + 1, tree.words.size(), bytes / 1048576);
}

bool possible(const ParseTask& task, const ParseInput& x, const ParseLabel& y) {
  Chart& chart = scratch<Chart, struct ParseExamplesChart>();
  chart.settings = task.settings();
  ChartScores& scores = scratch<ChartScores, struct ParseExamplesScores>();
  ChartCounts& counts = scratch<ChartCounts, struct ParseExamplesCounts>();
  Vector& zero = scratch<Vector, struct ParseExamplesZeros>();  // never written
  if (zero.size() < task.dimension()) zero.resize(task.dimension());
  task.score(x, zero, scores);
  task.forbid(y, scores);
  return chart.solve(scores, 0, 0, counts) != kForbidden;
}

// The first word that has no tag though its bracket shows its children; null where there is none.
const std::string* untagged(const SentenceTree& tree) {
  const TreeChildren children(tree);
  for (std::size_t b = 0; b < tree.brackets.size(); ++b)
    for (const TreeChildren::Child child : children[b])
      if (child < 0 && tree.tags[static_cast<std::size_t>(~child)].empty() &&
          tree.brackets[b].label != SentenceTree::kOpen)
        return &tree.words[static_cast<std::size_t>(~child)];
  return nullptr;
}

// The grammar has a tree for none of them.
[[noreturn]] void refuse_all(const ParseRecords& records) {
  for (std::size_t k = 0; k < records.trees.size(); ++k)
    if (const std::string* word = untagged(records.trees[k]))
      fail_at(records.places[k],
              "the word '{}' has no tag, and the grammar a tree for none of the sentences: write (TAG {}) "
              "where brackets are known.",
              *word, *word);
  fail_at(records.places[0],
          "the grammar has a tree for none of the sentences, of which this is the first: give whole trees.");
}

}  // namespace

RankOracle::Start start_from_all(std::shared_ptr<const ParseTask> task, const ParseData& own, Ranks& ranks) {
  return [task = std::move(task), &own, &ranks](std::size_t) {
    Vector uses = task->count_uses(own.examples(), chosen(own, {}));
    add_counts(ranks, uses);
    return task->start(uses);
  };
}

void refuse_left_out(const ParseSchema& schema, const ParseRecords& records) {
  for (std::size_t k = 0; k < records.trees.size(); ++k) {
    const SentenceTree& tree = records.trees[k];
    if (tree.complete()) continue;
    if (!possible(*schema.task(), schema.input_of(tree), schema.label_of(SentenceTree::of_words(tree.words))))
      fail_at(records.places[k],
              "the grammar has no tree for the sentence '{}', which would be left out: take it out, or leave "
              "out `share_data`.",
              fmt::join(tree.words, " "));
  }
}

std::unique_ptr<Data> make_examples(const ParseSchema& schema, ParseRecords records, double max_memory,
                                    bool training) {
  const ParseTask& task = *schema.task();
  std::vector<Example<ParseTask>> examples;
  std::vector<SentenceTree> kept;
  std::size_t partial = 0, unseen_words = 0, words = 0, beyond = 0, left_out = 0;
  for (std::size_t k = 0; k < records.trees.size(); ++k) {
    refuse_long(schema, records, k, max_memory);
    SentenceTree& tree = records.trees[k];
    ParseInput x = schema.input_of(tree);
    ParseLabel y = schema.label_of(tree);
    for (const std::string& word : tree.words) unseen_words += !schema.lexicon().known(word);
    words += tree.words.size();
    partial += !tree.complete();
    if (training && !task.determined(y) && !possible(task, x, y)) {
      // The grammar has no tree that agrees with what is known: then nothing is taken for known.
      y = schema.label_of(SentenceTree::of_words(tree.words));
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
  if (examples.empty() && left_out > 0) refuse_all(records);
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
  if (!training && records.comments > 0) facts["lines_left_out_as_comments"] = records.comments;
  return std::make_unique<ParseData>(schema.task(), std::move(examples), std::move(facts), std::move(kept));
}

}  // namespace hinge
