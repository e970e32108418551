// The engine for linear chains: T positions with K labels each, one table of pair scores for all neighbours.
//
//     score(y) = Σ_t node[t][y_t] + Σ_{t>0} edge[y_{t-1}][y_t]
//
// solve() is one recursion at any temperature: Viterbi when it is 0 (time T K², no back pointers: the way
// back looks the winners up again), forward-backward when it is positive. Positions may be hidden; where the
// temperatures of hidden positions and outputs differ, see mixed_chain.h. Several labels may be states of one
// output; then τy ≠ τh is served for τy = 0 only, by a search that may end early (marginal_map.h). −∞ forbids
// a label at a position or a pair.
//
//     hinge::ChainScores scores;
//     scores.shape(3, 2);                                              // three positions, labels 0 and 1
//     scores.node(0)[1] = 2;
//     scores.edge(1)[1] = 0.5;
//     hinge::ChainCounts counts;
//     const double best = hinge::Chain().solve(scores, 0, 0, counts);  // 3, by counts.structure() = {1, 1, 1}
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"
#include "hinge/inference/log_chain.h"
#include "hinge/inference/marginal_map.h"
#include "hinge/inference/mixed_chain.h"
#include "hinge/inference/path_counts.h"

namespace hinge {

// Rows of K numbers, padded to kernels::kLane.
class ChainScores {
 public:
  // Sets the shape; everything becomes 0, and every position an output.
  void shape(std::size_t length, std::size_t labels);
  void clear() { shape(length_, labels_); }

  std::size_t length() const { return length_; }
  std::size_t labels() const { return labels_; }
  std::size_t stride() const { return stride_; }
  double* node(std::size_t t) { return node_.data() + t * stride_; }
  const double* node(std::size_t t) const { return node_.data() + t * stride_; }
  double* edge(std::size_t from) { return edge_.data() + from * stride_; }
  const double* edge(std::size_t from) const { return edge_.data() + from * stride_; }
  double of(const Path& path) const;

  // Nodes, then pairs where there are any; without padding.
  std::size_t parts() const { return length_ * labels_ + (length_ > 1 ? labels_ * labels_ : 0); }
  void get(std::span<double> out) const;
  void set(std::span<const double> in);

  // With n > 1 states a label, state s shows label s / n: that label is an output, and which of its states it
  // is, is hidden.
  void share_labels(std::size_t n) { states_ = n; }
  std::size_t states() const { return states_; }
  // What a state at a position shows: a label, or −1 where it is hidden.
  int output(std::size_t t, std::size_t state) const {
    return hidden(t) ? -1 : static_cast<int>(state / states_);
  }

  void hide(std::size_t t);
  bool hidden(std::size_t t) const { return hidden_count_ > 0 && hidden_[t] != 0; }
  std::size_t hidden() const { return hidden_count_; }  // how many positions are

 private:
  std::size_t length_ = 0, labels_ = 0, stride_ = 0, states_ = 1;
  Vector node_, edge_;
  std::vector<char> hidden_;  // of each position; empty when all are outputs
  std::size_t hidden_count_ = 0;
};

// How often each label is used at each position, and each pair of neighbours.
class ChainCounts : public PathCounts {
 public:
  void subtract(const Path& path);
  void scale(double factor);
  void get(std::span<double> out) const;  // of a soft answer, as ChainScores::get
  void set(const ChainScores& shape, std::span<const double> in);

  // f(from, to, amount), summed over positions when soft
  template <class F>
  void for_each_edge(F&& f) const {
    if (!hard_) {
      if (length() < 2) return;
      for (std::size_t a = 0; a < labels_; ++a)
        for (std::size_t b = 0; b < labels_; ++b) f(static_cast<int>(a), static_cast<int>(b), edge(a)[b]);
      return;
    }
    for (std::size_t t = 1; t < length(); ++t) {
      if (reference_.empty()) {
        f(path_[t - 1], path_[t], factor_);
      } else if (path_[t - 1] != reference_[t - 1] || path_[t] != reference_[t]) {
        f(path_[t - 1], path_[t], factor_);
        f(reference_[t - 1], reference_[t], -factor_);
      }
    }
  }
  const double* edge(std::size_t from) const { return edge_.data() + from * stride_; }

 protected:
  friend class Chain;
  Vector edge_;  // of the soft answer
};

class Chain {
 public:
  using Scores = ChainScores;
  using Counts = ChainCounts;
  using Structure = Path;

  // The latent temperature is that of hidden positions.
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // The same at one temperature above 0, without counts.
  double value(const Scores& scores, double temperature);

  enum Way : std::size_t { kRecursion, kSearch };
  static constexpr std::array<const char*, 2> ways = {"recursion", "search"};
  static constexpr bool exact_alike = true;
  const Answer& answer() const { return answer_; }
  // Where several states show one label, at two temperatures.
  static bool may_approximate(const Scores& scores, double output_temperature, double latent_temperature) {
    return scores.states() > 1 && output_temperature != latent_temperature;
  }

  // max over paths of losses(y) (1 + scores(y) − reference). The losses stand on the nodes and are multiples
  // of the smallest positive one, as Hamming losses are, else it fails; time T² K² when they are counts.
  double solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts);

  // The k best paths, best first, with their scores; each costs about T K.
  std::vector<std::pair<Path, double>> top(const Scores& scores, std::size_t k);

  // All K^T paths; for tests.
  static void for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f);
  // What the path shows, −1 at hidden positions.
  static Path outputs(const Scores& scores, const Path& path);

 private:
  double forward_max(const Scores& scores);
  double maximise(const Scores& scores, Path& path);
  double count_losses(const Scores& losses);
  double solve_alike(const Scores& scores, double temperature, Counts& counts);
  RunEdges run_edges(const Scores& scores, double temperature);
  void search_outputs(const Scores& scores, double latent_temperature, Path& outputs);
  double maximise_outputs(const Scores& scores, double latent_temperature, Counts& counts);
  double sum_outputs(const Scores& scores, double output_temperature, double latent_temperature,
                     Counts& counts);
  bool forward_products(const Scores& scores, double temperature, double& value);
  bool sum_by_products(const Scores& scores, double temperature, double& value, Counts& counts);
  double sum_by_logarithms(const Scores& scores, double temperature, Counts& counts);
  void prepare_edges(const Scores& scores, double temperature);

  Vector forward_, backward_, emission_;
  // exp(edge / τ) and its transpose, kept while edges and temperature stay the same.
  struct Edges {
    Vector scores;
    double temperature = -1, shift = 0;
    bool moderate = false;  // no pair forbidden, and all within e^300 of each other
    Vector exponential, transposed;
  } edges_;
  LogChain logarithms_;
  MixedChain mixed_;
  MarginalMap search_;
  // Of slack rescaling: each label's loss in units, the first row of each position, and the rows.
  struct Slack {
    std::vector<std::size_t> level, first;
    Vector best, offer;
  } slack_;
  Answer answer_;
  Counts unasked_;  // of a value whose counts nobody wants
  Scores clamped_;  // the scores with outputs fixed at their winner
};

}  // namespace hinge
