// The engine for label sequences whose patterns reach further back than one label:
//
//     score(y) = Σ_t node[t][y_t] + Σ_{t>0} Σ of the weights of all patterns that end at t
//
// with patterns and contexts as in context_graph.h. Exact, in time T S K for S contexts and K labels (S K for
// the table of steps, when pattern weights are new); S ≪ K^order when few n-grams are listed. −∞ forbids a
// label at a position. Positions may be hidden; then τy ≠ τh is served for τy = 0 only, by a search that may
// end early (marginal_map.h). There and with a beam a maximum may be missed, and the answer says so.
//
//     hinge::ContextScores scores;  // four positions, two labels, one trigram
//     scores.shape(4, std::make_shared<hinge::ContextGraph>(2, std::vector<hinge::Path>{{1, 0, 1}}));
//     hinge::Vector weights(scores.graph()->patterns());  // the four pairs, then the trigram
//     weights.back() = 1.5;
//     scores.set_patterns(weights.data());
//     hinge::ContextCounts counts;
//     const double best = hinge::ContextChain().solve(scores, 0, 0, counts);  // 1.5
#pragma once

#include <functional>

#include "hinge/core/kernels.h"
#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"
#include "hinge/inference/context_graph.h"
#include "hinge/inference/marginal_map.h"

namespace hinge {

// Rows of K numbers, padded to kernels::kLane.
class ContextScores {
 public:
  // A hard solve keeps the contexts of this many best scores at each position; 0 means all, which is exact.
  // Sums keep all.
  std::size_t beam = 0;

  // Sets the shape; every node becomes 0 and an output, and every pattern 0 when the graph is another one.
  void shape(std::size_t length, const std::shared_ptr<const ContextGraph>& graph);
  void set_patterns(const double* weights);

  std::size_t length() const { return length_; }
  std::size_t labels() const { return graph_->labels(); }
  std::size_t stride() const { return stride_; }
  const std::shared_ptr<const ContextGraph>& graph() const { return graph_; }
  const Vector& patterns() const { return pattern_; }
  double* node(std::size_t t) { return node_.data() + t * stride_; }
  const double* node(std::size_t t) const { return node_.data() + t * stride_; }
  // What each label scores after a context: the sum of all patterns that end there.
  const double* step(std::size_t context) const { return step_.data() + context * stride_; }
  double of(const Path& path) const;

  // Nodes, then patterns where there are any; without padding.
  std::size_t parts() const { return length_ * labels() + (length_ > 1 ? pattern_.size() : 0); }
  void get(std::span<double> out) const;
  void set(std::span<const double> in);

  void hide(std::size_t t);
  bool hidden(std::size_t t) const { return hidden_count_ > 0 && hidden_[t] != 0; }
  std::size_t hidden() const { return hidden_count_; }  // how many positions are

 private:
  std::size_t length_ = 0, stride_ = 0;
  std::vector<char> hidden_;  // of each position; empty when all are outputs
  std::size_t hidden_count_ = 0;
  std::shared_ptr<const ContextGraph> graph_;
  Vector node_, pattern_, step_;
};

// How often each label is used at each position, and each pattern.
class ContextCounts : public PathCounts {
 public:
  void subtract(const Path& path);
  void scale(double factor);
  void get(std::span<double> out) const;  // of a soft answer, as ContextScores::get
  void set(const ContextScores& shape, std::span<const double> in);

  // f(pattern, amount), summed over positions when soft
  template <class F>
  void for_each_pattern(F&& f) const {
    if (!hard_) {
      for (std::size_t p = 0; p < pattern_.size(); ++p) f(static_cast<Index>(p), pattern_[p]);
    } else if (reference_.empty()) {
      along(path_, 0, 0, length(), factor_, f);
    } else {
      for_each_stretch([&](std::size_t start, std::size_t first, std::size_t last) {
        along(path_, start, first, last, factor_, f);
        along(reference_, start, first, last, -factor_, f);
      });
    }
  }

