// What the parts of a chart are worth (chart.h), and how often they are used.
//
//     score(tree) = Σ over its spans (i, j) of   unary(i, j)[u]  +  lexical(i)[terminal]       where it is a word
//                                                                +  rule[r] + split(i, k, j)   else
//     split(i, k, j) = at(g)[k] + before(g)[k − i] + behind(g)[j − k],   g the group of rule r
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/chart_grammar.h"

namespace hinge {

// A span of a tree: its unary step, and what stands below it.
struct ChartStep {
  Index begin, end;
  Index unary;  // a chain, or kBare
  Index rule;   // where it is one word: the terminal
  Index split;  // where the right child begins; 0 where it is one word
  friend auto operator<=>(const ChartStep&, const ChartStep&) = default;
};
// A node, then all of its left child, then all of its right child.
using ChartTree = std::vector<ChartStep>;

// Tables over the spans of n words; scores, or counts of the same shape. As one row of numbers (FlatEngine in engine.h) they
// stand one after the other.
class ChartTables {
 public:
  void shape(const ChartGrammar& grammar, std::size_t words) {
    grammar_ = &grammar;
    words_ = words;
    rule_.assign(grammar.rules().size(), 0.0);
    lexical_.assign(words * grammar.terminals(), 0.0);
    unary_.assign(spans() * grammar.steps(), 0.0);
    for (Vector* v : {&at_, &before_, &behind_}) v->assign(grammar.groups() * (words + 1), 0.0);
  }

  const ChartGrammar& grammar() const { return *grammar_; }
  std::size_t words() const { return words_; }
  std::size_t spans() const { return words_ * (words_ + 1) / 2; }
  // Spans by their ends, then by their beginnings.
  static std::size_t span(std::size_t begin, std::size_t end) { return end * (end - 1) / 2 + begin; }

  double* rule() { return rule_.data(); }
  const double* rule() const { return rule_.data(); }
  double* lexical(std::size_t word) { return lexical_.data() + word * grammar_->terminals(); }
  const double* lexical(std::size_t word) const { return lexical_.data() + word * grammar_->terminals(); }
  double* unary(std::size_t begin, std::size_t end) {
    return unary_.data() + span(begin, end) * grammar_->steps();
  }
  const double* unary(std::size_t begin, std::size_t end) const {
    return unary_.data() + span(begin, end) * grammar_->steps();
  }
  double* at(std::size_t group) { return at_.data() + group * (words_ + 1); }
  const double* at(std::size_t group) const { return at_.data() + group * (words_ + 1); }
  double* before(std::size_t group) { return before_.data() + group * (words_ + 1); }
  const double* before(std::size_t group) const { return before_.data() + group * (words_ + 1); }
  double* behind(std::size_t group) { return behind_.data() + group * (words_ + 1); }
  const double* behind(std::size_t group) const { return behind_.data() + group * (words_ + 1); }

  std::size_t parts() const {
    std::size_t count = 0;
    for (const Vector* table : tables()) count += table->size();
    return count;
  }
  void get(std::span<double> out) const {
    for (const Vector* table : tables()) {
      std::ranges::copy(*table, out.begin());
      out = out.subspan(table->size());
    }
  }

  // Adds `amount` for each part that the span of a tree uses.
  void add(const ChartStep& step, double amount) {
    unary(step.begin, step.end)[step.unary] += amount;
    if (step.end - step.begin == 1) {
      lexical(step.begin)[step.rule] += amount;
      return;
    }
    rule()[step.rule] += amount;
    const Index g = grammar_->rules()[step.rule].group;
    at(g)[step.split] += amount;
    before(g)[step.split - step.begin] += amount;
    behind(g)[step.end - step.split] += amount;
  }

 protected:
  template <class F>
  void for_each_table(F&& f) {
    for (Vector* v : {&rule_, &lexical_, &unary_, &at_, &before_, &behind_}) f(*v);
  }
  template <class F>
  void set_all(std::span<const double> in, F&& made_of) {
    for_each_table([&](Vector& table) {
      std::ranges::transform(in.first(table.size()), table.begin(), made_of);
      in = in.subspan(table.size());
    });
  }

 private:
  std::array<const Vector*, 6> tables() const {
    return {&rule_, &lexical_, &unary_, &at_, &before_, &behind_};
  }

  const ChartGrammar* grammar_ = nullptr;
  std::size_t words_ = 0;
  Vector rule_, lexical_, unary_, at_, before_, behind_;
};

// −∞ forbids a part.
class ChartScores : public ChartTables {
 public:
  double of(const ChartTree& tree) const;
  double of(const ChartStep& step) const;
  void clear() { shape(grammar(), words()); }
  // A score so low that no tree with it counts forbids its part, so that sums may stay products.
  void set(std::span<const double> in) {
    set_all(in, [](double v) { return v < kAsGoodAsForbidden ? kForbidden : v; });
  }

 private:
  static constexpr double kAsGoodAsForbidden = -1e29;
};

class ChartCounts : public ChartTables {
 public:
  bool hard() const { return hard_; }
  const ChartTree& structure() const { return tree_; }
  // The tree with the fewest chains and terminals expected to be wrong or missing.
  ChartTree most_probable() const;
  // The same where a task says what chains are worth: of the probabilities of a span's chains, chain c at c, it makes as many
  // worths. Requires temperatures above 0 for the counts; the structure of a hard answer is returned as it is.
  using ChainWorth = std::function<void(std::span<const double>, std::span<double>)>;
  ChartTree most_probable(const ChainWorth& worth) const;
  void subtract(const ChartTree& tree);
  void scale(double factor);
  void set(const ChartScores& scores, std::span<const double> in);

  // f(step, amount) of a hard answer: its steps less those that were subtracted, but for what both share.
  template <class F>
  void for_each_step(F&& f) const {
    const auto less = [](const ChartStep& a, const ChartStep& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    };
    auto own = tree_.begin();
    for (auto other = reference_.begin(); other != reference_.end(); ++other) {
      while (own != tree_.end() && less(*own, *other)) f(*own++, factor_);
      if (own != tree_.end() && *own == *other)
        ++own;
      else
        f(*other, -factor_);
    }
    while (own != tree_.end()) f(*own++, factor_);
  }

 private:
  friend class Chart;
  bool hard_ = true;
  double factor_ = 1;
  ChartTree tree_, reference_;
};

}  // namespace hinge
