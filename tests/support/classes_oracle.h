// A multiclass problem small enough to check by other means: φ(x, k) is x in the block of class k, the loss
// is 0/1, and a label may admit several classes.
#pragma once

#include <algorithm>

#include "hinge/core/random.h"
#include "hinge/core/smooth_max.h"
#include "hinge/oracle/oracle.h"

namespace hinge {

class ClassesOracle final : public Oracle {
 public:
  struct Item {
    Vector x;
    std::vector<Index> admitted;
    double weight = 1;
  };

  ClassesOracle(std::size_t features, std::size_t classes, std::vector<Item> items)
      : features_(features), classes_(classes), items_(std::move(items)) {}

  // Classes around random centres, near enough to overlap.
  static ClassesOracle random(std::size_t count, std::size_t features, std::size_t classes,
                              std::uint64_t seed) {
    Random random(seed);
    std::vector<Vector> centres(classes, Vector(features));
    for (Vector& centre : centres)
      for (double& v : centre) v = random.normal();
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i) {
      const auto k = static_cast<Index>(random.below(classes));
      Item item{centres[k], {k}};
      for (double& v : item.x) v += random.normal();
      items.push_back(std::move(item));
    }
    return {features, classes, std::move(items)};
  }

  std::vector<Item>& items() { return items_; }
  double largest_norm() const {
    double largest = 0;
    for (const Item& item : items_) largest = std::max(largest, std::sqrt(squared_norm(item.x)));
    return largest;
  }

  Index dimension() const override { return static_cast<Index>(features_ * classes_); }
  std::size_t size() const override { return items_.size(); }
  double weight(std::size_t i) const override { return items_[i].weight; }
  bool determined(std::size_t i) const override { return items_[i].admitted.size() == 1; }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    const auto& [x, admitted, weight] = items_[i];
    const bool clamped = query.side == Side::clamped;
    const double temperature = clamped ? query.latent_temperature : query.output_temperature;
    Vector scores(classes_), probability(classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      const bool right = std::ranges::find(admitted, k) != admitted.end();
      scores[k] = dot(x, w.subspan(k * features_, features_));
      if (!right) scores[k] = clamped ? kForbidden : scores[k] + query.loss_weight;
    }
    double value = smooth_max(scores, temperature, probability);
    if (query.side == Side::excess) {
      probability[admitted[0]] -= 1;
      value -= scores[admitted[0]];
    }
    out.clear();
    for (std::size_t k = 0; k < classes_; ++k)
      for (std::size_t f = 0; f < features_; ++f)
        if (probability[k] * x[f] != 0)
          out.slope.add(static_cast<Index>(k * features_ + f), probability[k] * x[f]);
    out.offset = value - out.slope.dot(w);
  }

 private:
  std::size_t features_, classes_;
  std::vector<Item> items_;
};

}  // namespace hinge
