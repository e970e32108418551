#include "hinge/tasks/rank/rank_task.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/learning/objective.h"
#include "hinge/oracle/check_task.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/solvers/solver.h"
#include "hinge/tasks/rank/metrics.h"
#include "tests/support/set_option.h"

namespace hinge {
namespace {

constexpr Index kFeatures = 3;

struct QueryRows {
  std::vector<SparseRow> rows;
  std::vector<double> grade;
};

std::vector<QueryRows> random_queries(std::size_t count, std::size_t most, Random& random,
                                      double filled = 0.8) {
  std::vector<QueryRows> queries(count);
  for (auto& [rows, grade] : queries) {
    const std::size_t documents = random.below(most + 1);
    for (std::size_t i = 0; i < documents; ++i) {
      SparseRow& row = rows.emplace_back();
      for (Index j = 0; j < kFeatures; ++j) {
        if (random.uniform() > filled) continue;
        row.index.push_back(j);
        row.value.push_back(static_cast<float>(random.normal()));
      }
      grade.push_back(static_cast<double>(random.below(3)));
    }
  }
  return queries;
}

template <class T>
std::vector<Example<T>> examples_of(const RankGoal& goal, const std::vector<QueryRows>& queries) {
  std::vector<Example<T>> examples;
  for (const auto& [rows, grade] : queries) {
    Documents x(rows, grade.size(), kFeatures);
    x.level = levels(goal, grade);
    Judgement y = judge(goal, grade);
    const double weight = query_weight(goal, y);
    examples.push_back({std::move(x), std::move(y), weight});
  }
  return examples;
}

const std::vector<RankLoss> kLosses = {RankLoss::pairs,     RankLoss::listwise, RankLoss::relevance,
                                       RankLoss::precision, RankLoss::ndcg,     RankLoss::map};

TEST(RankTask, IsSound) {
  for (const RankLoss loss : kLosses)
    for (const std::size_t at : {1u, 2u, 3u, 10u})
      for (const double filled : {0.9, 0.2}) {
        Random random(at);
        const RankGoal goal{loss, at, 1};
        with_rank_task(goal, kFeatures, [&]<class T>(const T& task) {
          const auto examples = examples_of<T>(goal, random_queries(20, 5, random, filled));
          const CheckReport report = check_task(task, examples);
          EXPECT_TRUE(report.passed())
              << report.text() << rank_losses()[static_cast<std::size_t>(loss)] << " at " << at;
          EXPECT_GT(report.comparisons, 1000u);
        });
      }
}

// The label's structure, or the best that it admits, costs nothing; the loss of the predicted structure is
// that of the ranking.
TEST(RankTask, CostsWhatTheRankingCosts) {
  for (const RankLoss loss : kLosses)
    for (const std::size_t at : {1u, 3u, 10u}) {
      Random random(7 * at);
      const RankGoal goal{loss, at, 1};
      with_rank_task(goal, kFeatures, [&]<class T>(const T& task) {
        const auto examples = examples_of<T>(goal, random_queries(30, 8, random, 1));
        const TaskOracle<T> oracle(task, examples);
        Vector w;
        for (Index j = 0; j < task.dimension(); ++j) w.push_back(random.normal());
        for (const auto& [x, y, weight] : examples) {
          ItemScores scores;
          task.score(x, w, scores);
          EXPECT_NEAR(weight * task.loss(y, oracle.predict(x, w)), ranking_loss(goal, scores.value, y.grade),
                      1e-12);
          ItemCounts counts;
          task.forbid(y, scores);
          typename T::Engine().solve(scores, 0, 0, counts);
          EXPECT_LE(task.loss(y, counts.structure()), 1e-15);
        }
      });
    }
}

TEST(RankTask, HidesWhatTheGradesLeaveOpen) {
  const auto determined = [](RankLoss loss, std::size_t at, std::vector<double> grade) {
    return judge({loss, at, 1}, std::move(grade)).determined;
  };
  EXPECT_FALSE(determined(RankLoss::precision, 1, {0, 1, 2}));
  EXPECT_TRUE(determined(RankLoss::precision, 2, {0, 1, 2}));
  EXPECT_TRUE(determined(RankLoss::precision, 3, {0, 1, 2}));  // all of them
  EXPECT_FALSE(determined(RankLoss::precision, 3, {0, 1, 0, 2}));
  EXPECT_TRUE(determined(RankLoss::ndcg, 2, {0, 2, 2, 1}));  // two places that count alike
  EXPECT_FALSE(determined(RankLoss::ndcg, 3, {2, 2, 2}));
  EXPECT_TRUE(determined(RankLoss::ndcg, 3, {0, 1, 2}));
  EXPECT_TRUE(determined(RankLoss::map, 3, {0, 0, 1}));
}

TEST(RankTask, KnowsQueriesThatTeachNothing) {
  const auto nothing = [](RankLoss loss, std::vector<double> grade) {
    const RankGoal goal{loss, 2, 1};
    return indifferent(goal, judge(goal, std::move(grade)));
  };
  for (const RankLoss loss : kLosses) {
    EXPECT_TRUE(nothing(loss, {}));
    EXPECT_FALSE(nothing(loss, {0, 1, 0}));
    const bool alone = loss == RankLoss::listwise || loss == RankLoss::relevance;
    EXPECT_EQ(nothing(loss, {0, 0, 0}), !alone);
    EXPECT_EQ(nothing(loss, {1, 1}), !alone);
  }
  EXPECT_TRUE(nothing(RankLoss::precision, {1, 2}));
  EXPECT_FALSE(nothing(RankLoss::ndcg, {1, 2}));
}

// Such a query adds nothing to the objective, whatever the weights.
TEST(RankTask, AQueryWithOneKindOfDocumentsAddsNothing) {
  Random random(5);
  for (const RankLoss loss : {RankLoss::pairs, RankLoss::precision, RankLoss::ndcg, RankLoss::map})
    for (const double grade : {0.0, 1.0}) {
      const RankGoal goal{loss, 2, 1};
      with_rank_task(goal, kFeatures, [&]<class T>(const T& task) {
        auto queries = random_queries(10, 6, random);
        for (QueryRows& query : queries) std::ranges::fill(query.grade, grade);
        const auto examples = examples_of<T>(goal, queries);
        const TaskOracle<T> oracle(task, examples);
        const Vector w = {1, -2, 3};
        Plane free, clamped;
        for (std::size_t i = 0; i < examples.size(); ++i) {
          oracle.support(i, w, {Side::free}, free);
          oracle.support(i, w, {Side::clamped}, clamped);
          EXPECT_NEAR(free.at(w), clamped.at(w), 1e-12);
        }
      });
    }
}

// Cross entropy of the two distributions over who is first, and its gradient (Cao et al. 2007).
TEST(RankTask, ListwiseByLikelihoodIsListNet) {
  Random random(9);
  const RankGoal goal{RankLoss::listwise, 1, 1};
  const RankTask<FirstPlace> task(kFeatures, positions(goal));
  const auto queries = random_queries(10, 12, random, 1);
  const auto examples = examples_of<RankTask<FirstPlace>>(goal, queries);
  const TaskOracle<RankTask<FirstPlace>> oracle(task, examples);
  const Vector w = {0.5, -1, 2};
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto& [rows, grade] = queries[i];
    if (grade.empty()) continue;
    Vector p(grade.size()), q(grade.size());
    double norm_p = 0, norm_q = 0;
    for (std::size_t k = 0; k < grade.size(); ++k) {
      double f = 0;
      for (Index j = 0; j < kFeatures; ++j) f += w[j] * rows[k].value[j];
      norm_p += p[k] = std::exp(grade[k]);
      norm_q += q[k] = std::exp(f);
    }
    double cross_entropy = 0;
    Vector gradient(kFeatures);
    for (std::size_t k = 0; k < grade.size(); ++k) {
      cross_entropy -= p[k] / norm_p * std::log(q[k] / norm_q);
      for (Index j = 0; j < kFeatures; ++j) gradient[j] += (q[k] / norm_q - p[k] / norm_p) * rows[k].value[j];
    }
    Vector slope(kFeatures);
    EXPECT_NEAR(oracle.add_support(i, w, {Side::excess, 0, 1, 1}, 1, slope), cross_entropy,
                1e-12 * (1 + cross_entropy));
    for (Index j = 0; j < kFeatures; ++j) EXPECT_NEAR(slope[j], gradient[j], 1e-12);
  }
}

// Every pair an example of its own: the ranking SVM as its definition has it.
class Pairs final : public Oracle {
 public:
  explicit Pairs(const std::vector<QueryRows>& queries) : queries_(queries.size()) {
    for (const auto& [rows, grade] : queries) {
      const std::size_t first = pairs_.size();
      for (std::size_t i = 0; i < grade.size(); ++i)
        for (std::size_t j = 0; j < grade.size(); ++j) {
          if (grade[i] <= grade[j]) continue;
          Plane plane{1, {}};
          for (Index d = 0; d < kFeatures; ++d)
            plane.slope.add(d, double{rows[j].value[d]} - double{rows[i].value[d]});
          pairs_.push_back(std::move(plane));
        }
      for (std::size_t k = first; k < pairs_.size(); ++k)
        share_.push_back(1 / static_cast<double>(pairs_.size() - first));
    }
  }
  Index dimension() const override { return kFeatures; }
  std::size_t size() const override { return pairs_.size(); }
  double weight(std::size_t i) const override {
    return share_[i] * static_cast<double>(size()) / static_cast<double>(queries_);
  }
  bool determined(std::size_t) const override { return true; }
  void support(std::size_t i, Weights w, const Query&, Plane& out) const override {
    out = pairs_[i].at(w) > 0 ? pairs_[i] : Plane{};
  }

