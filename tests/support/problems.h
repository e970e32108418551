// Small problems that solvers are tested on.
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/random.h"
#include "hinge/oracle/oracle.h"
#include "hinge/oracle/task_oracle.h"

namespace hinge::problems {

// n hinges on n weights: excess_i(w) = max(0, 1 − a_i w_i). The objective falls apart:
//
//     min over w_i of 1/2 w_i² + κ_i max(0, 1 − a_i w_i)   is at   w_i = min(κ_i a_i, 1 / a_i).
class Hinges final : public Oracle {
 public:
  explicit Hinges(std::size_t size, std::uint64_t seed = 1) {
    Random random(seed);
    for (std::size_t i = 0; i < size; ++i) {
      a_.push_back(0.1 + random.uniform());
      weight_.push_back(0.5 + random.uniform());
    }
  }
  Index dimension() const override { return static_cast<Index>(a_.size()); }
  std::size_t size() const override { return a_.size(); }
  double weight(std::size_t i) const override { return weight_[i]; }
  bool determined(std::size_t) const override { return true; }
  void support(std::size_t i, Weights w, const Query&, Plane& out) const override {
    out.clear();
    if (1 - a_[i] * w[i] <= 0) return;
    out.offset = 1;
    out.slope.add(static_cast<Index>(i), -a_[i]);
  }

  double minimum(double C) const {
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const double kappa = C * weight_[i] / static_cast<double>(size());
      const double w = std::min(kappa * a_[i], 1 / a_[i]);
      sum += 0.5 * w * w + kappa * std::max(0.0, 1 - a_[i] * w);
    }
    return sum;
  }

 private:
  Vector a_, weight_;
};

// Which of K classes, with a loss that grows with their distance: a task written the SVM-struct way.
struct Classes {
  using Input = Vector;
  using Label = int;
  using Structure = int;
  int classes = 4;
  Index inputs = 6;

  Index dimension() const { return static_cast<Index>(classes) * inputs; }
  double loss(Label y, Structure s) const { return y == s ? 0 : 0.5 + 0.5 * std::abs(y - s); }
  bool determined(Label) const { return true; }
  Structure structure(Label y) const { return y; }
  void features(const Input& x, Structure s, SparseSink& sink) const {
    sink.add_row(static_cast<Index>(s) * inputs, x, 1);
  }
  Structure predict(const Input& x, Weights w) const {
    return best([&](Structure s) { return score(x, s, w); });
  }
  Structure most_violating(const Input& x, Label y, Weights w) const {
    return best([&](Structure s) { return loss(y, s) + score(x, s, w); });
  }
  Structure most_violating_slack(const Input& x, Label y, Weights w) const {
    return best([&](Structure s) { return loss(y, s) * (1 + score(x, s, w) - score(x, y, w)); });
  }

  // Clusters that overlap.
  std::vector<Example<Classes>> sample(std::size_t size, std::uint64_t seed) const {
    Random random(seed);
    std::vector<Example<Classes>> examples;
    for (std::size_t i = 0; i < size; ++i) {
      const int y = static_cast<int>(random.below(static_cast<std::size_t>(classes)));
      Vector x(inputs);
      for (Index j = 0; j < inputs; ++j)
        x[j] = random.normal() + (static_cast<int>(j) % classes == y ? 1.0 : 0.0);
      examples.push_back({x, y, 0.5 + random.uniform()});
    }
    return examples;
  }

 private:
  double score(const Input& x, Structure s, Weights w) const {
    return dot(w.subspan(static_cast<Index>(s) * inputs, inputs), x);
  }
  template <class Value>
  Structure best(Value&& value) const {
    Structure top = 0;
    for (Structure s = 1; s < classes; ++s)
      if (value(s) > value(top)) top = s;
    return top;
  }
};

}  // namespace hinge::problems
