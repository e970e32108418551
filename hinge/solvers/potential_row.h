// The scores θ of an example's parts, as soft_dual keeps them: in single precision, or in two bytes each, as one of 65,535
// steps between the lowest and the highest of the row,
//
//     θ = low + step · q,        q = 0: forbidden
//
// which is finer than half precision where scores are above 1, and as good for every part. A row is rounded before
// inference sees it, so that the bound belongs to what is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hinge/core/snapshot.h"

namespace hinge {

class PotentialRow {
 public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return full_.size() + short_.size(); }
  void clear();
  void set(std::span<const float> row);
  void set(std::span<const double> row);
  // In two bytes each; the row becomes what is kept.
  void set_short(std::span<float> row);
  void get(std::vector<float>& out) const;
  void get(std::vector<double>& out) const;
  void keep(Snapshot& snapshot) { snapshot(full_, short_, low_, step_); }

 private:
  std::vector<float> full_;           // or
  std::vector<std::uint16_t> short_;  // q
  float low_ = 0, step_ = 0;
};

}  // namespace hinge
