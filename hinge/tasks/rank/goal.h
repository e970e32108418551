// What a ranking should be good at, and what it then costs. With the documents of a query in the order of
// their scores, grades g, gains 2^g − 1, discounts D_1 = 1, D_j = 1 / log2 j, and n⁺ documents that are
// relevant:
//
//     pairs      the share of pairs of different grade in the wrong order, half for equal scores
//     listwise   1 − p(the first),  p ∝ exp(g)
//     relevance  the share of documents whose score's sign tells their relevance wrongly
//     precision  min(1, n⁺/k) − (relevant ones among the first k)/k
//     ndcg       1 − Σ_{j ≤ k} D_j gain_j / its best value
//     map        1 − (1/n⁺) Σ over relevant ones of (relevant ones up to there)/(place)
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

enum class RankLoss { pairs, listwise, relevance, precision, ndcg, map };

// Throws InputError when there is none of that name.
RankLoss rank_loss(const std::string& name);
const std::vector<std::string>& rank_losses();

struct RankGoal {
  RankLoss loss = RankLoss::pairs;
  std::size_t at = 10;  // k
  double relevant = 1;  // the lowest grade that counts
};

inline constexpr double kMaxGrade = 100;
double gain(double grade);           // 2^grade − 1
double discount(std::size_t place);  // D, from place 1

// Documents by descending score, equal ones in their own order.
void rank_by_score(std::span<const double> scores, std::vector<Index>& order);

}  // namespace hinge
