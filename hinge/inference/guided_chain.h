// The engine for chains whose labels somebody knows something about: a chain (chain.h) and a gain for each
// feature of its Constraints,
//
//     score(y) = Σ_t node[t][y_t] + Σ_{t>0} edge[y_{t-1}][y_t] + Σ_k gain_k φ_k(y).
//
// Features of positions add to node scores and those of pairs to the edge scores of their place, so that one
// recursion answers at any temperature in time T K². Features of the whole are automata: the recursion then
// runs over pairs of a label and the states of all automata, exactly where these are at most
// `settings.states`, else over the best `settings.beam` of them at each position, ranked by what they would
// score if the sequence ended there. A feature that is required excludes the labellings that lack it.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "hinge/inference/chain.h"
#include "hinge/inference/guidance.h"
#include "hinge/inference/product_automaton.h"

namespace hinge {

class GuidedScores : public Guidance {
 public:
  ChainScores base;

  double of(const Path& path) const;
};

// φ(y), as long as features.size().
void evaluate(const ConstraintTables& shared, const Constraints& features, const Path& path,
              std::span<double> phi);

// Counts of the chain, and φ of the winner or on average.
class GuidedCounts : public ChainCounts {
 public:
  std::span<const double> phi() const { return phi_; }
  void subtract(const Path& path);
  void scale(double factor);

 private:
  friend class GuidedChain;
  const GuidedScores* scores_ = nullptr;  // of the last solve, which must outlive `subtract`
  Vector phi_, other_;
};

struct GuidedSettings {
  std::size_t states = 1000;  // pairs of a label and states of the automata, up to which sums are exact
  std::size_t beam = 20;      // pairs kept at each position where there are more
};

class GuidedChain {
 public:
  using Scores = GuidedScores;
  using Counts = GuidedCounts;
  using Structure = Path;

  GuidedSettings settings;

  // Nothing is hidden: the latent temperature is not looked at.
  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // The k best labellings, best first, with their scores: all automata's states or the best few, as above.
  std::vector<std::pair<Path, double>> top(const Scores& scores, std::size_t k);

  static constexpr std::array<const char*, 3> ways = {"recursion", "product with automata", "beam"};
  const Answer& answer() const { return answer_; }
  bool may_approximate(const Scores& scores, double output_temperature, double latent_temperature);

  // All K^T paths; for tests.
  static void for_each_structure(const Scores& scores, const std::function<void(const Path&)>& f);

 private:
  struct Node {
    Index label, state;  // state: of the product automaton
    double best;         // score of the best path to here
    std::uint32_t back;  // the node that it came from, in the level before
    double ending;       // Σ gains of the automata that accept there
  };
  struct Arc {
    std::uint32_t from, to;  // nodes, counted over all levels
    double score;            // of the edge and of the node it leads to
  };

  void prepare(const Scores& scores);
  // Edge scores between t and t + 1.
  const double* edges(std::size_t t) const {
    return own_edges_[t] == kShared ? scores_->base.edge(0) : own_.data() + own_edges_[t];
  }
  void start_counts(bool hard, Counts& counts);
  bool searches_automata(bool hard) const;

  double maximise(Path& path);
  double sum(double temperature, Counts& counts);
  bool sum_by_products(double temperature, double& value, Counts& counts);
  double sum_by_logarithms(double temperature, Counts& counts);
  // Adds the probabilities of pairs at t to the counts, and to φ of that place.
  void count_pairs(std::size_t t, const double* pairs, Counts& counts);
  void count_positions(Counts& counts);

  double search(double temperature, Counts& counts);
  // Levels of nodes, and the arcs between them where they are kept.
  void make_lattice(bool keep_arcs);
  void expand(std::size_t t, bool keep_arcs);
  void prune(std::size_t level);
  std::uint32_t node_at(Index label, Index state, double ending);
  // Whether every automaton that is required accepts there, or may still.
  bool keeps_required(Index state) const;
  bool may_keep_required(Index state) const;
  double ending(const Node& node) const { return keeps_required(node.state) ? node.ending : kForbidden; }
  double sum_lattice(double temperature, Counts& counts);

  static constexpr std::size_t kShared = static_cast<std::size_t>(-1);
  const Scores* scores_ = nullptr;
  Answer answer_;
  Vector node_;                         // T rows
  std::vector<std::size_t> own_edges_;  // of each place but the last: where its edges begin in own_
  Vector own_;
  std::vector<std::size_t> pair_first_;  // pairs of each place, in pair_order_
  std::vector<std::uint32_t> pair_order_;
  Vector forward_, backward_, emission_, exponential_, shift_, pair_, terms_;
  LogChain logarithms_;
  // Of searches over automata.
  ProductAutomaton product_;
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  std::vector<std::size_t> level_, arc_level_;  // where each begins
  std::vector<std::uint32_t> place_;            // of (state, label) in the level that is being made
  std::vector<std::uint32_t> order_, moved_;
  std::vector<std::size_t> required_parts_;
  Vector rank_;
};

}  // namespace hinge
