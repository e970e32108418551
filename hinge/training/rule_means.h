// What rules want of the mean of their features over a sample, and how far a mean is from it.
#pragma once

#include "hinge/inference/guidance.h"
#include "hinge/oracle/unlabelled.h"

namespace hinge {

class RuleMeans {
 public:
  explicit RuleMeans(const Unlabelled& unlabelled)
      : rules_(unlabelled.knowledge().rules), count_(rules_.size()) {
    for (std::size_t j = 0; j < unlabelled.size(); ++j)
      for_each_feature(unlabelled.features(j), [&](std::size_t, std::size_t rule) { ++count_[rule]; });
  }

  std::size_t size() const { return rules_.size(); }
  double features(std::size_t r) const { return count_[r]; }  // N_r
  // Whether anything is wanted of its mean that inference does not keep anyway.
  bool wanted(std::size_t r) const { return count_[r] > 0 && !rules_[r].hard; }
  double weight(std::size_t r) const { return rules_[r].weight; }
  double target(std::size_t r) const {
    return rules_[r].kind == RulePenalty::Kind::satisfied ? 1 : rules_[r].target;
  }
  // Which signs a multiplier of the mean may have.
  bool may_raise(std::size_t r) const { return rules_[r].kind != RulePenalty::Kind::at_most; }
  bool may_lower(std::size_t r) const {
    return rules_[r].kind == RulePenalty::Kind::at_most || rules_[r].kind == RulePenalty::Kind::about;
  }

 private:
  const std::vector<RulePenalty>& rules_;
  Vector count_;
};

}  // namespace hinge
