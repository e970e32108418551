// Several independent items, each of which chooses one of its options. The options of an item form groups:
// the group is the output, the option within it is hidden. With a score for each option and an offset for
// each group,
//
//     solve = Σ over items of T_τy over groups g of [ offset(g) + T_τh over options k of g of score(k) ]
//
// Exact, in time that is linear in the options. −∞ forbids an option, or as an offset a whole group. A loss
// that is the same for all options of a group is an offset, any other is added to the scores.
//
//     hinge::GroupedScores scores;
//     scores.add_item(3, 2);  // one item: three options, two groups
//     std::ranges::copy(std::vector{1.0, 0.5, 2.0}, scores.values(0).begin());
//     std::ranges::copy(std::vector{0u, 0u, 1u}, scores.groups(0).begin());
//     hinge::GroupedCounts counts;
//     const double best = hinge::GroupedChoices().solve(scores, 0, 0, counts);  // 2, by counts.structure() = {2}
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/answer.h"

namespace hinge {

using Choices = std::vector<Index>;  // the chosen option of each item

// Numbers of all items stand in one row, item after item; the groups of an item need no order.
class GroupedScores {
 public:
  void clear();  // no items; storage is kept
  // Scores and offsets of 0; all options in group 0. At most as many groups as options.
  void add_item(std::size_t options, std::size_t groups);
  // Another number of groups for an item, all with offset 0; then groups(item) is to be set.
  void regroup(std::size_t item, std::size_t groups);

  std::size_t items() const { return groups_.size(); }
  std::size_t options() const { return value_.size(); }  // of all items
  std::size_t first(std::size_t item) const { return first_[item]; }
  std::size_t options(std::size_t item) const { return first_[item + 1] - first_[item]; }

  std::span<double> values(std::size_t item) { return {value_.data() + first_[item], options(item)}; }
  std::span<const double> values(std::size_t item) const {
    return {value_.data() + first_[item], options(item)};
  }
  // The group of each option, 0 … groups − 1.
  std::span<Index> groups(std::size_t item) { return {group_.data() + first_[item], options(item)}; }
  std::span<const Index> groups(std::size_t item) const {
    return {group_.data() + first_[item], options(item)};
  }
  std::span<double> offsets(std::size_t item) { return {offset_.data() + first_[item], groups_[item]}; }
  std::span<const double> offsets(std::size_t item) const {
    return {offset_.data() + first_[item], groups_[item]};
  }

  // A part for each option, its group's offset included.
  std::size_t parts() const { return options(); }
  void get(std::span<double> out) const;
  void set(std::span<const double> in);  // offsets become 0

  double of(const Choices& s) const {
    double sum = 0;
    for (std::size_t i = 0; i < items(); ++i) sum += values(i)[s[i]] + offsets(i)[groups(i)[s[i]]];
    return sum;
  }

 private:
  std::vector<std::size_t> first_ = {0};  // of each item's options, and their end
  std::vector<std::size_t> groups_;       // how many each item has
  Vector value_, offset_;                 // offsets of an item begin where its scores do
  std::vector<Index> group_;
};

class GroupedCounts {
 public:
  // The best group of each item and its best option, at any temperatures.
  const Choices& structure() const { return chosen_; }
  const Choices& most_probable() const { return chosen_; }

  // Of the groups of an item: offset + T_τh of its options, and how much it is used.
  std::span<const double> group_values(std::size_t item) const {
    return {value_.data() + first_[item], groups_[item]};
  }
  std::span<const double> group_amounts(std::size_t item) const {
    return {group_amount_.data() + first_[item], groups_[item]};
  }

  void subtract(const Choices& s) {
    subtracted_ = s;
    subtracts_ = true;
  }

  void get(std::span<double> out) const;  // of a soft answer, as GroupedScores::get
  void set(const GroupedScores& shape, std::span<const double> in);

  // f(item, option, amount) for options that are used; those of a subtracted structure come once more, with
  // amount −1, unless both together are nothing.
  template <class F>
  void for_each_use(F&& f) const {
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      if (hard_) {
        if (subtracts_ && subtracted_[i] == chosen_[i]) continue;
        if (group_amount_[first_[i] + best_group_[i]] != 0) f(i, std::size_t{chosen_[i]}, 1.0);
      } else {
        for (std::size_t k = first_[i]; k < first_[i + 1]; ++k)
          if (amount_[k] != 0) f(i, k - first_[i], amount_[k]);
      }
      if (subtracts_) f(i, std::size_t{subtracted_[i]}, -1.0);
    }
  }

 private:
  friend class GroupedChoices;
  void shape(const GroupedScores& scores, bool hard);

  bool hard_ = false, subtracts_ = false;
  Choices chosen_, subtracted_, best_group_;
  std::vector<std::size_t> first_, groups_;
  Vector value_, group_amount_;  // of groups
  Vector amount_;                // of options, when not hard
};

class GroupedChoices : public AlwaysExact {
 public:
  using Scores = GroupedScores;
  using Counts = GroupedCounts;
  using Structure = Choices;

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts);

  // Every combination; for tests.
  static void for_each_structure(const Scores& scores, const std::function<void(const Choices&)>& f);
  // The group of each item's option.
  static std::vector<Index> outputs(const Scores& scores, const Choices& s);

 private:
  void find_tops(const Scores& scores, Counts& counts);
  void soften_options(const Scores& scores, double temperature, Counts& counts);
  static double choose_groups(const Scores& scores, double temperature, Counts& counts);
  void share_amounts(const Scores& scores, double temperature, Counts& counts) const;

  std::vector<Index> best_;  // option of each group
  Vector sum_;               // of each group's exponentials
};

}  // namespace hinge
