// What is known of the labels of one example, and what each feature of it gains: Σ_k gain_k φ_k(y) is added to
// the score of y, and −∞ where it lacks a feature that is required.
#pragma once

#include <span>
#include <vector>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/constraints.h"

namespace hinge {

// f(k, rule) for every feature, in the order of φ.
template <class F>
void for_each_feature(const Constraints& features, F&& f) {
  std::size_t k = 0;
  for (const auto& feature : features.positions) f(k++, std::size_t{feature.rule});
  for (const auto& feature : features.pairs) f(k++, std::size_t{feature.rule});
  for (const auto& feature : features.wholes) f(k++, std::size_t{feature.rule});
}

class Guidance {
 public:
  // Every gain becomes 0, and nothing is required. Neither is owned.
  void guide(const ConstraintTables& shared, const Constraints& features) {
    shared_ = &shared;
    features_ = &features;
    gain_.assign(features.size(), 0.0);
    required_.assign(features.size(), 0);
  }
  const ConstraintTables& shared() const { return *shared_; }
  const Constraints& features() const { return *features_; }
  std::span<double> gains() { return gain_; }
  std::span<const double> gains() const { return gain_; }
  void require(std::size_t k) { required_[k] = 1; }
  bool required(std::size_t k) const { return required_[k] != 0; }

  // What features with these values add.
  double of_features(std::span<const double> phi) const {
    double sum = 0;
    for (std::size_t k = 0; k < phi.size(); ++k) {
      if (required(k) && phi[k] == 0) return kForbidden;
      sum += gain_[k] * phi[k];
    }
    return sum;
  }

 private:
  const ConstraintTables* shared_ = nullptr;
  const Constraints* features_ = nullptr;
  Vector gain_;
  std::vector<char> required_;
};

}  // namespace hinge
