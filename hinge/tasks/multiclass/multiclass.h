// Multiclass classification of sparse rows: every class c has its own weights,
//
//     <w, φ(x, c)> = Σ_j x_j w[j K + c],        Δ(y, c) = [y ≠ c], or cost(y, c) of a matrix.
//
// The K weights of a feature stand side by side, so that a row is scored for all classes in one sweep. Under a kernel
// without a map (row_map.h) x is a row as it was read, and its features are its products with the training rows.
#pragma once

#include <cassert>
#include <vector>

#include "hinge/core/kernels.h"
#include "hinge/core/product_planes.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/choice.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/mapped_rows.h"

namespace hinge {

class MulticlassTask {
 public:
  using Input = SparseRow;
  // A class 0 … K−1; −1: hidden; kSets − s: one of the classes of set s; K and above: a class that training never
  // saw, which no prediction meets (loss 1).
  using Label = int;
  using Structure = Index;
  using Engine = Choice;

  static constexpr Label kHidden = -1, kSets = -2;
  using Sets = std::vector<std::vector<Index>>;  // of classes, none empty

  // costs: empty for 0/1, or K × K in rows of the true class, zero on the diagonal.
  MulticlassTask(Index features, Index classes, std::vector<double> costs = {}, Sets sets = {},
                 std::shared_ptr<const RowProducts> products = nullptr)
      : features_(features),
        classes_(classes),
        costs_(std::move(costs)),
        sets_(std::move(sets)),
        products_(std::move(products)) {
    assert(costs_.empty() || costs_.size() == std::size_t{classes} * classes);
  }

  Index classes() const { return classes_; }
  Index dimension() const { return features_ * classes_; }
  const std::vector<double>& costs() const { return costs_; }
  const RowProducts* products() const { return products_.get(); }

  bool seen(Label y) const { return y >= 0 && static_cast<Index>(y) < classes_; }
  bool determined(Label y) const { return seen(y); }
  Index structure(Label y) const { return static_cast<Index>(y); }
  bool one_of(Label y) const { return y <= kSets; }
  const std::vector<Index>& set(Label y) const { return sets_[static_cast<std::size_t>(kSets - y)]; }
  // Of a set: the least that one of its classes would have.
  double loss(Label y, Index c) const {
    if (one_of(y)) {
      double least = loss(static_cast<Label>(set(y)[0]), c);
      for (const Index truth : set(y)) least = std::min(least, loss(static_cast<Label>(truth), c));
      return least;
    }
    if (!seen(y)) return y < 0 ? 0 : 1;
    if (costs_.empty()) return static_cast<Index>(y) == c ? 0 : 1;
    return costs_[static_cast<std::size_t>(y) * classes_ + c];
  }

  void score(const SparseRow& x, Weights w, Choice::Scores& scores) const {
    scores.value.assign(classes_, 0.0);
    const SparseRow& row = features_of(x);
    kernels::add_rows(scores.value.data(), classes_, row.index.data(), row.value.data(), row.index.size(),
                      w.data());
  }

  // Four classes are scored at once; then come the entries of the plane.
  double work(const SparseRow& x) const {
    return static_cast<double>(x.index.size()) * (0.25 * classes_ + 4);
  }

  // Every class has one plane: offset ρ Δ and factor 1, or both Δ with slack rescaling.
  bool planes_of(Label y, const Query& query, ProductPlanes& out) const {
    if (query.side != Side::excess || !query.hard() || !seen(y)) return false;
    const bool slack = query.rescaling == Rescaling::slack;
    out.reference = structure(y);
    out.paths = nullptr;
    out.offset.resize(classes_);
    out.factor.resize(classes_);
    for (Index c = 0; c < classes_; ++c) {
      out.offset[c] = (slack ? 1 : query.loss_weight) * loss(y, c);
      out.factor[c] = c == out.reference ? 0 : slack ? loss(y, c) : 1;
    }
    return true;
  }
  bool all_planes(const SparseRow& x, Label y, const Query& query, ProductPlanes& out) const {
    out.row = x.index;
    out.value = x.value;
    return products_ == nullptr && planes_of(y, query, out);
  }

  void add_loss(Label y, double weight, Choice::Scores& scores) const {
    if (one_of(y)) {
      for (Index c = 0; c < classes_; ++c) scores.value[c] += weight * loss(y, c);
    } else if (!costs_.empty() && seen(y)) {
      const double* const cost = costs_.data() + static_cast<std::size_t>(y) * classes_;
      for (Index c = 0; c < classes_; ++c) scores.value[c] += weight * cost[c];
    } else if (y >= 0) {
      const double own = seen(y) ? scores.value[structure(y)] : 0;
      for (double& value : scores.value) value += weight;
      if (seen(y)) scores.value[structure(y)] = own;
    }
  }

  void forbid(Label y, Choice::Scores& scores) const {
    if (one_of(y))
      for (Index c = 0; c < classes_; ++c)
        if (std::ranges::find(set(y), c) == set(y).end()) scores.value[c] = kForbidden;
    if (!seen(y)) return;
    const double own = scores.value[structure(y)];
    std::ranges::fill(scores.value, kForbidden);
    scores.value[structure(y)] = own;
  }

  template <class Sink>
  void features(const SparseRow& input, const Choice::Counts& counts, Sink& sink) const {
    const SparseRow& x = features_of(input);
    if (counts.soft()) return sink.add_rows(x.index, x.value.data(), counts.amounts());
    for (std::size_t k = 0; k < x.index.size(); ++k)
      for (const auto& [c, amount] : counts.uses()) sink.add(x.index[k] * classes_ + c, amount * x.value[k]);
  }

 private:
  // What weights are for.
  const SparseRow& features_of(const SparseRow& x) const {
    return products_ ? scratch<SparseRow, struct MulticlassProducts>() = row_of_products(*products_, x) : x;
  }

  Index features_;
  Index classes_;
  std::vector<double> costs_;
  Sets sets_;
  std::shared_ptr<const RowProducts> products_;
};

static_assert(FactoredTask<MulticlassTask> && SlackEngine<Choice>);

}  // namespace hinge
