#include "hinge/inference/pair_choices.h"

#include <cassert>
#include <cmath>
#include <cstdint>

#include "hinge/core/kernels.h"

namespace hinge {

double PairChoices::Scores::of(const Structure& s) const {
  if (only != nullptr && s != PairChoices::structure(*only)) return kForbidden;
  double sum = constant;
  for (std::size_t p = 0; p < s.size(); ++p)
    if (s[p]) sum += values()[p];
  return sum;
}

double PairChoices::solve(const Scores& scores, double output_temperature, double /*latent*/,
                          Counts& counts) {
  const std::span<const double> value = scores.values();
  const std::size_t pairs = value.size(), padded = kernels::padded(pairs);
  counts.amount_.resize(padded);
  counts.constant_ = 1;
  if (scores.only != nullptr) {
    counts.chosen_ = structure(*scores.only);
    for (std::size_t p = 0; p < pairs; ++p) counts.amount_[p] = counts.chosen_[p];
    return scores.of(counts.chosen_);
  }
  counts.chosen_.resize(pairs);
  double sum = scores.constant;
  for (std::size_t p = 0; p < pairs; ++p) {
    counts.chosen_[p] = value[p] > 0;
    sum += value[p] > 0 ? value[p] : 0;
  }
  double* amount = counts.amount_.data();
  if (output_temperature == 0) {
    for (std::size_t p = 0; p < pairs; ++p) amount[p] = counts.chosen_[p];
    return sum;
  }
  // T_τ(0, v) = max(0, v) + τ log(1 + e), e = exp(−|v| / τ)
  for (std::size_t p = 0; p < pairs; ++p) amount[p] = -std::abs(value[p]);
  for (std::size_t p = pairs; p < padded; ++p) amount[p] = 0;
  kernels::exponential(amount, amount, padded, 0, 1 / output_temperature);
  logarithm_.resize(padded);
  for (std::size_t p = 0; p < padded; ++p) logarithm_[p] = 1 + amount[p];
  for (std::size_t p = 0; p < pairs; ++p) amount[p] = (value[p] > 0 ? 1 : amount[p]) / logarithm_[p];
  kernels::logarithm(logarithm_.data(), logarithm_.data(), padded);
  double logarithms = 0;
  for (std::size_t p = 0; p < pairs; ++p) logarithms += logarithm_[p];
  return sum + output_temperature * logarithms;
}

PairChoices::Structure PairChoices::structure(const Partition& y) {
  Structure s;
  s.reserve(first_pair(y.size()));
  for (std::size_t j = 1; j < y.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) s.push_back(y[i] == y[j]);
  return s;
}

Partition PairChoices::partition(std::size_t items, const Structure& s) {
  DisjointSets connected(items);
  for_each_link(s, [&](Index i, Index j) { connected.join(i, j); });
  return connected.partition();
}

void PairChoices::for_each_structure(const Scores& scores, const std::function<void(const Structure&)>& f) {
  const std::size_t pairs = scores.values().size();
  assert(pairs < 64);
  Structure s(pairs, 0);
  for (std::uint64_t taken = 0; taken < std::uint64_t{1} << pairs; ++taken) {
    for (std::size_t p = 0; p < pairs; ++p) s[p] = taken >> p & 1;
    f(s);
  }
}

}  // namespace hinge
