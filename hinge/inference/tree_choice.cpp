#include "hinge/inference/tree_choice.h"

#include "hinge/core/workspace.h"

namespace hinge {

void TreeChoice::Counts::win(const Hierarchy& hierarchy, Index c, bool possible) {
  hierarchy_ = &hierarchy;
  soft_ = false;
  winner_ = c;
  uses_.clear();
  if (!possible) return;
  hierarchy.for_each_above(c, [&](Index z) { uses_.push_back({z, 1}); });
  std::ranges::sort(uses_, {}, &Use::node);
}

void TreeChoice::Counts::subtract(Index c) {
  if (soft_) {
    hierarchy_->for_each_above(c, [&](Index z) { amounts_[z] -= 1; });
    return;
  }
  hierarchy_->for_each_above(c, [&](Index z) { uses_.push_back({z, -1}); });
  std::ranges::sort(uses_, {}, &Use::node);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < uses_.size(); ++k) {
    if (kept > 0 && uses_[kept - 1].node == uses_[k].node)
      uses_[kept - 1].amount += uses_[k].amount;
    else
      uses_[kept++] = uses_[k];
    if (uses_[kept - 1].amount == 0) --kept;
  }
  uses_.resize(kept);
}

void TreeChoice::Counts::scale(double factor) {
  for (double& amount : amounts_) amount *= factor;
  for (Use& use : uses_) use.amount *= factor;
}

void TreeChoice::score_answers(const Scores& scores, std::vector<double>& out) {
  const Hierarchy& hierarchy = *scores.hierarchy;
  total_.resize(hierarchy.size());
  for (Index z = 0; z < hierarchy.size(); ++z) {
    total_[z] = scores.node[z];
    if (const Index parent = hierarchy.main_parent(z); parent != Hierarchy::kNone)
      total_[z] += total_[parent];
    for (const Index other : hierarchy.more(z)) total_[z] += scores.node[other];
  }
  out.clear();
  for (const Index c : hierarchy.answers()) out.push_back(total_[c] + scores.extra[c]);
}

double TreeChoice::solve(const Scores& scores, double output_temperature, double latent_temperature,
                         Counts& counts) {
  const Hierarchy& hierarchy = *scores.hierarchy;
  score_answers(scores, values_);
  if (!scores.one.empty() && output_temperature != latent_temperature)
    return solve_grouped(scores, output_temperature, latent_temperature, counts);
  const std::size_t best = arg_max(values_);
  const double top = values_[best];
  counts.win(hierarchy, hierarchy.answers()[best], top != kForbidden);
  if (output_temperature == 0) return top;
  const double value = smooth_max(values_, output_temperature, values_);
  spread(hierarchy, counts);
  return value;
}

double TreeChoice::solve_grouped(const Scores& scores, double output_temperature, double latent_temperature,
                                 Counts& counts) {
  const Hierarchy& hierarchy = *scores.hierarchy;
  inner_.clear();
  outer_.clear();
  for (std::size_t k = 0; k < values_.size(); ++k)
    (scores.one[hierarchy.answers()[k]] ? inner_ : outer_).push_back(values_[k]);
  if (!inner_.empty()) outer_.push_back(smooth_max(inner_, latent_temperature, inner_));
  const double value = smooth_max(outer_, output_temperature, outer_);
  std::size_t single = 0, hidden = 0;
  for (std::size_t k = 0; k < values_.size(); ++k)
    values_[k] = scores.one[hierarchy.answers()[k]] ? outer_.back() * inner_[hidden++] : outer_[single++];
  counts.win(hierarchy, hierarchy.answers()[arg_max(values_)], value != kForbidden);
  spread(hierarchy, counts);
  return value;
}

void TreeChoice::spread(const Hierarchy& hierarchy, Counts& counts) const {
  counts.soft_ = true;
  std::vector<double>& amounts = counts.amounts_;
  amounts.assign(hierarchy.size(), 0.0);
  for (std::size_t k = 0; k < values_.size(); ++k) amounts[hierarchy.answers()[k]] += values_[k];
  if (hierarchy.tree()) {  // children go before their parents
    for (Index z = static_cast<Index>(hierarchy.size()); z-- > 0;)
      if (const Index parent = hierarchy.main_parent(z); parent != Hierarchy::kNone)
        amounts[parent] += amounts[z];
    return;
  }
  std::vector<double>& passing =
      scratch<std::vector<double>, struct TreeChoicePassing>();  // what a node hands to its main parent
  passing = amounts;
  for (Index z = static_cast<Index>(hierarchy.size()); z-- > 0;) {
    for (const Index other : hierarchy.more(z)) amounts[other] += passing[z];
    if (const Index parent = hierarchy.main_parent(z); parent != Hierarchy::kNone) {
      amounts[parent] += passing[z];
      passing[parent] += passing[z];
    }
  }
}

double TreeChoice::solve_slack(const Scores& scores, const Scores& losses, double reference, Counts& counts) {
  const Hierarchy& hierarchy = *scores.hierarchy;
  score_answers(scores, values_);
  double best = kForbidden;
  Index winner = 0;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (values_[k] == kForbidden) continue;
    const Index c = hierarchy.answers()[k];
    const double value = losses.extra[c] * (1 + values_[k] - reference);
    if (value > best) best = value, winner = c;
  }
  counts.win(hierarchy, winner, best != kForbidden);
  return best;
}

}  // namespace hinge
