// One answer of a hierarchy (hierarchy.h), scored by all that stands above it:
//
//     f_c = extra_c + Σ over z above c, and c itself, of node_z
//     solve:        T_τy over answers c of f_c; those of `one` are one answer, T_τh over them
//     solve_slack:  max over c of Δ_c (1 + f_c − reference)
//
// Counts say how much each node is used: by the winner, or on average. O(nodes), from the root down and, for
// soft counts, up again; no list of classes with weights of their own is ever made.
#pragma once

#include <algorithm>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"
#include "hinge/inference/hierarchy.h"

namespace hinge {

class TreeChoice : public AlwaysExact {
 public:
  using Structure = Index;  // the chosen node

  struct Scores {
    const Hierarchy* hierarchy = nullptr;
    std::vector<double> node;   // what each adds to all below it
    std::vector<double> extra;  // what each has as an answer alone; −∞ forbids it
    std::vector<char> one;      // nodes that are hidden within one output; empty: none

    void shape(const Hierarchy& of) {
      hierarchy = &of;
      node.assign(of.size(), 0.0);
      extra.assign(of.size(), 0.0);
      one.clear();
    }
    void clear() { shape(*hierarchy); }
    double of(Index c) const {
      double sum = extra[c];
      hierarchy->for_each_above(c, [&](Index z) { sum += node[z]; });
      return sum;
    }
  };

  class Counts {
   public:
    struct Use {
      Index node;
      double amount;
    };

    Index structure() const { return winner_; }
    Index most_probable() const { return winner_; }
    bool soft() const { return soft_; }
    std::span<const double> amounts() const { return amounts_; }  // of every node, when soft
    std::span<const Use> uses() const { return uses_; }           // ascending, when not soft
    void subtract(Index c);
    void scale(double factor);

   private:
    friend class TreeChoice;
    void win(const Hierarchy& hierarchy, Index c, bool possible);

    const Hierarchy* hierarchy_ = nullptr;
    bool soft_ = false;
    Index winner_ = 0;
    std::vector<Use> uses_;
    std::vector<double> amounts_;
  };

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);
  double solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts);

  // f_c of every answer, in their order.
  void score_answers(const Scores& scores, std::vector<double>& out);

  static double structures(const Scores& scores) {
    return static_cast<double>(scores.hierarchy->answers().size());
  }
  template <class F>
  static void for_each_structure(const Scores& scores, F&& f) {
    for (const Index c : scores.hierarchy->answers()) f(c);
  }
  static Index outputs(const Scores& scores, Index c) {
    return !scores.one.empty() && scores.one[c] ? Hierarchy::kNone : c;
  }

 private:
  // The outputs at τy, of which one is T_τh over `one`; values_ become probabilities.
  double solve_grouped(const Scores& scores, double output_temperature, double latent_temperature,
                       Counts& counts);
  // Soft counts of the answers' probabilities in values_.
  void spread(const Hierarchy& hierarchy, Counts& counts) const;

  std::vector<double> total_, values_, outer_, inner_;
};

}  // namespace hinge
