// The engine for context-free grammars: all trees over n words, by the algorithm of Cocke, Kasami and Younger.
// With T_τ over the ways to make a node,
//
//     top(i, j, X)    = T_τ over steps u from Y to X of  unary(i, j)[u] + bottom(i, j, Y)
//     bottom(i, j, Y) = T_τ over rules Y → L R and splits k of  rule + split(i, k, j) + top(i, k, L) + top(k, j, R)
//     solve           = top(0, n, root)
//
// Tops are kept twice, by their ends for left children and by their beginnings for right children, so that the
// loop over k reads rows of numbers that stand side by side; it is gone through once for each pair (L, R),
// where both have any node, of symbols that the sentence can use (chart_selection.h, chart_active.h). Time O(n³ pairs + n² rules),
// memory O(n² symbols), nothing is allocated once buffers have grown. No back pointers: the way back looks the winners of
// 2n − 1 spans up again.
//
// Sums are products of exponentials, scaled by span; where these could leave the range of numbers, logarithms.
// The way back hands down to what a node is made of: of products, the derivative of the whole sum by each number (a node's
// probability is its number times that), so that nothing is divided and a row of right children is read once for the sum
// over k and for both derivatives; of logarithms, each node's probability. The judge of both is forest.h.
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "hinge/inference/answer.h"
#include "hinge/inference/chart_active.h"
#include "hinge/inference/chart_loops.h"
#include "hinge/inference/chart_scores.h"
#include "hinge/inference/chart_selection.h"

namespace hinge {

class Chart {
 public:
  using Scores = ChartScores;
  using Counts = ChartCounts;
  using Structure = ChartTree;

  // beam > 0: maxima leave out of each span what is worth less than its best by more than that, unless nothing is
  // left in the end. Then they are not exact; sums are.
  struct Settings {
    double beam = 0;
  } settings;

  enum Way : std::size_t { kMaxima, kProducts, kLogarithms, kBeam };
  static constexpr std::array<const char*, 4> ways = {"maxima", "products", "logarithms", "beam"};
  const Answer& answer() const { return answer_; }
  static constexpr bool exact_sums = true;
  bool may_approximate(const Scores&, double output_temperature, double /*latent*/) const {
    return settings.beam > 0 && output_temperature == 0;
  }

  // Nothing is hidden, so that the latent temperature has no say. The structure is empty where there is no tree.
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // The k best trees, best first, with their scores.
  std::vector<std::pair<ChartTree, double>> top(const Scores& scores, std::size_t k);

  // Where no tree spans all words: as few trees as cover them side by side, the best of those. What stands on
  // top of each is a terminal or a chain, never the root. Empty where some word has no terminal.
  std::vector<ChartTree> pieces(const Scores& scores);

  // What buffers and scores of a sentence take, in bytes.
  static double bytes(const ChartGrammar& grammar, std::size_t words);

  // Every tree that uses nothing forbidden, in no special order.
  static void for_each_structure(const Scores& scores, const std::function<void(const ChartTree&)>& f);

 private:
  using Live = chart_loops::Live;
  struct Graph;
  struct MaxRing;
  struct LogRing;
  struct ProductRing;

  void shape(const Scores& scores);
  std::size_t left_place(std::size_t begin, std::size_t slot) const {
    return (begin * lefts_ + slot) * stride_;
  }
  std::size_t right_place(std::size_t end, std::size_t slot) const {
    return (end * rights_ + slot) * stride_;
  }
  bool has_right(std::size_t end, std::size_t slot) const {
    return right_live_[end * rights_ + slot].last > 0;
  }
  double stored(std::size_t begin, std::size_t end, Index symbol) const;  // its top

  chart_loops::SpanLoop span_loop(std::size_t begin, std::size_t end);
  // Values of the span's bottoms, then of its tops, which are kept for longer spans.
  template <class Ring>
  void make_bottoms(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end);
  template <class Ring>
  void make_tops(const Scores& scores, Ring& ring, std::size_t begin, std::size_t end);
  template <class Ring>
  void keep_tops(Ring& ring, std::size_t begin, std::size_t end);
  template <class Ring>
  double inside(const Scores& scores, Ring& ring);
  void begin_end(std::size_t end);

  // How probable each part is, from the root down.
  void outside(const Scores& scores, ProductRing& ring, Counts& counts);
  void outside(const Scores& scores, LogRing& ring, Counts& counts);
  // For each span, longest first: f(begin, end).
  template <class F>
  void for_each_span_down(F&& f);
  bool lower_tops(const Scores& scores, ProductRing& ring, std::size_t begin, std::size_t end,
                  Counts& counts);
  void lower_rules(const Scores& scores, ProductRing& ring, std::size_t begin, std::size_t end,
                   Counts& counts);
  bool share_tops(const Scores& scores, LogRing& ring, std::size_t begin, std::size_t end, Counts& counts);
  void share_rules(LogRing& ring, std::size_t begin, std::size_t end, Counts& counts);
  void count_splits(std::size_t begin, std::size_t end, Counts& counts) const;

  double maximise(const Scores& scores);
  void trace(const Scores& scores, std::size_t begin, std::size_t end, Index symbol, ChartTree& out);
  ChartStep winner(const Scores& scores, std::size_t begin, std::size_t end, Index symbol);

  const ChartGrammar* grammar_ = nullptr;
  ChartSelection selection_;
  ChartActive active_;
  bool alone_ = false;  // a search for pieces: what stands beside a span says nothing
  std::vector<char> terminals_;
  std::size_t words_ = 0, stride_ = 0, lefts_ = 0, rights_ = 0;
  std::size_t split_stride_ = 0;     // between the rows of groups; 0 where all score splits alike
  Vector left_, right_;              // tops; rows of right children that never stand are not set
  Vector left_share_, right_share_;  // of products: derivatives by tops; of right ones, of the end at hand
  std::vector<Live> left_live_, right_live_;
  std::vector<char> left_ends_;         // of each left slot: whether it stands somewhere with the end at hand
  Vector bottom_, top_, pair_, split_;  // of the span at hand
  Vector bottom_share_, split_share_, top_slope_, pair_slope_;
  Vector products_, sums_;  // rows by k: left · split, Σ over right children of slope · right
  Vector rule_, bottoms_;   // of the selection's rules: what each is worth; of each span
  // Of products: exponentials; of each group's three rows, those behind a split backwards; the logarithm of each span's scale,
  // its best top before it was scaled; counts of the selection's rules.
  Vector unary_, lexical_, splits_room_, at_, before_, behind_, scale_, best_top_, rule_count_;
  double root_ = kForbidden;
  double beam_ = 0;  // of the search at hand
  bool pruned_ = false;
  struct Open {
    std::size_t begin, end;
    Index symbol;
  };
  std::vector<Open> open_;
  Answer answer_;
};

}  // namespace hinge
