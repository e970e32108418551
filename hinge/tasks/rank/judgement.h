// What the grades of a query's documents say to a structured loss. Whatever the goal, structures use
// documents by amounts (inference/item_scores.h), and
//
//     Δ(y, s) = best − Σ_i gain_i amount_i + cost(s),        0 for the label's own structure
//
// | goal      | structures              | amounts                           | hidden                        |
// |-----------|-------------------------|-----------------------------------|-------------------------------|
// | precision | the first k (TopK)      | 1/k for each                      | which relevant ones are first |
// | ndcg      | the first k, in order   | D_j / Σ D for place j             | the order within a grade      |
// | listwise  | who is first            | 1, or p: the label is a mixture   | -                             |
// | relevance | who is relevant (Subset)| 1 for each                        | -                             |
// | pairs     | each pair (Comparisons) | wins − losses among right pairs   | -                             |
// | map       | Interleaving            | 1/(n⁺ n⁻) Σ_ij y_ij (e_i − e_j)   | -                             |
#pragma once

#include "hinge/inference/item_scores.h"
#include "hinge/tasks/rank/goal.h"

namespace hinge {

struct Judgement {
  std::vector<double> grade;
  std::vector<double> gain;  // empty: zeros
  double best = 0;
  bool determined = true;
  ItemUse own;              // the label's structure, when determined
  std::vector<Index> tier;  // else: what must come before what
};

// How much each place counts; empty where there are no places.
std::vector<double> positions(const RankGoal& goal);
// What is compared with what: grades for pairs, relevance for map, nothing else.
std::vector<Index> levels(const RankGoal& goal, std::span<const double> grade);
Judgement judge(const RankGoal& goal, std::vector<double> grade);
// c_i: one over how many pairs or documents the loss is a sum over, so that every query counts alike.
double query_weight(const RankGoal& goal, const Judgement& y);
// Whether no structure costs anything: such a query teaches nothing.
bool indifferent(const RankGoal& goal, const Judgement& y);

}  // namespace hinge
