// Two classes, learned for a measure of the whole sample (Joachims 2005): an example is all rows of a sample,
// and a structure says who is positive (Contingency), which pairs are in the wrong order (CountedComparisons)
// or how the rows are ranked (Interleaving). With rows scored f_i = <w, x_i>,
//
//     <w, φ(x, s)> = Σ_i amount_i(s) f_i                        Δ(y, s) = n (1 − measure)
//
// so that the error rate is the usual SVM, Σ_i max(0, 1 − y_i f_i), or logistic regression with method crf. Of
// roc-area each pair is a term, Δ their number and c = n/(P N) the weight of the sample; of average precision a
// pair adds n/(P N) (f_i − f_j) to the score. Under a kernel without a map (row_map.h) f_i = Σ_j w_j k(z_j, x_i).
#pragma once

#include "hinge/core/product_planes.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/contingency.h"
#include "hinge/inference/counted_comparisons.h"
#include "hinge/inference/engine.h"
#include "hinge/inference/interleaving.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/binary/goal.h"
#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/rank/documents.h"

namespace hinge {

struct Sample {
  Documents rows;     // those with a label first; their level is 1 where they are positive
  double factor = 1;  // of scores
  // The same as they were read, where products are their features: `rows` has none then.
  std::vector<SparseRow> read = {};
};

struct SampleTruth {
  ItemUse own;
  double unit = 1;  // Δ for a cost of 1
};

// Never asked: BinaryTask::refusal says so first.
class RankedInterleaving : public Interleaving {
 public:
  double solve_slack(const ItemScores&, const ItemScores&, double, ItemCounts&) const { return kForbidden; }
};

template <class E>
class BinaryTask {
 public:
  using Input = Sample;
  using Label = SampleTruth;
  using Structure = ItemUse;
  using Engine = E;

  BinaryTask(Index features, const BinaryGoal& goal, std::shared_ptr<const RowProducts> products = nullptr)
      : features_(features),
        measure_(std::same_as<E, Contingency> ? goal.table() : TableMeasure{}),
        products_(std::move(products)) {}

  Index dimension() const { return features_; }
  const RowProducts* products() const { return products_.get(); }
  bool counts_errors() const {
    return std::same_as<E, Contingency> && measure_.kind == TableMeasure::Kind::error_rate;
  }
  // The same with the scores of so many rows for weights: each row has a feature of its own.
  BinaryTask of_scores(Index rows) const {
    BinaryTask other = *this;
    other.features_ = rows;
    other.products_ = nullptr;
    return other;
  }
  bool determined(const SampleTruth&) const { return true; }
  const ItemUse& structure(const SampleTruth& y) const { return y.own; }
  double loss(const SampleTruth& y, const ItemUse& s) const { return s == y.own ? 0 : y.unit * s.cost; }