 private:
  std::size_t queries_;
  std::vector<Plane> pairs_;
  Vector share_;
};

TEST(RankTask, PairsAreTheRankingSvm) {
  Random random(11);
  const RankGoal goal{RankLoss::pairs, 1, 1};
  const RankTask<Comparisons> task(kFeatures, {});
  const auto queries = random_queries(15, 20, random, 1);
  const auto examples = examples_of<RankTask<Comparisons>>(goal, queries);
  const TaskOracle<RankTask<Comparisons>> oracle(task, examples);
  const Pairs one_by_one(queries);
  const auto executor = make_executor(1);
  for (const double C : {0.1, 10.0}) {
    Objective ours(oracle, Formulation::named("ssvm"), C, *executor);
    Objective theirs(one_by_one, Formulation::named("ssvm"), C, *executor);
    const Vector w = {1, -0.5, 0.25};
    EXPECT_NEAR(ours.value(w), theirs.value(w), 1e-12 * theirs.value(w));
    const auto one = make_solver("frank_wolfe"), other = make_solver("n_slack");
    set_option(*one, "gap", 1e-6);
    set_option(*other, "gap", 1e-6);
    const Summary a = one->minimize(ours, {}, {}), b = other->minimize(theirs, {}, {});
    EXPECT_LE(std::abs(a.primal - b.primal), (a.primal - a.dual) + (b.primal - b.dual) + 1e-12 * b.primal);
  }
}

TEST(RankTask, RefusesSumsThatNobodyCanMake) {
  const RankTask<TopK> ndcg(kFeatures, positions({RankLoss::ndcg, 5, 1}));
  const RankTask<TopK> precision(kFeatures, positions({RankLoss::precision, 5, 1}));
  const RankTask<Interleaving> map(kFeatures, {});
  const Query soft{Side::free, 0, 1, 1};
  EXPECT_NE(ndcg.refusal(soft).find("permanent"), std::string::npos);
  EXPECT_NE(map.refusal(soft).find("average precision has no sum"), std::string::npos);
  EXPECT_EQ(precision.refusal(soft), "");
  EXPECT_EQ(ndcg.refusal({Side::clamped, 1, 0, 0}), "");
  const std::vector<Example<RankTask<TopK>>> none;
  EXPECT_NE((TaskOracle<RankTask<TopK>>(precision, none).refusal({Side::free, 1, 0, 1})), "");
}

TEST(Documents, TablesAndSparseRowsAreAlike) {
  Random random(13);
  std::vector<SparseRow> rows;
  for (int i = 0; i < 7; ++i) rows.push_back({{1, 4}, {static_cast<float>(random.normal()), 2}});
  const Documents table(rows, 5, 5), sparse(rows, 5, 1000);
  EXPECT_EQ(table.entries(), 35u);
  EXPECT_EQ(sparse.entries(), 14u);
  Vector w(1000);
  for (double& v : w) v = random.normal();
  Vector a(7), b(7);
  table.score(w, a);
  sparse.score(w, b);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(a[i], b[i], 1e-14);
  const Vector amount = {1, 0, -2, 0.5, 0};
  SparseVector left, right;
  SparseSink left_sink{left}, right_sink{right};
  table.pour(amount, left_sink);
  sparse.pour(amount, right_sink);
  left.compress();
  right.compress();
  EXPECT_NEAR(left.dot(w), right.dot(w), 1e-13);
  EXPECT_EQ(left.size(), 2u);
}

}  // namespace
}  // namespace hinge
