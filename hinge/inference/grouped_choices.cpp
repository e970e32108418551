#include "hinge/inference/grouped_choices.h"

#include <algorithm>
#include <cassert>

#include "hinge/core/kernels.h"

namespace hinge {

void GroupedScores::clear() {
  first_.resize(1);
  groups_.clear();
  value_.clear();
  offset_.clear();
  group_.clear();
}

void GroupedScores::add_item(std::size_t options, std::size_t groups) {
  assert(groups <= options && groups > 0);
  first_.push_back(first_.back() + options);
  groups_.push_back(groups);
  value_.resize(first_.back(), 0.0);
  offset_.resize(first_.back(), 0.0);
  group_.resize(first_.back(), 0);
}

void GroupedScores::regroup(std::size_t item, std::size_t groups) {
  assert(groups <= options(item) && groups > 0);
  groups_[item] = groups;
  std::ranges::fill(offsets(item), 0.0);
}

void GroupedScores::get(std::span<double> out) const {
  for (std::size_t i = 0; i < items(); ++i)
    for (std::size_t k = 0; k < options(i); ++k) out[first(i) + k] = values(i)[k] + offsets(i)[groups(i)[k]];
}

void GroupedScores::set(std::span<const double> in) {
  std::ranges::copy(in, value_.begin());
  std::ranges::fill(offset_, 0.0);
}

void GroupedCounts::get(std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for_each_use([&](std::size_t i, std::size_t k, double amount) { out[first_[i] + k] += amount; });
}

void GroupedCounts::set(const GroupedScores& scores, std::span<const double> in) {
  shape(scores, false);
  std::ranges::copy(in, amount_.begin());
}

void GroupedCounts::shape(const GroupedScores& scores, bool hard) {
  hard_ = hard;
  subtracts_ = false;
  const std::size_t items = scores.items(), options = scores.options();
  first_.resize(items + 1);
  groups_.resize(items);
  chosen_.resize(items);
  best_group_.resize(items);
  for (std::size_t i = 0; i < items; ++i) {
    first_[i] = scores.first(i);
    groups_[i] = scores.offsets(i).size();
  }
  first_[items] = options;
  value_.resize(options);
  group_amount_.resize(options);
  if (!hard) amount_.resize(kernels::padded(options));
}

// value[g] = max over options of g, of which best[g] is the first. A run of options of one group is passed
// without memory between them.
void GroupedChoices::find_tops(const Scores& scores, Counts& counts) {
  best_.resize(scores.options());
  for (std::size_t i = 0; i < scores.items(); ++i) {
    const std::span<const double> value = scores.values(i);
    const std::span<const Index> group = scores.groups(i);
    double* top = counts.value_.data() + scores.first(i);
    Index* best = best_.data() + scores.first(i);
    std::fill_n(top, counts.groups_[i], kForbidden);
    std::fill_n(best, counts.groups_[i], Index{0});
    for (std::size_t k = 0; k < value.size();) {
      const Index g = group[k];
      double highest = top[g];
      Index at = best[g];
      for (; k < value.size() && group[k] == g; ++k)
        if (value[k] > highest) highest = value[k], at = static_cast<Index>(k);
      top[g] = highest;
      best[g] = at;
    }
  }
}

// value[g] = T_τ over options of g; amount[k] = exp((score − top) / τ), sum[g] = Σ amount[k]
void GroupedChoices::soften_options(const Scores& scores, double temperature, Counts& counts) {
  sum_.assign(scores.options(), 0.0);
  for (std::size_t i = 0; i < scores.items(); ++i) {
    const std::span<const double> value = scores.values(i);
    const std::span<const Index> group = scores.groups(i);
    const double* top = counts.value_.data() + scores.first(i);
    double* amount = counts.amount_.data() + scores.first(i);
    for (std::size_t k = 0; k < value.size(); ++k)
      amount[k] = value[k] == kForbidden ? kForbidden : value[k] - top[group[k]];
  }
  std::fill(counts.amount_.begin() + static_cast<std::ptrdiff_t>(scores.options()), counts.amount_.end(),
            kForbidden);
  kernels::exponential(counts.amount_.data(), counts.amount_.data(), counts.amount_.size(), 0,
                       1 / temperature);
  for (std::size_t i = 0; i < scores.items(); ++i) {
    const std::span<const Index> group = scores.groups(i);
    const double* amount = counts.amount_.data() + scores.first(i);
    double* value = counts.value_.data() + scores.first(i);
    double* sum = sum_.data() + scores.first(i);
    for (std::size_t k = 0; k < group.size();) {
      const Index g = group[k];
      double added = 0;
      for (; k < group.size() && group[k] == g; ++k) added += amount[k];
      sum[g] += added;
    }
    for (std::size_t g = 0; g < counts.groups_[i]; ++g)
      if (value[g] != kForbidden) value[g] += temperature * std::log(sum[g]);
  }
}

// The value of all items; group_amount[g] is how much each group of an item is used.
double GroupedChoices::choose_groups(const Scores& scores, double temperature, Counts& counts) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.items(); ++i) {
    const std::span<const double> offset = scores.offsets(i);
    const std::span<double> value(counts.value_.data() + scores.first(i), offset.size());
    for (std::size_t g = 0; g < offset.size(); ++g) value[g] += offset[g];
    sum += smooth_max(value, temperature,
                      std::span<double>(counts.group_amount_.data() + scores.first(i), offset.size()));
    counts.best_group_[i] = static_cast<Index>(arg_max(value));
  }
  return sum;
}

// amount[k] = how much its group is used · the share of option k in it
void GroupedChoices::share_amounts(const Scores& scores, double temperature, Counts& counts) const {
  for (std::size_t i = 0; i < scores.items(); ++i) {
    const std::span<const Index> group = scores.groups(i);
    double* amount = counts.amount_.data() + scores.first(i);
    double* of_group = counts.group_amount_.data() + scores.first(i);
    const Index* best = best_.data() + scores.first(i);
    const double* sum = sum_.data() + scores.first(i);
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Index g = group[k];
      if (of_group[g] == 0)
        amount[k] = 0;
      else if (temperature == 0)
        amount[k] = best[g] == k ? of_group[g] : 0;
      else
        amount[k] *= of_group[g] / sum[g];
    }
  }
}

double GroupedChoices::solve(const Scores& scores, double output_temperature, double latent_temperature,
                             Counts& counts) {
  const bool hard = output_temperature == 0 && latent_temperature == 0;
  counts.shape(scores, hard);
  find_tops(scores, counts);
  if (latent_temperature > 0) soften_options(scores, latent_temperature, counts);
  const double value = choose_groups(scores, output_temperature, counts);
  for (std::size_t i = 0; i < scores.items(); ++i)
    counts.chosen_[i] = best_[scores.first(i) + counts.best_group_[i]];
  if (!hard) share_amounts(scores, latent_temperature, counts);
  return value;
}

void GroupedChoices::for_each_structure(const Scores& scores, const std::function<void(const Choices&)>& f) {
  Choices s(scores.items(), 0);
  for (;;) {
    f(s);
    std::size_t i = 0;
    while (i < s.size() && ++s[i] == scores.options(i)) s[i++] = 0;
    if (i == s.size()) return;
  }
}

std::vector<Index> GroupedChoices::outputs(const Scores& scores, const Choices& s) {
  std::vector<Index> groups(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) groups[i] = scores.groups(i)[s[i]];
  return groups;
}

}  // namespace hinge
