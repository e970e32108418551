// Classes with hidden states, answered by enumeration: structures are pairs (y, h), features φ(x, y, h) put x
// at the place of the pair. Some examples say y only, the others the pair.
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/random.h"
#include "hinge/oracle/oracle.h"

namespace hinge::problems {

class HiddenClasses final : public Oracle {
 public:
  static constexpr std::size_t kClasses = 3;
  static constexpr Index kInputs = 4;

  // One hidden state means that every label is complete. Of `known`, 0 to 1, that share says h too. A class
  // is made of as many clusters as it has hidden states.
  HiddenClasses(std::size_t size, std::size_t hidden, double known, std::uint64_t seed) : hidden_(hidden) {
    Random random(seed);
    std::vector<Vector> centres(kClasses * hidden, Vector(kInputs));
    for (Vector& centre : centres)
      for (double& v : centre) v = 2 * random.normal();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t pair = random.below(centres.size());
      Vector x = centres[pair];
      for (double& v : x) v += 0.7 * random.normal();
      x[0] = 1;
      examples_.push_back({std::move(x), pair / hidden, pair % hidden, random.uniform() < known});
    }
  }

  Index dimension() const override { return static_cast<Index>(kClasses * hidden_) * kInputs; }
  std::size_t size() const override { return examples_.size(); }
  double weight(std::size_t i) const override { return i % 2 == 0 ? 1 : 0.5; }
  bool determined(std::size_t i) const override { return hidden_ == 1 || examples_[i].known; }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    const auto& [x, y, h, known] = examples_[i];
    out.clear();
    Vector shares(kClasses * hidden_);
    double value;
    if (query.side == Side::clamped) {
      value =
          soften(scores(x, w, y), query.latent_temperature, std::span(shares).subspan(y * hidden_, hidden_));
    } else {
      // Without hidden parts every pair is an output of its own.
      const double latent = determined(i) ? query.output_temperature : query.latent_temperature;
      Vector outer(kClasses), outer_shares(kClasses);
      for (std::size_t c = 0; c < kClasses; ++c)
        outer[c] = (c == y ? 0 : query.loss_weight) +
                   soften(scores(x, w, c), latent, std::span(shares).subspan(c * hidden_, hidden_));
      value = soften(outer, query.output_temperature, outer_shares);
      for (std::size_t p = 0; p < shares.size(); ++p) shares[p] *= outer_shares[p / hidden_];
    }
    if (query.side == Side::excess) {
      shares[y * hidden_ + h] -= 1;
      value -= scores(x, w, y)[h];
    }
    for (std::size_t p = 0; p < shares.size(); ++p)
      for (Index j = 0; j < kInputs; ++j)
        if (shares[p] * x[j] != 0) out.slope.add(static_cast<Index>(p) * kInputs + j, shares[p] * x[j]);
    out.offset = value - out.slope.dot(w);
  }

  bool draw(std::size_t i, std::uint64_t seed, Plane& out) const override {
    out.clear();
    const std::size_t pair =
        examples_[i].y * hidden_ + Random(seed + (std::uint64_t{i} << 32)).below(hidden_);
    for (Index j = 0; j < kInputs; ++j)
      out.slope.add(static_cast<Index>(pair) * kInputs + j, examples_[i].x[j]);
    return true;
  }

 private:
  struct Labelled {
    Vector x;
    std::size_t y, h;
    bool known;
  };

  Vector scores(const Vector& x, Weights w, std::size_t y) const {
    Vector result(hidden_);
    for (std::size_t h = 0; h < hidden_; ++h)
      result[h] = dot(w.subspan((y * hidden_ + h) * kInputs, kInputs), x);
    return result;
  }

  // τ log Σ exp(f/τ) and its gradient; the maximum, with the gradient at the first winner, when τ is 0.
  static double soften(const Vector& f, double temperature, std::span<double> gradient) {
    const auto top = std::ranges::max_element(f);
    std::ranges::fill(gradient, 0.0);
    if (temperature == 0) {
      gradient[static_cast<std::size_t>(top - f.begin())] = 1;
      return *top;
    }
    double sum = 0;
    for (std::size_t k = 0; k < f.size(); ++k) sum += gradient[k] = std::exp((f[k] - *top) / temperature);
    for (double& g : gradient) g /= sum;
    return *top + temperature * std::log(sum);
  }

  std::size_t hidden_;
  std::vector<Labelled> examples_;
};

}  // namespace hinge::problems
