// What the parts of a sentence's chart are worth: a weight for each rule and each unary step, and rows of
// weights, one for each label of brackets (for words: each tag), for
//
//     spans   (i, j)     length; first, last word; words before and behind; their kinds (tags where these are
//                        given, else classes), kinds across each end, kinds of both ends
//     splits  (i, k, j)  words and kinds on both sides of k, lengths of both sides; label of the parent
//     words   i          the word, its class, the words beside it; where tags are to be found
//
// Kinds and words of a span's ends do not depend on the other end, so that their rows are added once for each
// position.
#pragma once

#include <string>

#include "hinge/core/kernels.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/chart.h"
#include "hinge/oracle/sink.h"
#include "hinge/tasks/parse/lexicon.h"
#include "hinge/tasks/parse/parse_input.h"
#include "hinge/tasks/parse/tree_grammar.h"

namespace hinge {

struct ParseFeatureSet {
  bool spans = true, splits = true;
  bool given_tags = true;
};

class ParseFeatures {
 public:
  ParseFeatures(const TreeGrammar& grammar, const Lexicon& lexicon, const ParseFeatureSet& set);

  double dimension() const { return dimension_; }  // may be more than an Index holds
  std::string name(Index weight) const;
  std::size_t first_rule() const { return first_rule_; }
  std::size_t first_step() const { return first_step_; }
  // The weight of a lexicon's entry with a tag, where tags are to be found.
  std::size_t word_weight(Index entry, Index tag) const { return first_word_ + entry * tags_ + tag; }
  const ParseFeatureSet& set() const { return set_; }

  void score(const ParseInput& x, Weights w, ChartScores& scores) const;
  template <class Sink>
  void pour(const ParseInput& x, const ChartCounts& counts, Sink& sink) const {
    if (counts.hard())
      counts.for_each_step([&](const ChartStep& step, double amount) { pour_step(x, step, amount, sink); });
    else
      pour_tables(x, counts, sink);
  }

 private:
  static constexpr std::size_t kLengths = 11;
  static std::size_t length_class(std::size_t length);

  // Kinds of rows, in their order; the number of each is in size_.
  enum Row : std::size_t {
    kLength,
    kFirst,
    kLast,
    kBefore,
    kBehind,
    kFirstKind,
    kLastKind,
    kBeforeKind,
    kBehindKind,
    kBeginKinds,
    kEndKinds,
    kBothKinds,
    kSplitLeft,
    kSplitRight,
    kSplitLeftKind,
    kSplitRightKind,
    kSplitKinds,
    kSplitBefore,
    kSplitBehind,
    kRows
  };
  static const char* row_name(std::size_t row);
  std::size_t row(Row kind, std::size_t number) const { return (first_row_[kind] + number) * labels_; }
  std::size_t two(std::size_t a, std::size_t b) const { return a * kinds_ + b; }

  // f(first weight of a row) of rows that belong to a span's beginning at i, its end at j, a split at k.
  template <class F>
  void for_begin(const ParseInput& x, std::size_t i, F&& f) const {
    f(row(kFirst, x.entry[i + 1]));
    f(row(kBefore, x.entry[i]));
    f(row(kFirstKind, x.kind[i + 1]));
    f(row(kBeforeKind, x.kind[i]));
    f(row(kBeginKinds, two(x.kind[i], x.kind[i + 1])));
  }
  template <class F>
  void for_end(const ParseInput& x, std::size_t j, F&& f) const {
    f(row(kLast, x.entry[j]));
    f(row(kBehind, x.entry[j + 1]));
    f(row(kLastKind, x.kind[j]));
    f(row(kBehindKind, x.kind[j + 1]));
    f(row(kEndKinds, two(x.kind[j], x.kind[j + 1])));
  }
  std::size_t both_kinds(const ParseInput& x, std::size_t i, std::size_t j) const {
    return row(kBothKinds, two(x.kind[i + 1], x.kind[j]));
  }
  template <class F>
  void for_split(const ParseInput& x, std::size_t k, F&& f) const {
    f(row(kSplitLeft, x.entry[k]));
    f(row(kSplitRight, x.entry[k + 1]));
    f(row(kSplitLeftKind, x.kind[k]));
    f(row(kSplitRightKind, x.kind[k + 1]));
    f(row(kSplitKinds, two(x.kind[k], x.kind[k + 1])));
  }
  // f(first weight of a row of tags)
  template <class F>
  void for_word(const ParseInput& x, std::size_t i, F&& f) const {
    f(first_word_ + x.entry[i + 1] * tags_);
    f(first_word_ + (entries_ + x.kind[i + 1]) * tags_);
    f(first_word_ + (entries_ + kinds_ + x.entry[i]) * tags_);
    f(first_word_ + (2 * entries_ + kinds_ + x.entry[i + 2]) * tags_);
  }

