// Charts as graphs of trees: the best ones, those that cover a sentence in pieces, all.
#include "hinge/inference/best_derivations.h"
#include "hinge/inference/chart_rings.h"

namespace hinge {

// Tops as nodes, and the steps that make them as edges, for best_derivations.h.
struct Chart::Graph {
  const Chart& chart;
  const Scores& scores;
  mutable std::vector<ChartStep> steps;  // by the names of edges

  std::size_t node(std::size_t begin, std::size_t end, Index symbol) const {
    return (begin * (chart.words_ + 1) + end) * chart.grammar_->symbols() + symbol;
  }
  std::size_t root() const { return node(0, chart.words_, chart.grammar_->root()); }
  double best(std::size_t at) const {
    const std::size_t symbols = chart.grammar_->symbols(), span = at / symbols;
    return chart.stored(span / (chart.words_ + 1), span % (chart.words_ + 1),
                        static_cast<Index>(at % symbols));
  }
  template <class F>
  void for_each_edge(std::size_t at, F&& f) const {
    const ChartGrammar& grammar = *chart.grammar_;
    const auto symbol = static_cast<Index>(at % grammar.symbols());
    const std::size_t span = at / grammar.symbols();
    const auto begin = static_cast<Index>(span / (chart.words_ + 1)),
               end = static_cast<Index>(span % (chart.words_ + 1));
    for_each_step(begin, end, symbol, [&](const ChartStep& step) {
      const double score = scores.of(step);
      if (score == kForbidden) return;
      const std::size_t name = steps.size();
      if (end - begin == 1) {
        steps.push_back(step);
        f(HyperEdge{score, kNoChild, kNoChild, name});
        return;
      }
      const ChartGrammar::Rule& rule = grammar.rules()[step.rule];
      const std::size_t left = node(begin, step.split, rule.left), right = node(step.split, end, rule.right);
      if (best(left) == kForbidden || best(right) == kForbidden) return;
      steps.push_back(step);
      f(HyperEdge{score, left, right, name});
    });
  }
  template <class F>
  void for_each_step(Index begin, Index end, Index symbol, F&& f) const {
    const ChartGrammar& grammar = *chart.grammar_;
    const auto below = [&](Index unary, Index bottom) {
      if (end - begin == 1) {
        if (bottom < grammar.terminals()) f(ChartStep{begin, end, unary, bottom, 0});
        return;
      }
      for (Index n = grammar.first_by_parent(bottom); n < grammar.first_by_parent(bottom + 1); ++n)
        for (Index k = begin + 1; k < end; ++k)
          f(ChartStep{begin, end, unary, grammar.rules_by_parent()[n], k});
    };
    if (grammar.bare(symbol)) below(ChartGrammar::kBare, symbol);
    for (Index n = grammar.first_by_top(symbol); n < grammar.first_by_top(symbol + 1); ++n) {
      const Index c = grammar.chains_by_top()[n];
      below(c + 1, grammar.chains()[c].bottom);
    }
  }
};

std::vector<std::pair<ChartTree, double>> Chart::top(const Scores& scores, std::size_t k) {
  std::vector<std::pair<ChartTree, double>> result;
  if (scores.words() == 0 || maximise(scores) == kForbidden) return result;
  const Graph graph{*this, scores, {}};
  for (const auto& [names, score] : BestDerivations(graph)(k)) {
    ChartTree tree;
    for (const std::size_t name : names) tree.push_back(graph.steps[name]);
    result.emplace_back(std::move(tree), score);
  }
  return result;
}

std::vector<ChartTree> Chart::pieces(const Scores& scores) {
  MaxRing ring{*this};
  alone_ = true;
  inside(scores, ring);
  alone_ = false;
  struct Cover {
    std::size_t count = static_cast<std::size_t>(-1);
    double value = kForbidden;
    std::size_t from = 0;
    Index symbol = 0;
  };
  std::vector<Cover> best(words_ + 1);
  best[0] = {0, 0, 0, 0};
  for (std::size_t end = 1; end <= words_; ++end) {
    active_.resume_end(end);
    for (std::size_t begin = 0; begin < end; ++begin) {
      active_.retreat(begin);
      if (best[begin].value == kForbidden) continue;
      make_bottoms(scores, ring, begin, end);  // not every top is some rule's child, and kept
      make_tops(scores, ring, begin, end);
      for (Index s = 0; s < grammar_->symbols(); ++s) {
        if (s == grammar_->root() || (s >= grammar_->terminals() && grammar_->bare(s))) continue;
        const double v = top_[s];
        if (v == kForbidden) continue;
        const Cover cover{best[begin].count + 1, best[begin].value + v, begin, s};
        if (std::pair(best[end].count, -best[end].value) > std::pair(cover.count, -cover.value))
          best[end] = cover;
      }
    }
  }
  std::vector<ChartTree> trees;
  if (best[words_].value == kForbidden) return trees;
  for (std::size_t end = words_; end > 0; end = best[end].from) {
    trees.emplace_back();
    trace(scores, best[end].from, end, best[end].symbol, trees.back());
  }
  std::ranges::reverse(trees);
  return trees;
}

void Chart::for_each_structure(const Scores& scores, const std::function<void(const ChartTree&)>& f) {
  Chart chart;
  MaxRing ring{chart};
  if (scores.words() == 0 || chart.inside(scores, ring) == kForbidden) return;
  const Graph graph{chart, scores, {}};
  const ChartGrammar& grammar = scores.grammar();
  ChartTree chosen;
  const auto expand = [&](auto&& self, std::vector<Open> open) -> void {
    if (open.empty()) return f(chosen);
    const Open node = open.back();
    open.pop_back();
    graph.for_each_step(static_cast<Index>(node.begin), static_cast<Index>(node.end), node.symbol,
                        [&](const ChartStep& step) {
                          if (scores.of(step) == kForbidden) return;
                          std::vector<Open> next = open;
                          if (node.end - node.begin > 1) {
                            const ChartGrammar::Rule& rule = grammar.rules()[step.rule];
                            next.push_back({step.split, node.end, rule.right});
                            next.push_back({node.begin, step.split, rule.left});
                            for (std::size_t n = next.size() - 2; n < next.size(); ++n)
                              if (chart.stored(next[n].begin, next[n].end, next[n].symbol) == kForbidden)
                                return;
                          }
                          chosen.push_back(step);
                          self(self, std::move(next));
                          chosen.pop_back();
                        });
  };
  expand(expand, {{0, scores.words(), grammar.root()}});
}

}  // namespace hinge
