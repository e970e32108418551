// The best labelling that can be put together of two, node by node:
//
//     max over x with x_i ∈ {s_i, p_i} of score(x)
//
// by one minimum cut. An edge can be cut where agreeing, both ends from s or both from p, is worth as much as
// mixing:
//
//     edge(s, s) + edge(p, p) ≥ edge(s, p) + edge(p, s)
//
// Elsewhere mixing is taken to be worth less than it is: then x is not worse than s, and need not be the best.
// Fusing with α everywhere is an expansion move; fusing 0 … 0 with 1 … 1 maximises over all binary labellings.
#pragma once

#include "hinge/inference/max_flow.h"

namespace hinge {

class Fusion {
 public:
  // Takes scores to fuse by, `unary` holding those of nodes (observed neighbours included). Both must outlive
  // the moves.
  void begin(const GraphScores& scores, const Vector& unary);

  struct Move {
    double gain;  // in score; 0 where nothing changed
    bool exact;   // every edge could be cut
  };
  // s becomes x. Observed nodes stay.
  Move fuse(const Assignment& proposal, Assignment& s);

  // What an edge scores where its ends agree and where they differ, each NaN where that depends on the states. Of few
  // numbers an edge a move costs little; those of tables are far apart in memory.
  struct Plain {
    double same, mixed;
    bool whole() const { return same == same && mixed == mixed; }
  };
  const Plain& plain(std::size_t e) const { return plain_[e]; }

  // Two labellings whose fusion is exact and reaches every labelling: of nodes that have one state or two, where
  // every loop has an even number of edges that repel (one end of each may then be read the other way round).
  // False where there are no such two; `obstacle` is then a node of more states, or an edge that closes an odd
  // loop.
  struct Obstacle {
    bool is_node;
    std::size_t number;
  };
  bool halves(Assignment& first, Assignment& second, Obstacle& obstacle);

 private:
  // a for agreeing in s, d for agreeing in p; negative: the edge repels.
  static double attraction(double a, double b, double c, double d);
  double cell(double score) const { return score == kForbidden ? forbidden_ : score; }
  static Plain plain_of(const double* table, std::size_t rows, std::size_t columns);
  double edge(std::size_t e, int from, int to) const {
    if (const double known = from == to ? plain_[e].same : plain_[e].mixed; known == known)
      return cell(known);
    return cell(scores_->edge(
        e)[static_cast<std::size_t>(from) * scores_->graph().states(scores_->graph().edge(e).to) +
           static_cast<std::size_t>(to)]);
  }
  double node(std::size_t i, int state) const {
    return cell((*unary_)[scores_->graph().node_begin(i) + static_cast<std::size_t>(state)]);
  }
  bool open(std::size_t i) const { return scores_->observed(i) == GraphScores::kOpen; }
  // By how much `next` scores more than s.
  double gain(const Assignment& s, const Assignment& next) const;

  const GraphScores* scores_ = nullptr;
  const Vector* unary_ = nullptr;
  double forbidden_ = 0;  // so low that no sum of scores makes up for it
  MaxFlow flow_;
  std::vector<Plain> plain_;  // of each edge
  Vector price_;              // of taking p, for each node
  Assignment next_;
  std::vector<Index> queue_;
};

}  // namespace hinge
