// T_τy over outputs of T_τh over hidden nodes, exactly, by eliminating one node after the other (Dechter's
// buckets, with a temperature for each node). The way back gives the gradient: with d the derivative,
//
//     m(rest) = T_τv over v of F(v, rest)      d F(v, rest) = d m(rest) · softmax_τv of F(·, rest) at v,
//
// and the d F of the last node begins with 1, so that every d is a marginal of p^(τy,τh). One algorithm
// for sums, maxima, mixtures, trees and loops; O(cells of the plan's tables).
#pragma once

#include "hinge/core/random.h"
#include "hinge/inference/graph_plan.h"

namespace hinge {

class Elimination {
 public:
  // The value, with nodes' scores in `unary` (as the graph lays them out; those of observed neighbours
  // included), to which the messages are added. −∞ when everything is forbidden.
  double forward(const GraphPlan& plan, const GraphScores& scores, double output_temperature,
                 double latent_temperature, Vector& unary);
  // After a forward that is not −∞: the winner's states, for nodes that are not observed …
  void decode(const GraphPlan& plan, const GraphScores& scores, const Vector& unary,
              Assignment& winner) const;
  // … or, where a temperature is positive, the marginals of those nodes and of the edges between them.
  void backward(const GraphPlan& plan, const GraphScores& scores, const Vector& unary, GraphCounts& counts);
  // After a forward with both temperatures 1 that is not −∞: a draw from p(s) ∝ exp(score(s)), for nodes that
  // are not observed. Nodes are drawn in the reverse order, each given those drawn before it.
  void draw(const GraphPlan& plan, const GraphScores& scores, const Vector& unary, Random& random,
            Assignment& s) const;

 private:
  // F(v, rest) before v goes.
  void fill(const GraphPlan& plan, const GraphScores& scores, const GraphPlan::Step& step,
            const double* unary, double* table) const;

  Vector tables_, messages_;
};

}  // namespace hinge
