#include "hinge/inference/chart.h"

#include <cassert>
#include <cmath>

#include "hinge/core/kernels.h"
#include "hinge/inference/best_derivations.h"
#include "hinge/inference/chart_rings.h"

namespace hinge {

using chart_loops::PairLoop;

double ChartScores::of(const ChartStep& step) const {
  double sum = unary(step.begin, step.end)[step.unary];
  if (step.end - step.begin == 1) return sum + lexical(step.begin)[step.rule];
  const Index g = grammar().rules()[step.rule].group;
  return sum + rule()[step.rule] + at(g)[step.split] + before(g)[step.split - step.begin] +
         behind(g)[step.end - step.split];
}

double ChartScores::of(const ChartTree& tree) const {
  double sum = 0;
  for (const ChartStep& step : tree) sum += of(step);
  return sum;
}

void ChartCounts::subtract(const ChartTree& tree) {
  if (hard_) {
    assert(reference_.empty());
    reference_ = tree;
  } else {
    for (const ChartStep& step : tree) add(step, -1);
  }
}

void ChartCounts::scale(double factor) {
  factor_ *= factor;
  if (!hard_)
    for_each_table([&](Vector& table) {
      for (double& v : table) v *= factor;
    });
}

ChartTree ChartCounts::most_probable() const {
  if (hard_) return tree_;
  ChartScores scores;
  scores.shape(grammar(), words());
  const auto worth = [](double count, double value) { return count > 0 ? value : kForbidden; };
  for (std::size_t r = 0; r < grammar().rules().size(); ++r) scores.rule()[r] = worth(rule()[r], 0);
  for (std::size_t j = 1; j <= words(); ++j) {
    for (std::size_t t = 0; t < grammar().terminals(); ++t)
      scores.lexical(j - 1)[t] = worth(lexical(j - 1)[t], lexical(j - 1)[t]);
    for (std::size_t i = 0; i < j; ++i)
      for (std::size_t u = 1; u < grammar().steps(); ++u)
        scores.unary(i, j)[u] = worth(unary(i, j)[u], 2 * unary(i, j)[u] - 1);
  }
  ChartCounts best;
  Chart().solve(scores, 0, 0, best);
  return best.structure();
}

double Chart::bytes(const ChartGrammar& grammar, std::size_t words) {
  const auto n = static_cast<double>(words), spans = n * (n + 1) / 2;
  const double rows = static_cast<double>(grammar.lefts().size() + grammar.rights().size());
  return 8 * (2 * (n + 1) * rows * static_cast<double>(kernels::padded(words + 1)) +
              2 * spans * static_cast<double>(grammar.steps()));
}

void Chart::shape(const Scores& scores) {
  grammar_ = &scores.grammar();
  words_ = scores.words();
  stride_ = kernels::padded(words_ + 1);
  lefts_ = grammar_->lefts().size();
  rights_ = grammar_->rights().size();
  left_.resize((words_ + 1) * lefts_ * stride_);
  right_.resize((words_ + 1) * rights_ * stride_);
  left_live_.assign((words_ + 1) * lefts_, {ChartGrammar::kNone, 0});
  right_live_.assign((words_ + 1) * rights_, {ChartGrammar::kNone, 0});
  bottom_.resize(grammar_->symbols());
  top_.resize(grammar_->symbols());
  pair_.resize(grammar_->pairs().size());
  const auto zero = [&](const double* row) {
    return std::all_of(row, row + grammar_->groups() * (words_ + 1), [](double v) { return v == 0; });
  };
  split_stride_ = zero(scores.at(0)) && zero(scores.before(0)) && zero(scores.behind(0)) ? 0 : stride_;
  split_.assign(grammar_->groups() * stride_, 0.0);
  scale_.assign(scores.spans(), 0.0);
  root_ = kForbidden;
  pruned_ = false;
}

double Chart::stored(std::size_t begin, std::size_t end, Index symbol) const {
  if (const Index slot = grammar_->left_slot(symbol); slot != ChartGrammar::kNone)
    return left_[left_place(begin, slot) + end];
  if (const Index slot = grammar_->right_slot(symbol); slot != ChartGrammar::kNone)
    return right_[right_place(end, slot) + begin];
  return symbol == grammar_->root() && begin == 0 && end == words_ ? root_ : kForbidden;
}

template <class Ring>
void Chart::make_bottoms(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end) {
  std::ranges::fill(bottom_, Ring::kZero);
  if (end - begin == 1) {
    std::copy_n(ring.lexical(scores, begin), grammar_->terminals(), bottom_.begin());
    return;
  }
  ring.score_splits(scores, begin, end);
  const double* rule = ring.rules(scores);
  const Index* parent = grammar_->parents().data();
  for (const ChartGrammar::Block& block : grammar_->blocks()) {
    const Live live = left_live_[begin * lefts_ + block.left];
    const Index first = std::max(live.first, static_cast<Index>(begin + 1));
    const Index last = std::min(live.last, static_cast<Index>(end));
    if (first >= last) {
      std::fill(pair_.begin() + block.first, pair_.begin() + block.last, Ring::kZero);
      continue;
    }
    ring.pairs(PairLoop{grammar_->pairs().data() + block.first, block.last - block.first,
                        left_.data() + left_place(begin, block.left),
                        split_.data() + block.group * split_stride_, first, last,
                        right_.data() + right_place(end, 0), stride_, right_live_.data() + end * rights_,
                        pair_.data() + block.first});
    for (Index p = block.first; p < block.last; ++p) {
      const double value = pair_[p];
      if (value == Ring::kZero) continue;
      const ChartGrammar::Pair& pair = grammar_->pairs()[p];
      for (Index r = pair.first; r < pair.last; ++r)
        ring.add(bottom_[parent[r]], Ring::times(value, rule[r]));
    }
  }
}

template <class Ring>
void Chart::make_tops(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end) {
  const double* unary = ring.unaries(scores, begin, end);
  for (Index s = 0; s < grammar_->symbols(); ++s)
    top_[s] = grammar_->bare(s) ? Ring::times(bottom_[s], unary[ChartGrammar::kBare]) : Ring::kZero;
  const bool whole = begin == 0 && end == words_;
  const std::size_t count = whole ? grammar_->chains().size() : grammar_->inner_chains();
  for (std::size_t c = 0; c < count; ++c) {
    const auto [above, below] = grammar_->chains()[c];
    if (bottom_[below] != Ring::kZero) ring.add(top_[above], Ring::times(bottom_[below], unary[c + 1]));
  }
}

template <class Ring>
void Chart::keep_tops(Ring& ring, std::size_t begin, std::size_t end) {
  if (begin == 0 && end == words_) root_ = ring.value(top_[grammar_->root()]);
  ring.rescale(top_, bottom_, begin, end);
  if (beam_ > 0) {
    const double lowest = top_[arg_max(top_)] - beam_;
    for (double& v : top_)
      if (v < lowest && v != kForbidden) v = kForbidden, pruned_ = true;
  }
  for (std::size_t slot = 0; slot < lefts_; ++slot) {
    const double v = left_[left_place(begin, slot) + end] = top_[grammar_->lefts()[slot]];
    if (v == Ring::kZero) continue;
    Live& live = left_live_[begin * lefts_ + slot];
    if (live.last == 0) live.first = static_cast<Index>(end);
    live.last = static_cast<Index>(end + 1);
  }
  for (std::size_t slot = 0; slot < rights_; ++slot) {
    const double v = right_[right_place(end, slot) + begin] = top_[grammar_->rights()[slot]];
    if (v == Ring::kZero) continue;
    Live& live = right_live_[end * rights_ + slot];
    if (live.last == 0) live.last = static_cast<Index>(begin + 1);
    live.first = static_cast<Index>(begin);
  }
}

template <class Ring>
double Chart::inside(const Scores& scores, Ring& ring) {
  shape(scores);
  if (!ring.begin(scores)) return kForbidden;
  for (std::size_t end = 1; end <= words_; ++end)
    for (std::size_t begin = end; begin-- > 0;) {
      make_bottoms(scores, ring, begin, end);
      make_tops(scores, ring, begin, end);
      keep_tops(ring, begin, end);
      if (!ring.safe()) return kForbidden;
    }
  return root_;
}

template <class Ring>
void Chart::outside(const Scores& scores, Ring& ring, Counts& counts) {
  left_share_.assign(left_.size(), 0.0);
  right_share_.assign(right_.size(), 0.0);
  bottom_share_.resize(grammar_->symbols());
  split_share_.resize(split_.size());
  for (std::size_t end = words_; end > 0; --end)
    for (std::size_t begin = 0; begin < end; ++begin)
      if (share_tops(scores, ring, begin, end, counts) && end - begin > 1)
        share_rules(ring, begin, end, counts);
}

// Whether the span has any node that is used.
template <class Ring>
bool Chart::share_tops(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end, Counts& counts) {
  const bool whole = begin == 0 && end == words_;
  const auto share_of = [&](Index symbol) {
    double share = whole && symbol == grammar_->root() ? 1 : 0;
    if (const Index slot = grammar_->left_slot(symbol); slot != ChartGrammar::kNone)
      share += left_share_[left_place(begin, slot) + end];
    if (const Index slot = grammar_->right_slot(symbol); slot != ChartGrammar::kNone)
      share += right_share_[right_place(end, slot) + begin];
    return share;
  };
  bool used = false;
  for (Index s = 0; s < grammar_->symbols() && !used; ++s) used = share_of(s) > 0;
  if (!used) return false;
  make_bottoms(scores, ring, begin, end);
  make_tops(scores, ring, begin, end);
  const double* unary = ring.unaries(scores, begin, end);
  double* count = counts.unary(begin, end);
  for (Index s = 0; s < grammar_->symbols(); ++s) {
    const double share = share_of(s);
    bottom_share_[s] = grammar_->bare(s) && bottom_[s] != Ring::kZero && share > 0
                           ? share * ring.share(Ring::times(bottom_[s], unary[0]), top_[s])
                           : 0;
    count[ChartGrammar::kBare] += bottom_share_[s];
  }
  const std::size_t chains = whole ? grammar_->chains().size() : grammar_->inner_chains();
  for (std::size_t c = 0; c < chains; ++c) {
    const auto [above, below] = grammar_->chains()[c];
    if (bottom_[below] == Ring::kZero || unary[c + 1] == Ring::kZero) continue;
    const double share = share_of(above);
    if (share == 0) continue;
    const double amount = share * ring.share(Ring::times(bottom_[below], unary[c + 1]), top_[above]);
    count[c + 1] += amount;
    bottom_share_[below] += amount;
  }
  if (end - begin == 1)
    for (std::size_t t = 0; t < grammar_->terminals(); ++t) counts.lexical(begin)[t] += bottom_share_[t];
  return true;
}

template <class Ring>
void Chart::share_rules(Ring& ring, std::size_t begin, std::size_t end, Counts& counts) {
  std::ranges::fill(split_share_, 0.0);
  const double* rule = ring.rules();
  for (const ChartGrammar::Block& block : grammar_->blocks()) {
    const Live left = left_live_[begin * lefts_ + block.left];
    const std::size_t from = left_place(begin, block.left);
    for (Index p = block.first; p < block.last; ++p) {
      if (pair_[p] == Ring::kZero) continue;
      const ChartGrammar::Pair& pair = grammar_->pairs()[p];
      double share = 0;
      for (Index r = pair.first; r < pair.last; ++r) {
        const Index parent = grammar_->parents()[r];
        if (bottom_share_[parent] == 0) continue;
        const double amount =
            bottom_share_[parent] * ring.share(Ring::times(pair_[p], rule[r]), bottom_[parent]);
        counts.rule()[r] += amount;
        share += amount;
      }
      if (share == 0) continue;
      const Live right = right_live_[end * rights_ + pair.right];
      const Index first = std::max({left.first, right.first, static_cast<Index>(begin + 1)});
      const Index last = std::min({left.last, right.last, static_cast<Index>(end)});
      const std::size_t to = right_place(end, pair.right);
      ring.spread(share, pair_[p], left_.data() + from, right_.data() + to,
                  split_.data() + block.group * split_stride_, first, last, left_share_.data() + from,
                  right_share_.data() + to, split_share_.data() + block.group * stride_);
    }
  }
  for (std::size_t g = 0; g < grammar_->groups(); ++g)
    for (std::size_t k = begin + 1; k < end; ++k) {
      const double amount = split_share_[g * stride_ + k];
      counts.at(g)[k] += amount;
      counts.before(g)[k - begin] += amount;
      counts.behind(g)[end - k] += amount;
    }
}

double Chart::maximise(const Scores& scores) {
  MaxRing ring{*this};
  beam_ = settings.beam;
  double value = inside(scores, ring);
  beam_ = 0;
  if (value == kForbidden && pruned_) value = inside(scores, ring);
  return value;
}

double Chart::solve(const Scores& scores, double output_temperature, double /*latent*/, Counts& counts) {
  counts.hard_ = output_temperature == 0;
  counts.factor_ = 1;
  counts.tree_.clear();
  counts.reference_.clear();
  double value;
  if (counts.hard_) {
    value = maximise(scores);
    if (value != kForbidden) trace(scores, 0, words_, grammar_->root(), counts.tree_);
    answer_ = {kMaxima};
  } else {
    counts.shape(scores.grammar(), scores.words());
    ProductRing products{*this, output_temperature};
    value = inside(scores, products);
    if (products.safe()) {
      if (value != kForbidden) outside(scores, products, counts);
      answer_ = {kProducts};
    } else {
      LogRing logarithms{*this, output_temperature};
      value = inside(scores, logarithms);
      if (value != kForbidden) outside(scores, logarithms, counts);
      answer_ = {kLogarithms};
    }
  }
  if (pruned_) answer_ = {kBeam, false, true};
  return value;
}

// The first of the best ways to make a top, as `inside` found it.
ChartStep Chart::winner(const Scores& scores, std::size_t begin, std::size_t end, Index symbol) {
  MaxRing ring{*this};
  make_bottoms(scores, ring, begin, end);
  const double* unary = scores.unary(begin, end);
  ChartStep best{static_cast<Index>(begin), static_cast<Index>(end), ChartGrammar::kBare, symbol, 0};
  double value = grammar_->bare(symbol) ? bottom_[symbol] + unary[ChartGrammar::kBare] : kForbidden;
  Index below = symbol;
  for (Index n = grammar_->first_by_top(symbol); n < grammar_->first_by_top(symbol + 1); ++n) {
    const Index c = grammar_->chains_by_top()[n];
    const double v = bottom_[grammar_->chains()[c].bottom] + unary[c + 1];
    if (v > value) value = v, best.unary = c + 1, below = grammar_->chains()[c].bottom;
  }
  best.rule = below;
  if (end - begin == 1) return best;
  value = kForbidden;
  for (Index n = grammar_->first_by_parent(below); n < grammar_->first_by_parent(below + 1); ++n) {
    const Index r = grammar_->rules_by_parent()[n];
    const double v = pair_[grammar_->pair_of(r)] + scores.rule()[r];
    if (v > value) value = v, best.rule = r;
  }
  const ChartGrammar::Block& block = grammar_->blocks()[grammar_->block_of(grammar_->pair_of(best.rule))];
  const double* left = left_.data() + left_place(begin, block.left);
  const double* right =
      right_.data() + right_place(end, grammar_->right_slot(grammar_->rules()[best.rule].right));
  const double* split = split_.data() + block.group * split_stride_;
  value = kForbidden;
  for (std::size_t k = begin + 1; k < end; ++k) {
    const double v = left[k] + right[k] + split[k];
    if (v > value) value = v, best.split = static_cast<Index>(k);
  }
  return best;
}

void Chart::trace(const Scores& scores, std::size_t begin, std::size_t end, Index symbol, ChartTree& out) {
  open_.assign(1, {begin, end, symbol});
  while (!open_.empty()) {
    const Open node = open_.back();
    open_.pop_back();
    const ChartStep step = winner(scores, node.begin, node.end, node.symbol);
    out.push_back(step);
    if (node.end - node.begin == 1) continue;
    const ChartGrammar::Rule& rule = grammar_->rules()[step.rule];
    open_.push_back({step.split, node.end, rule.right});
    open_.push_back({node.begin, step.split, rule.left});
  }
}

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
  inside(scores, ring);
  struct Cover {
    std::size_t count = static_cast<std::size_t>(-1);
    double value = kForbidden;
    std::size_t from = 0;
    Index symbol = 0;
  };
  std::vector<Cover> best(words_ + 1);
  best[0] = {0, 0, 0, 0};
  for (std::size_t end = 1; end <= words_; ++end)
    for (std::size_t begin = 0; begin < end; ++begin) {
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