  // f of the first |out| rows
  void score_rows(const Sample& x, Weights w, std::span<double> out) const {
    if (!products_) return x.rows.score(w, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = dot(products_with(x.read[i]), w);
  }
  void score(const Sample& x, Weights w, typename E::Scores& scores) const {
    scores.reset(x.rows.judged());
    score_rows(x, w, scores.value);
    if (x.factor != 1)
      for (double& f : scores.value) f *= x.factor;
    scores.level = x.rows.level;
    if constexpr (std::same_as<E, Contingency>) scores.measure = &measure_;
  }
  void add_loss(const SampleTruth& y, double weight, typename E::Scores& scores) const {
    scores.cost_weight = weight * y.unit;
  }
  void forbid(const SampleTruth& y, typename E::Scores& scores) const { scores.only = &y.own; }

  // Of the error rate, with margin rescaling, the excess is a sum over the rows that have a label,
  //
  //     Σ_i T_τ(0, ρ − y_i f_i):      states 1, positive, scored f_i, and 0, scored 0;
  //
  // and so it is of any measure of tables that has no say (ρ = 0: logistic regression), where any labelling may be.
  bool sums_rows(const Query& query) const {
    const bool alone =
        counts_errors() || (std::same_as<E, Contingency> && query.loss_weight == 0 && !measure_.fixed());
    return alone && query.rescaling == Rescaling::margin &&
           query.output_temperature == query.latent_temperature;
  }
  bool has_terms(const Query& query) const { return products_ == nullptr && sums_rows(query); }
  std::size_t terms(const Sample& x) const { return x.rows.judged(); }
  void term_planes(const Sample& x, const SampleTruth&, std::size_t i, const Query& query,
                   ProductPlanes& out) const {
    planes_of_row(x.rows.level[i], query, out);
    out.row = x.rows.row(i).column;
    out.value = x.rows.row(i).value;
  }
  // The same without the row.
  static void planes_of_row(Index level, const Query& query, ProductPlanes& out) {
    static const StatePaths scored(1, {{}, {0}});
    out.row = {};
    out.value = {};
    out.paths = &scored;
    out.reference = level;
    out.offset.assign(2, query.loss_weight);
    out.factor.assign(2, 1);
    out.offset[level] = out.factor[level] = 0;
  }

  template <class Sink>
  void features(const Sample& x, const ItemCounts& counts, Sink& sink) const {
    Vector& amounts = scratch<Vector, struct BinaryTaskAmounts>();
    amounts.assign(counts.amounts().begin(), counts.amounts().end());
    for (double& amount : amounts) amount *= x.factor;
    if (!products_) return x.rows.pour(amounts, sink);
    for (std::size_t i = 0; i < amounts.size(); ++i)
      if (amounts[i] != 0) sink.add_row(0, products_with(x.read[i]), amounts[i]);
  }

  std::string refusal(const Query& query) const {
    if (!std::same_as<E, RankedInterleaving>) return {};
    if (query.rescaling == Rescaling::slack)
      return "average precision is not known to have an exact search for slack rescaling: use margin "
             "rescaling, or "
             "`measure` roc-area.";
    if (!query.hard()) return "average precision has no sum over rankings: use ssvm, or `measure` roc-area.";
    return {};
  }

  double work(const Sample& x) const { return 2 * static_cast<double>(x.rows.entries() + 8 * x.rows.size()); }

 private:
  const Vector& products_with(const SparseRow& row) const {
    Vector& products = scratch<Vector, struct BinaryTaskProducts>();
    products.resize(features_);
    products_->products(row, products);
    return products;
  }

  Index features_;
  TableMeasure measure_;
  std::shared_ptr<const RowProducts> products_;
};

// The example of rows with these levels, the first of `rows`.
template <class E>
Example<BinaryTask<E>> make_sample(const std::vector<SparseRow>& rows, std::vector<Index> level,
                                   Index features, double weight) {
  const auto n = static_cast<double>(level.size());
  const auto positives = static_cast<double>(std::ranges::count(level, Index{1}));
  Sample x{Documents(rows, level.size(), features), std::same_as<E, RankedInterleaving> ? n / 2 : 1};
  SampleTruth y;
  if constexpr (std::same_as<E, CountedComparisons>) {
    y.own = Comparisons::truth(level);
    if (positives > 0 && positives < n) weight *= n / (positives * (n - positives));
  } else if constexpr (std::same_as<E, RankedInterleaving>) {
    y = {Interleaving::truth(level), n};
  } else {
    y = {{std::vector<double>(level.begin(), level.end()), 0}, n};
  }
  x.rows.level = std::move(level);
  return {std::move(x), std::move(y), weight};
}

static_assert(FactoredTask<BinaryTask<Contingency>> && FactoredTask<BinaryTask<CountedComparisons>> &&
              FactoredTask<BinaryTask<RankedInterleaving>> && SlackEngine<Contingency> &&
              SlackEngine<CountedComparisons>);

}  // namespace hinge
