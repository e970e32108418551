// Trees of sentences by a weighted grammar (Taskar, Klein, Collins, Koller & Manning 2004):
//
//     <w, φ(x, tree)> = Σ over the parts of its derivation of their weights (parse_features.h)
//     Δ(y, tree) = labelled brackets that one of both has and the other lacks, the root's left out
//
// where brackets over the same words count as often as they stand there. A label may leave spans open: brackets
// there that it does not name cost nothing. Where a label admits several trees, which one it is, is hidden.
#pragma once

#include <memory>

#include "hinge/oracle/task.h"
#include "hinge/tasks/parse/parse_features.h"

namespace hinge {

class ParseTask {
 public:
  using Input = ParseInput;
  using Label = ParseLabel;
  using Structure = ChartTree;
  using Engine = Chart;
  static constexpr const char* no_slack =
      "the loss of trees has no exact search for slack rescaling: use `rescaling` margin.";

  ParseTask(std::shared_ptr<const TreeGrammar> grammar, std::shared_ptr<const Lexicon> lexicon,
            const ParseFeatureSet& set, double beam = 0);

  const TreeGrammar& grammar() const { return *grammar_; }
  const Lexicon& lexicon() const { return *lexicon_; }
  const ParseFeatures& parts() const { return features_; }
  Index dimension() const { return static_cast<Index>(features_.dimension()); }

  bool determined(const ParseLabel& y) const { return !y.derivation.empty(); }
  const ChartTree& structure(const ParseLabel& y) const { return y.derivation; }
  double loss(const ParseLabel& y, const ChartTree& tree) const;
  // Of brackets in the order of ParseLabel's, that need not follow the grammar.
  double loss(const ParseLabel& y, std::span<const ParseLabel::Bracket> found) const;

  void score(const ParseInput& x, Weights w, ChartScores& scores) const { features_.score(x, w, scores); }
  void add_loss(const ParseLabel& y, double weight, ChartScores& scores) const;
  void forbid(const ParseLabel& y, ChartScores& scores) const;
  template <class Sink>
  void features(const ParseInput& x, const ChartCounts& counts, Sink& sink) const {
    features_.pour(x, counts, sink);
  }

  Chart::Settings settings() const { return {beam_}; }
  double work(const ParseInput& x) const;
  std::string refusal(const Query& query) const;

  // The logarithms of how often complete trees use each rule, of all that have its parent: a probabilistic
  // grammar. Where tags are to be found, of each word too, of all that have its tag.
  Vector start(std::span<const Example<ParseTask>> examples, std::span<const std::size_t> chosen,
               std::size_t /*attempt*/) const {
    return start(count_uses(examples, chosen));
  }
  // What that looks at, which ranks may add: uses of rules, of unary steps, of symbols above both, of words with tags, of
  // tags.
  Vector count_uses(std::span<const Example<ParseTask>> examples, std::span<const std::size_t> chosen) const;
  Vector start(const Vector& uses) const;

 private:
  struct Uses {
    std::size_t rules, steps, parents, entries, tags;  // how many of each
    std::size_t all() const { return rules + steps + parents + entries + tags; }
  };
  Uses uses() const;
  // What a unary step over a span adds to the loss, beyond that of no bracket there.
  double step_loss(const ParseLabel& y, std::size_t span, Index unary) const;
  double labels_loss(const ParseLabel& y, std::size_t span, std::vector<Index>& labels) const;
  std::span<const ParseLabel::Bracket> brackets_at(const ParseLabel& y, std::size_t span) const;
  bool admits(std::span<const ParseLabel::Bracket> known, bool open, Index unary) const;

  std::shared_ptr<const TreeGrammar> grammar_;
  std::shared_ptr<const Lexicon> lexicon_;
  ParseFeatures features_;
  double beam_;
};

static_assert(FactoredTask<ParseTask> && StartingTask<ParseTask> && TimedTask<ParseTask> &&
              SettingTask<ParseTask>);

}  // namespace hinge
