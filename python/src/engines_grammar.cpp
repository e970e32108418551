// Trees of a grammar as functions on arrays: scores of symbols over spans and of rules.
#include "engines.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/chart.h"
#include "listing.h"

namespace hinge::python {
namespace {

using Rules = std::vector<std::tuple<Index, Index, Index>>;
using Unaries = std::vector<std::pair<Index, Index>>;

// The engine scores unary steps, not symbols: each symbol Y has a twin S + Y above it, by a chain that scores what Y does,
// and children of rules are twins. A unary rule X → Y is a chain of the twin of X above Y. What stands on top of all words has
// no other place: the root there is one more symbol, with chains of its own.
struct Twins {
  Index symbols;
  std::vector<Index> step_of_chain;  // a symbol, or symbols + a unary rule
  ChartGrammar grammar;

  Twins(Index symbols, Index terminals, Index root, const Rules& rules, const Unaries& unaries)
      : symbols(symbols), grammar(made(terminals, root, rules, unaries)) {}
  ChartGrammar::Rule rule(const Rules::value_type& rule) const {
    const auto& [parent, left, right] = rule;
    return {parent, symbols + left, symbols + right, 0};
  }

 private:
  ChartGrammar made(Index terminals, Index root, const Rules& rules, const Unaries& unaries) {
    std::vector<ChartGrammar::Rule> all;
    for (const auto& each : rules) all.push_back(rule(each));
    std::vector<ChartGrammar::Chain> chains;
    const auto add = [&](Index step, Index top, Index bottom) {
      step_of_chain.push_back(step);
      chains.push_back({top, bottom});
    };
    for (Index y = 0; y < symbols; ++y) add(y, symbols + y, y);
    for (Index u = 0; u < unaries.size(); ++u)
      add(symbols + u, symbols + unaries[u].first, unaries[u].second);
    add(root, 2 * symbols, root);
    for (Index u = 0; u < unaries.size(); ++u)
      if (unaries[u].first == root) add(symbols + u, 2 * symbols, unaries[u].second);
    return {terminals, std::vector<char>(2 * symbols + 1, 0), 2 * symbols, all, chains};
  }
};

// Numbers that Python has looked at (python/hinge/_grammar_engine.py).
struct Shape {
  std::size_t B, N, S, R, U;
};
Shape shape_of(const In<double, 4>& spans, const In<double, 1>& rules, const In<double, 1>& unaries) {
  return {spans.shape(0), spans.shape(1), spans.shape(3), rules.size(), unaries.size()};
}

// (values, counts of spans, of rules and of unary rules)
nb::tuple derivations(const In<double, 4>& spans, const In<double, 1>& rule_scores,
                      const In<double, 1>& unary_scores, Index terminals, Index root, const Rules& rules,
                      const Unaries& unaries, const Lengths& lengths, double temperature,
                      std::size_t threads) {
  const auto [B, N, S, R, U] = shape_of(spans, rule_scores, unary_scores);
  const Twins twins(static_cast<Index>(S), terminals, root, rules, unaries);
  const ChartGrammar& grammar = twins.grammar;
  std::vector<std::size_t> place(R);  // of each rule in the grammar's order
  for (std::size_t r = 0; r < R; ++r) {
    place[r] = grammar.find(twins.rule(rules[r]));
  }
  std::vector<double> value(B), span_count(B * N * N * S), rule_count(B * R), unary_count(B * U);
  require_scores(rule_scores.data(), R, "rules");
  require_scores(unary_scores.data(), U, "unary rules");
  {
    const nb::gil_scoped_release unlocked;
    pool().run(B, threads, [&](std::size_t b) {
      ChartScores& scores = scratch<ChartScores, struct PythonGrammarScores>();
      ChartCounts& counts = scratch<ChartCounts, struct PythonGrammarCounts>();
      const std::size_t n = length_of(lengths, b, N);
      scores.shape(grammar, n);
      for (std::size_t r = 0; r < R; ++r) scores.rule()[place[r]] = rule_scores.data()[r];
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
          const double* const own = spans.data() + ((b * N + i) * N + j) * S;
          require_scores(own, S, b);
          double* const steps = scores.unary(i, j + 1);
          steps[ChartGrammar::kBare] = kForbidden;
          for (std::size_t c = 0; c < twins.step_of_chain.size(); ++c) {
            const Index step = twins.step_of_chain[c];
            if (step < S) {
              steps[c + 1] = own[step];
            } else {
              const auto& [x, y] = unaries[step - S];
              steps[c + 1] = own[x] + own[y] + unary_scores.data()[step - S];
            }
          }
        }
      value[b] = scratch<Chart, struct PythonGrammars>().solve(scores, temperature, temperature, counts);
      if (value[b] == kForbidden) return;
      const auto use = [&](std::size_t i, std::size_t j, Index chain, double amount) {
        double* const own = span_count.data() + ((b * N + i) * N + j) * S;
        const Index step = twins.step_of_chain[chain - 1];
        if (step < S) {
          own[step] += amount;
        } else {
          own[unaries[step - S].first] += amount, own[unaries[step - S].second] += amount;
          unary_count[b * U + step - S] += amount;
        }
      };
      std::vector<double> of_rules(grammar.rules().size());
      if (counts.hard()) {
        for (const ChartStep& step : counts.structure()) {
          use(step.begin, step.end - 1, step.unary, 1);
          if (step.end - step.begin > 1) of_rules[step.rule] += 1;
        }
      } else {
        std::copy_n(counts.rule(), of_rules.size(), of_rules.begin());
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = i; j < n; ++j)
            for (Index c = 1; c < grammar.steps(); ++c)
              if (const double amount = counts.unary(i, j + 1)[c]; amount != 0) use(i, j, c, amount);
      }
      for (std::size_t r = 0; r < R; ++r) rule_count[b * R + r] = of_rules[place[r]];
    });
  }
  return nb::make_tuple(out_array(std::move(value), {B}), out_array(std::move(span_count), {B, N, N, S}),
                        out_array(std::move(rule_count), {B, R}), out_array(std::move(unary_count), {B, U}));
}

