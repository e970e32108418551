#include "hinge/training/held_out.h"

#include <algorithm>

#include "hinge/core/random.h"

namespace hinge {

double HeldOut::share() const {
  const auto rest = static_cast<double>(oracle().size());
  return rest / (rest + static_cast<double>(size()));
}

Folds::Folds(std::size_t examples, std::size_t count, std::uint64_t seed) : fold_of_(examples) {
  std::vector<std::size_t> order(examples);
  for (std::size_t i = 0; i < examples; ++i) order[i] = i;
  Random(seed).shuffle(order);
  for (std::size_t k = 0; k < examples; ++k) fold_of_[order[k]] = k % count;
}

Folds::Folds(const std::vector<std::size_t>& group, std::size_t count, std::uint64_t seed) {
  const Folds of_groups(group.empty() ? 0 : *std::ranges::max_element(group) + 1, count, seed);
  for (const std::size_t g : group) fold_of_.push_back(of_groups.fold_of_[g]);
}

Selection Folds::chosen(std::size_t fold, bool inside) const {
  std::vector<bool> chosen(fold_of_.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (fold_of_[i] == fold) == inside;
  return Selection(std::move(chosen));
}

}  // namespace hinge