 private:
  friend class ContextChain;

  // f for the patterns that end in [first, last); labels before `start` are not looked at.
  template <class F>
  void along(const Path& path, std::size_t start, std::size_t first, std::size_t last, double amount,
             F&& f) const {
    if (start >= last) return;
    Index context = graph_->single(path[start]);
    for (std::size_t t = start + 1; t < last; ++t) {
      const Index label = static_cast<Index>(path[t]);
      if (t >= first) graph_->for_each_pattern(context, label, [&](Index p) { f(p, amount); });
      context = graph_->next(context, label);
    }
  }

  // f(start, first, last) for each stretch [first, last) where a pattern of path and reference may differ;
  // none looks back before `start`.
  template <class F>
  void for_each_stretch(F&& f) const {
    const std::size_t order = graph_->order();
    for (std::size_t t = 0; t < length();) {
      if (path_[t] == reference_[t]) {
        ++t;
        continue;
      }
      const std::size_t first = t;
      for (std::size_t different = t; t < length() && t <= different + order; ++t)
        if (path_[t] != reference_[t]) different = t;
      f(first > order ? first - order : 0, first, t);
    }
  }

  std::shared_ptr<const ContextGraph> graph_;
  Vector pattern_;  // of the soft answer
};

class ContextChain {
 public:
  using Scores = ContextScores;
  using Counts = ContextCounts;
  using Structure = Path;

  // The latent temperature is that of hidden positions.
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  enum Way : std::size_t { kAllContexts, kBeam, kSearch };
  static constexpr std::array<const char*, 3> ways = {"all contexts", "beam", "search"};
  static constexpr bool exact_sums = true;
  // Exact also with a beam, as long as nothing had to be cut.
  const Answer& answer() const { return answer_; }
  static bool may_approximate(const Scores& scores, double output_temperature, double latent_temperature) {
    if (mixed(scores, output_temperature, latent_temperature)) return true;
    if (scores.hidden() == scores.length()) output_temperature = latent_temperature;
    return output_temperature == 0 && scores.beam > 0 && scores.beam < scores.graph()->size();
  }

  // The k best paths, best first, with their scores; exact, whatever the beam.
  std::vector<std::pair<Path, double>> top(const Scores& scores, std::size_t k);

  // All K^T paths; for tests.
  static void for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f);
  // The path with −1 at hidden positions.
  static Path outputs(const Scores& scores, const Path& path);

 private:
  // Whether both temperatures count.
  static bool mixed(const Scores& scores, double output_temperature, double latent_temperature) {
    return output_temperature != latent_temperature && scores.hidden() > 0 &&
           scores.hidden() < scores.length();
  }
  double solve_alike(const Scores& scores, double temperature, Counts& counts);
  double maximise_outputs(const Scores& scores, double latent_temperature, Counts& counts);
  bool forward_max(const Scores& scores, std::size_t beam);
  bool prune(double* row, std::size_t count, std::size_t beam);
  double maximise(const Scores& scores, Path& path);
  void prepare_steps(const Scores& scores, double temperature);
  bool sum_by_products(const Scores& scores, double temperature, double& value, Counts& counts);
  double sum_by_logarithms(const Scores& scores, double temperature, Counts& counts);
  void collect_patterns(const Scores& scores, Counts& counts);

  Answer answer_;
  MarginalMap search_;
  Scores clamped_;  // the scores with outputs fixed at their winner
  Vector forward_, backward_, emission_, offers_, used_, ranked_;
  // exp(step / τ), kept while patterns and temperature stay the same.
  struct Steps {
    std::shared_ptr<const ContextGraph> graph;
    Vector patterns;
    double temperature = -1, shift = 0;
    bool moderate = false;  // no step forbidden, and order · (highest − lowest) ≤ 300 τ
    Vector low, high;       // by label
    Vector exponential;
  } steps_;
};

}  // namespace hinge
