// Random grammars and scores of charts, the packed forest of one, and what counts of its parts add up to.
#pragma once

#include <map>
#include <tuple>

#include "hinge/core/random.h"
#include "hinge/inference/chart.h"
#include "hinge/inference/forest.h"

namespace hinge {

// Terminals 0 and 1, phrases 2 and 3, intermediates 4 and 5 (bare), the root 6; some of all rules and chains.
inline ChartGrammar random_grammar(std::uint64_t seed, double density = 0.5) {
  Random random(seed);
  const Index terminals = 2, symbols = 7, root = 6;
  const std::vector<char> bare = {1, 1, 0, 0, 1, 1, 0};
  std::vector<ChartGrammar::Rule> rules;
  for (Index parent = terminals; parent < symbols; ++parent)
    for (Index left = 0; left < 4; ++left)
      for (Index right = 0; right < root; ++right)
        if (random.uniform() < density) rules.push_back({parent, left, right, parent % 2});
  std::vector<ChartGrammar::Chain> chains;
  for (const Index top : {2u, 3u, root})
    for (Index bottom = 0; bottom < symbols; ++bottom)
      if ((bottom < 4 || bottom == top) && random.uniform() < 0.7) chains.push_back({top, bottom});
  return ChartGrammar(terminals, bare, root, std::move(rules), std::move(chains));
}

inline ChartScores random_scores(const ChartGrammar& grammar, std::size_t words, double scale,
                                 std::uint64_t seed, bool splits = true) {
  Random random(seed);
  ChartScores scores;
  scores.shape(grammar, words);
  const auto fill = [&](double* row, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) row[k] = scale * random.normal();
  };
  fill(scores.rule(), grammar.rules().size());
  if (words == 0) return scores;
  fill(scores.lexical(0), words * grammar.terminals());
  fill(scores.unary(0, 1), scores.spans() * grammar.steps());
  if (!splits) return scores;
  for (double* row : {scores.at(0), scores.before(0), scores.behind(0)})
    fill(row, grammar.groups() * (words + 1));
  return scores;
}

// Σ counts · scores
inline double total(const ChartCounts& counts, const ChartScores& scores) {
  double sum = 0;
  if (counts.hard()) {
    counts.for_each_step([&](const ChartStep& step, double amount) { sum += amount * scores.of(step); });
    return sum;
  }
  const auto add = [&](const double* a, const double* b, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
      if (a[k] != 0) sum += a[k] * b[k];
  };
  const ChartGrammar& grammar = scores.grammar();
  add(counts.rule(), scores.rule(), grammar.rules().size());
  add(counts.lexical(0), scores.lexical(0), scores.words() * grammar.terminals());
  add(counts.unary(0, 1), scores.unary(0, 1), scores.spans() * grammar.steps());
  const std::size_t splits = grammar.groups() * (scores.words() + 1);
  add(counts.at(0), scores.at(0), splits);
  add(counts.before(0), scores.before(0), splits);
  add(counts.behind(0), scores.behind(0), splits);
  return sum;
}

// Every node and edge of the chart, written out from the grammar alone: part e is the step of edge e.
struct ChartForest {
  ForestScores scores;
  std::vector<ChartStep> steps;

  explicit ChartForest(const ChartScores& chart) {
    const ChartGrammar& grammar = chart.grammar();
    std::map<std::tuple<std::size_t, std::size_t, Index>, Index> nodes;
    const auto n = static_cast<Index>(chart.words());
    const auto edge = [&](const ChartStep& step, Index left, Index right) {
      scores.forest.add_edge(static_cast<Index>(steps.size()), left, right);
      steps.push_back(step);
      scores.value.push_back(chart.of(step));
    };
    for (Index length = 1; length <= n; ++length)
      for (Index i = 0; i + length <= n; ++i)
        for (Index top = 0; top < grammar.symbols(); ++top) {
          const Index j = i + length;
          if (top == grammar.root() && length < n) continue;
          const Index node = scores.forest.add_node();
          nodes[{i, j, top}] = node;
          const auto below = [&](Index unary, Index bottom) {
            if (length == 1) {
              if (bottom < grammar.terminals())
                edge({i, j, unary, bottom, 0}, PackedForest::kNone, PackedForest::kNone);
              return;
            }
            for (Index r = 0; r < grammar.rules().size(); ++r) {
              const auto& rule = grammar.rules()[r];
              if (rule.parent != bottom) continue;
              for (Index k = i + 1; k < j; ++k)
                edge({i, j, unary, r, k}, nodes.at({i, k, rule.left}), nodes.at({k, j, rule.right}));
            }
          };
          if (grammar.bare(top)) below(ChartGrammar::kBare, top);
          for (Index c = 0; c < grammar.chains().size(); ++c)
            if (grammar.chains()[c].top == top) below(c + 1, grammar.chains()[c].bottom);
        }
  }
  ChartTree tree(const Derivation& derivation) const {
    ChartTree result;
    for (const Index e : derivation) result.push_back(steps[e]);
    return result;
  }
  // Σ over edges of their counts · the steps' scores
  double total(const ForestCounts& counts, const ChartScores& other) const {
    double sum = 0;
    for (std::size_t e = 0; e < steps.size(); ++e)
      if (counts.amounts()[e] != 0) sum += counts.amounts()[e] * other.of(steps[e]);
    return sum;
  }
};

}  // namespace hinge
