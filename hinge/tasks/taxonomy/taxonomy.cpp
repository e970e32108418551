#include "hinge/tasks/taxonomy/taxonomy.h"

#include <cassert>

namespace hinge {

TaxonomyTask::TaxonomyTask(std::shared_ptr<const Hierarchy> hierarchy, NodeWeights weights, Index first,
                           TaxonLoss loss, std::vector<double> costs,
                           std::shared_ptr<const RowProducts> products)
    : hierarchy_(std::move(hierarchy)),
      weights_(std::move(weights)),
      first_(first),
      loss_(loss),
      costs_(std::move(costs)),
      products_(std::move(products)) {
  assert(loss != TaxonLoss::costs ||
         costs_.size() == hierarchy_->answers().size() * hierarchy_->answers().size());
  const bool few = weights_.dense() && hierarchy_->answers().size() <= kListed;
  if (products_ == nullptr && !few) return;
  std::vector<std::vector<Index>> paths;
  for (const Index c : hierarchy_->answers()) {
    std::vector<Index>& path = paths.emplace_back();
    hierarchy_->for_each_above(c, [&](Index z) {
      if (z >= first_) path.push_back(z - first_);
    });
    std::ranges::sort(path);
  }
  paths_ = std::make_shared<const StatePaths>(hierarchy_->size() - first_, paths);
}

bool TaxonomyTask::planes_of(const TaxonLabel& y, const Query& query, ProductPlanes& out) const {
  if (query.side != Side::excess || !query.hard() || !determined(y)) return false;
  const bool slack = query.rescaling == Rescaling::slack;
  const auto& answers = hierarchy_->answers();
  out.row = {};
  out.value = {};
  out.paths = paths_.get();
  out.reference = static_cast<Index>(place(node(y)));
  out.offset.resize(answers.size());
  out.factor.resize(answers.size());
  for (std::size_t s = 0; s < answers.size(); ++s) {
    const double loss = this->loss(y, answers[s]);
    out.offset[s] = (slack ? 1 : query.loss_weight) * loss;
    out.factor[s] = s == out.reference ? 0 : slack ? loss : 1;
  }
  return true;
}

std::size_t TaxonomyTask::place(Index answer) const {
  const auto& answers = hierarchy_->answers();
  return static_cast<std::size_t>(std::ranges::lower_bound(answers, answer) - answers.begin());
}

// Of a label that is no answer, the least of those below it.
double TaxonomyTask::cost(const TaxonLabel& y, Index c) const {
  const auto& answers = hierarchy_->answers();
  const std::size_t column = place(c);
  if (hierarchy_->answer(node(y))) return costs_[place(node(y)) * answers.size() + column];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < answers.size(); ++row)
    if (hierarchy_->above(node(y), answers[row]))
      least = std::min(least, costs_[row * answers.size() + column]);
  return least;
}

double TaxonomyTask::tree_loss(const TaxonLabel& y, Index c) const {
  if (admits(y, c)) return 0;
  return 0.5 * (static_cast<double>(hierarchy_->distance(node(y), c)) + y.unseen);
}

double TaxonomyTask::loss(const TaxonLabel& y, Index c) const {
  if (admits(y, c)) return 0;
  if (loss_ == TaxonLoss::tree) return tree_loss(y, c);
  return loss_ == TaxonLoss::errors || y.unseen > 0 ? 1 : cost(y, c);
}

void TaxonomyTask::add_loss(const TaxonLabel& y, double weight, TreeChoice::Scores& scores) const {
  if (hidden(y)) return;
  std::vector<char>& below = scratch<std::vector<char>, struct TaxonomyBelow>();
  std::vector<Index>& distance = scratch<std::vector<Index>, struct TaxonomyDistance>();
  const bool open = !determined(y) && y.unseen == 0;
  if (open) hierarchy_->below(node(y), below);
  if (loss_ == TaxonLoss::tree) hierarchy_->distances(node(y), distance);
  for (const Index c : hierarchy_->answers()) {
    if (open ? below[c] != 0 : determined(y) && c == node(y)) continue;
    const double amount = loss_ == TaxonLoss::tree ? 0.5 * (static_cast<double>(distance[c]) + y.unseen)
                          : loss_ == TaxonLoss::errors || y.unseen > 0 ? 1
                                                                       : cost(y, c);
    scores.extra[c] += weight * amount;
  }
}

void TaxonomyTask::forbid(const TaxonLabel& y, TreeChoice::Scores& scores) const {
  if (hidden(y) || y.unseen > 0) return;
  std::vector<char>& below = scratch<std::vector<char>, struct TaxonomyBelow2>();
  if (!determined(y)) hierarchy_->below(node(y), below);
  for (const Index c : hierarchy_->answers())
    if (determined(y) ? c != node(y) : below[c] == 0) scores.extra[c] = kForbidden;
}

void TaxonomyTask::hide(const TaxonLabel& y, TreeChoice::Scores& scores) const {
  if (determined(y) || y.unseen > 0) return;
  if (hidden(y))
    scores.one.assign(hierarchy_->size(), 1);
  else
    hierarchy_->below(node(y), scores.one);
}

double TaxonomyTask::work(const SparseRow& x) const {
  const double nodes = static_cast<double>(hierarchy_->size());
  const double each = weights_.dense() ? 0.25 * nodes : 4;
  return static_cast<double>(x.index.size()) * (each + 8) + 2 * nodes;
}

}  // namespace hinge
