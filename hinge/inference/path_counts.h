// A path is a label for each position. How often each label is used at each position: by one path, by one
// path less another, or on average over a distribution of paths.
#pragma once

#include <cassert>
#include <vector>

#include "hinge/core/smooth_max.h"

namespace hinge {

using Path = std::vector<int>;

class PathCounts {
 public:
  std::size_t length() const { return path_.size(); }
  std::size_t labels() const { return labels_; }
  bool hard() const { return hard_; }
  const Path& structure() const { return path_; }
  // The first label with most at each position.
  Path most_probable() const {
    if (hard_) return path_;
    Path path(length());
    for (std::size_t t = 0; t < length(); ++t) path[t] = static_cast<int>(arg_max({node(t), labels_}));
    return path;
  }

  // f(t, label, amount) for every label used at a position, in order of positions
  template <class F>
  void for_each_node(F&& f) const {
    for (std::size_t t = 0; t < length(); ++t) node_at(t, f);
  }
  template <class F>
  void node_at(std::size_t t, F&& f) const {
    if (!hard_) {
      const double* row = node(t);
      for (std::size_t k = 0; k < labels_; ++k) f(t, static_cast<int>(k), row[k]);
    } else if (reference_.empty()) {
      f(t, path_[t], factor_);
    } else if (path_[t] != reference_[t]) {
      f(t, path_[t], factor_);
      f(t, reference_[t], -factor_);
    }
  }
  // A position's amounts by label, when soft.
  const double* node(std::size_t t) const { return node_.data() + t * stride_; }

 protected:
  void begin(bool hard, std::size_t length, std::size_t labels, std::size_t stride) {
    hard_ = hard;
    factor_ = 1;
    reference_.clear();
    labels_ = labels;
    stride_ = stride;
    path_.resize(length);
  }
  void subtract_nodes(const Path& path) {
    if (hard_) {
      assert(reference_.empty());
      reference_ = path;
    } else {
      for (std::size_t t = 0; t < path.size(); ++t) node_[t * stride_ + path[t]] -= 1;
    }
  }
  void scale_nodes(double factor) {
    factor_ *= factor;
    if (!hard_)
      for (double& v : node_) v *= factor;
  }

  bool hard_ = true;
  Path path_, reference_;  // of the hard answer; reference_ is empty when nothing was subtracted
  double factor_ = 1;
  std::size_t labels_ = 0, stride_ = 0;
  Vector node_;  // of the soft answer
};

}  // namespace hinge