  void score_spans(const ParseInput& x, Weights w, const Vector& chain, ChartScores& scores) const;
  void score_splits(const ParseInput& x, Weights w, ChartScores& scores) const;
  void score_words(const ParseInput& x, Weights w, ChartScores& scores) const;

  template <class Sink>
  void pour_step(const ParseInput& x, const ChartStep& step, double amount, Sink& sink) const {
    const auto add = [&](std::size_t weight) { sink.add(static_cast<Index>(weight), amount); };
    if (step.unary != ChartGrammar::kBare) {
      const TreeGrammar::Chain& chain = grammar_.chain_of(step.unary);
      for (const Index s : chain.steps) add(first_step_ + s);
      if (set_.spans)
        for (const Index label : chain.labels) {
          const auto add_label = [&](std::size_t first) { add(first + label); };
          for_begin(x, step.begin, add_label);
          for_end(x, step.end, add_label);
          add_label(both_kinds(x, step.begin, step.end));
          add_label(row(kLength, length_class(step.end - step.begin)));
        }
    }
    if (step.end - step.begin == 1) {
      if (!set_.given_tags) for_word(x, step.begin, [&](std::size_t first) { add(first + step.rule); });
      return;
    }
    add(first_rule_ + step.rule);
    if (!set_.splits) return;
    const Index g = grammar_.chart().rules()[step.rule].group;
    const auto add_group = [&](std::size_t first) { add(first + g); };
    for_split(x, step.split, add_group);
    add_group(row(kSplitBefore, length_class(step.split - step.begin)));
    add_group(row(kSplitBehind, length_class(step.end - step.split)));
  }

  // Sums of counts by row, then each row at once.
  struct Sums {
    Vector chain, step;                // by unary step of the chart, by step of the grammar
    Vector begin, end, length, split;  // rows of labels, by position
    Vector before, behind;             // by class of length
  };
  void sum_up(const ParseInput& x, const ChartCounts& counts, Sums& sums) const;
  void label_counts(const ChartCounts& counts, std::size_t i, std::size_t j, Vector& row) const;

  template <class Sink>
  void pour_tables(const ParseInput& x, const ChartCounts& counts, Sink& sink) const {
    Sums& sums = scratch<Sums, struct ParseFeatureSums>();
    sum_up(x, counts, sums);
    const std::size_t n = x.words(), L = labels_;
    const auto pour_row = [&](std::size_t first, const double* values, std::size_t count) {
      sink.add_row(static_cast<Index>(first), {values, count}, 1);
    };
    pour_row(first_rule_, counts.rule(), grammar_.chart().rules().size());
    pour_row(first_step_, sums.step.data(), sums.step.size());
    if (set_.spans) {
      Vector& labels = scratch<Vector, struct ParseSpanLabels>();
      for (std::size_t j = 1; j <= n; ++j)
        for (std::size_t i = 0; i < j; ++i) {
          label_counts(counts, i, j, labels);
          pour_row(both_kinds(x, i, j), labels.data(), L);
        }
      for (std::size_t i = 0; i < n; ++i)
        for_begin(x, i, [&](std::size_t first) { pour_row(first, sums.begin.data() + i * L, L); });
      for (std::size_t j = 1; j <= n; ++j)
        for_end(x, j, [&](std::size_t first) { pour_row(first, sums.end.data() + j * L, L); });
      for (std::size_t c = 0; c < kLengths; ++c) pour_row(row(kLength, c), sums.length.data() + c * L, L);
    }
    if (set_.splits) {
      for (std::size_t k = 1; k < n; ++k)
        for_split(x, k, [&](std::size_t first) { pour_row(first, sums.split.data() + k * L, L); });
      for (std::size_t c = 0; c < kLengths; ++c) {
        pour_row(row(kSplitBefore, c), sums.before.data() + c * L, L);
        pour_row(row(kSplitBehind, c), sums.behind.data() + c * L, L);
      }
    }
    if (!set_.given_tags)
      for (std::size_t i = 0; i < n; ++i)
        for_word(x, i, [&](std::size_t first) { pour_row(first, counts.lexical(i), tags_); });
  }

  const TreeGrammar& grammar_;
  const Lexicon& lexicon_;
  ParseFeatureSet set_;
  std::size_t labels_, tags_, entries_, kinds_;  // entries and kinds with the boundary
  std::size_t first_row_[kRows + 1] = {};
  std::size_t first_rule_ = 0, first_step_ = 0, first_word_ = 0;
  double dimension_ = 0;
};

}  // namespace hinge
