// Predicts trees: one for every sentence, whatever it holds. Where the grammar has none, its best pieces stand
// side by side below the root.
#pragma once

#include "hinge/oracle/decoding.h"
#include "hinge/tasks/parse/parse_task.h"

namespace hinge {

class Parser {
 public:
  struct Found {
    SentenceTree tree;
    double score = kForbidden;  // −∞ where pieces stand side by side
    bool exact = true;          // no beam left anything out
    bool fell_back() const { return score == kForbidden; }
  };

  Parser(const ParseTask& task, const Decoding& decoding)
      : task_(task), decoding_(decoding), room_(scratch<Room, struct ParserRoom>()) {
    room_.chart.settings = task.settings();
  }

  // From now on trees are those that the label admits, which must outlive it.
  void keep_to(const ParseLabel& label) { given_ = &label; }

  // `sentence` has the words, and tags to keep where these are given; its brackets are not looked at. The
  // derivation is empty where there is none.
  Found best(const ParseInput& x, const SentenceTree& sentence, Weights w, ChartTree* derivation = nullptr);
  // At most k trees, best first, each another; where the grammar has none, what `best` finds.
  std::vector<Found> top(const ParseInput& x, const SentenceTree& sentence, Weights w, std::size_t k);
  // The one that is decoded, or at most k with the best scores.
  std::vector<Found> answers(const ParseInput& x, const SentenceTree& sentence, Weights w, std::size_t k) {
    if (k > 1) return top(x, sentence, w, k);
    return {best(x, sentence, w)};
  }
  // How probable each bracket of the tree is, in its order; the root's is 1. Zeros where the grammar has none.
  std::vector<double> marginals(const ParseInput& x, const SentenceTree& tree, Weights w);

 private:
  void score(const ParseInput& x, Weights w) {
    task_.score(x, w, room_.scores);
    if (given_ != nullptr) task_.forbid(*given_, room_.scores);
  }
  SentenceTree tree_of(const std::vector<ChartTree>& derivations, const SentenceTree& sentence,
                       bool pieces) const;

  ChartTree least_wrong() const;

  struct Room {
    Chart chart;
    ChartScores scores;
    ChartCounts counts;
  };

  const ParseTask& task_;
  Decoding decoding_;
  const ParseLabel* given_ = nullptr;
  Room& room_;  // of the worker: one parser at a time uses it
};

}  // namespace hinge