// All trees of one sentence: rows say of each span (first word, last word) and symbol whether it stands in the tree.
Listing grammar_trees(const In<double, 4>& spans, const In<double, 1>& rule_scores,
                      const In<double, 1>& unary_scores, Index terminals, Index root, const Rules& rules,
                      const Unaries& unaries) {
  const auto [B, n, S, R, U] = shape_of(spans, rule_scores, unary_scores);
  require_scores(spans.data(), spans.size(), 0);
  require_scores(rule_scores.data(), R, "rules");
  require_scores(unary_scores.data(), U, "unary rules");
  Listing list(n * n * S, 0);
  PackedForest& forest = list.forest();
  std::vector<Index> top(n * n * S, PackedForest::kNone);
  for (std::size_t length = 1; length <= n; ++length)
    for (std::size_t i = 0; i + length <= n; ++i) {
      const std::size_t j = i + length - 1, at = (i * n + j) * S;
      std::vector<Index> bottom(S, PackedForest::kNone);
      for (Index y = 0; y < S; ++y) {
        bottom[y] = forest.add_node();
        const Index own = list.add_part(spans.data()[at + y], at + y, 1);
        if (length == 1 && y < terminals) forest.add_edge(own);
        for (std::size_t r = 0; r < R; ++r) {
          const auto& [parent, left, right] = rules[r];
          if (parent != y || length == 1) continue;
          // What the rule scores goes with the symbol's own: parts write one number each.
          const Index part = list.add_part(spans.data()[at + y] + rule_scores.data()[r], at + y, 1);
          for (std::size_t k = i; k < j; ++k)
            forest.add_edge(part, top[(i * n + k) * S + left], top[((k + 1) * n + j) * S + right]);
        }
      }
      const Index nothing = list.add_part(0);
      for (Index x = 0; x < S; ++x) {
        top[at + x] = forest.add_node();
        forest.add_edge(nothing, bottom[x]);
        for (std::size_t u = 0; u < U; ++u)
          if (unaries[u].first == x)
            forest.add_edge(list.add_part(spans.data()[at + x] + unary_scores.data()[u], at + x, 1),
                            bottom[unaries[u].second]);
      }
    }
  forest.add_node();
  forest.add_edge(list.add_part(0), top[(n - 1) * S + root]);
  return list;
}

}  // namespace

void bind_grammars(nb::module_& m) {
  m.def("derivations", &derivations, "spans"_a, "rules"_a, "unaries"_a, "terminals"_a, "root"_a,
        "rule_list"_a, "unary_list"_a, "lengths"_a.none(), "temperature"_a, "threads"_a);
  m.def(
      "derivations_top",
      [](const In<double, 4>& spans, const In<double, 1>& rules, const In<double, 1>& unaries,
         Index terminals, Index root, const Rules& rule_list, const Unaries& unary_list, std::size_t k) {
        return grammar_trees(spans, rules, unaries, terminals, root, rule_list, unary_list).top(k);
      },
      "spans"_a, "rules"_a, "unaries"_a, "terminals"_a, "root"_a, "rule_list"_a, "unary_list"_a, "k"_a);
  m.def(
      "derivations_drawn",
      [](const In<double, 4>& spans, const In<double, 1>& rules, const In<double, 1>& unaries,
         Index terminals, Index root, const Rules& rule_list, const Unaries& unary_list, std::size_t count,
         double temperature, std::uint64_t seed) {
        return grammar_trees(spans, rules, unaries, terminals, root, rule_list, unary_list)
            .draw(count, temperature, seed);
      },
      "spans"_a, "rules"_a, "unaries"_a, "terminals"_a, "root"_a, "rule_list"_a, "unary_list"_a, "count"_a,
      "temperature"_a, "seed"_a);
}

}  // namespace hinge::python
