// Classification in a hierarchy of classes (Cai & Hofmann 2004): every node has weights, and a class is scored
// by its own and those of all that stand above it,
//
//     <w, φ(x, c)> = Σ over z above c, and c itself, of Σ_j x_j w[index(j, z)]
//     Δ(y, c) = half the number of edges between y and c,  [y ≠ c],  or cost(y, c) of a matrix.
//
// Under a kernel without a map (row_map.h) x is a row as it was read, and its features are its products with the training
// rows: the joint kernel of (x, c) and (x', c') is k(x, x') times the number of nodes that c and c' are both below.
//
// Answers are some of the nodes. A label that is none of them leaves open which answer below it is meant: these
// cost nothing, and every other one what it costs from the label.
#pragma once

#include <memory>

#include "hinge/core/product_planes.h"
#include "hinge/core/state_paths.h"
#include "hinge/core/workspace.h"
#include "hinge/inference/engine.h"
#include "hinge/inference/tree_choice.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/taxonomy/node_weights.h"

namespace hinge {

// What the data says of a class: a node, or nothing; or a class that is not here, so many edges below the node.
struct TaxonLabel {
  static constexpr int kHidden = -1;
  int node = kHidden;
  int unseen = 0;
};

enum class TaxonLoss { tree, errors, costs };

class TaxonomyTask {
 public:
  using Input = SparseRow;
  using Label = TaxonLabel;
  using Structure = Index;
  using Engine = TreeChoice;

  // `first`: nodes 0 … first − 1 have no weights. costs: of answers × answers in their order, for TaxonLoss::costs.
  TaxonomyTask(std::shared_ptr<const Hierarchy> hierarchy, NodeWeights weights, Index first,
               TaxonLoss loss = TaxonLoss::tree, std::vector<double> costs = {},
               std::shared_ptr<const RowProducts> products = nullptr);

  const Hierarchy& hierarchy() const { return *hierarchy_; }
  const NodeWeights& weights() const { return weights_; }
  const std::vector<double>& costs() const { return costs_; }
  Index dimension() const { return static_cast<Index>(weights_.size()); }
  const RowProducts* products() const { return products_.get(); }

  bool hidden(const TaxonLabel& y) const { return y.node < 0; }
  bool determined(const TaxonLabel& y) const {
    return !hidden(y) && y.unseen == 0 && hierarchy_->answer(node(y));
  }
  Index structure(const TaxonLabel& y) const { return node(y); }
  // Whether the answer is the label's class, or below it.
  bool admits(const TaxonLabel& y, Index c) const {
    if (hidden(y)) return true;
    if (y.unseen > 0) return false;
    return hierarchy_->answer(node(y)) ? c == node(y) : hierarchy_->above(node(y), c);
  }
  double loss(const TaxonLabel& y, Index c) const;
  // Half the number of edges, whatever the loss.
  double tree_loss(const TaxonLabel& y, Index c) const;

  void score(const SparseRow& x, Weights w, TreeChoice::Scores& scores) const {
    scores.shape(*hierarchy_);
    weights_.score(features_of(x), w, scores.node.data() + first_);
  }
  void add_loss(const TaxonLabel& y, double weight, TreeChoice::Scores& scores) const;
  void forbid(const TaxonLabel& y, TreeChoice::Scores& scores) const;
  void hide(const TaxonLabel& y, TreeChoice::Scores& scores) const;

  // Every answer has one plane, a state whose components are the nodes above it: offset ρ Δ and factor 1, or both Δ with
  // slack rescaling. Only where paths_ are.
  bool planes_of(const TaxonLabel& y, const Query& query, ProductPlanes& out) const;
  static constexpr std::size_t kListed = 300;  // answers: more are searched for by the tree, not by a list
  bool all_planes(const SparseRow& x, const TaxonLabel& y, const Query& query, ProductPlanes& out) const {
    if (products_ || !paths_ || !planes_of(y, query, out)) return false;
    out.row = x.index;
    out.value = x.value;
    return true;
  }

  template <class Sink>
  void features(const SparseRow& input, const TreeChoice::Counts& counts, Sink& sink) const {
    const SparseRow& x = features_of(input);
    if (counts.soft())
      weights_.features(x, counts.amounts().subspan(first_), sink);
    else
      weights_.features_of(x, counts.uses(), first_, sink);
  }

  double work(const SparseRow& x) const;

 private:
  static Index node(const TaxonLabel& y) { return static_cast<Index>(y.node); }
  std::size_t place(Index answer) const;  // among the answers
  double cost(const TaxonLabel& y, Index c) const;
  // What weights are for.
  const SparseRow& features_of(const SparseRow& x) const {
    return products_ ? scratch<SparseRow, struct TaxonomyProducts>() = row_of_products(*products_, x) : x;
  }

  std::shared_ptr<const Hierarchy> hierarchy_;
  NodeWeights weights_;
  Index first_;
  TaxonLoss loss_;
  std::vector<double> costs_;
  std::shared_ptr<const RowProducts> products_;
  std::shared_ptr<const StatePaths> paths_;  // of the answers, where there are products, or few answers
};

static_assert(HidingTask<TaxonomyTask> && SlackEngine<TreeChoice>);

}  // namespace hinge
