// How good rankings are, as the evaluation tools of LETOR count: with rel_j and gain_j those of the document
// in place j, discounts D_1 = 1, D_j = 1 / log2 j, and n⁺ relevant documents,
//
//     precision@k = (1/k) Σ_{j ≤ k} rel_j                      ndcg@k = Σ_{j ≤ k} D_j gain_j / its best value
//     map = mean of (1/n⁺) Σ_j rel_j precision@j               mrr = mean of 1 / (the first place with rel_j = 1)
//
// A query without relevant documents counts 0 in all of them (in ndcg, one whose gains are all 0). Places
// after the last document hold nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hinge/tasks/rank/goal.h"

namespace hinge {

// Of one query.
struct QueryMetrics {
  // Grades in the order of the ranking.
  QueryMetrics(std::span<const double> ranked, double least_relevant, std::size_t places);

  std::vector<double> precision, ndcg;  // at 1, 2, …
  double average_precision = 0, reciprocal_rank = 0;
  std::size_t relevant = 0;
  bool gained = false;  // whether some gain is not 0
};

// The goal's loss of a query whose documents have these scores and grades. 0 where no ranking does better.
double ranking_loss(const RankGoal& goal, std::span<const double> scores, std::span<const double> grades);

// Both, of a query whose documents have these scores, those with a grade first; nothing where none has.
struct MeasuredQuery {
  QueryMetrics metrics;
  double loss = 0;
};
std::optional<MeasuredQuery> measure_query(const RankGoal& goal, std::span<const double> scores,
                                           std::span<const double> grades, std::size_t places);

class RankMetrics {
 public:
  static constexpr std::size_t kPlaces = 10;

  // `at`: a place beyond the first ten that is measured too.
  explicit RankMetrics(std::size_t at) : at_(at) {}

  std::size_t places() const { return std::max(at_, kPlaces); }
  void add(const std::optional<MeasuredQuery>& query);

  // "queries", "loss", "accuracy" (the share whose first document is relevant, precision@1), "map", "mrr",
  // "precision@1" … and "ndcg@1" …. Throws InputError when no query has grades.
  nlohmann::json json() const;

 private:
  std::size_t at_, queries_ = 0, ungraded_ = 0, without_relevant_ = 0;
  double loss_ = 0, map_ = 0, mrr_ = 0;
  std::vector<double> precision_, ndcg_;
};

// The same for people.
std::string rank_report(const nlohmann::json& metrics);

}  // namespace hinge
