// The parts (parts.h) of examples that choose one of few states, whose planes an oracle lists (core/product_planes.h): each
// state is a part of its own,
//
//     T_τ over states s of ρ Δ_s + z_s.
//
// So a solver in the dual of soft methods learns from the terms of an example (divided_oracle.h) as from so many examples.
// The oracle must outlive it, and list planes without slack.
#pragma once

#include "hinge/core/smooth_max.h"
#include "hinge/oracle/oracle.h"
#include "hinge/oracle/parts.h"
#include "hinge/oracle/sink.h"

namespace hinge {

class TermParts final : public Parts {
 public:
  TermParts(const Oracle& oracle, const Query& query)
      : oracle_(oracle),
        listed_{.side = Side::excess, .loss_weight = query.loss_weight},
        temperature_(query.output_temperature) {}

  std::span<const double> look(std::size_t t, Weights w) override {
    turn(t, w);
    score_.resize(planes_.offset.size());
    for (Index s = 0; s < score_.size(); ++s) score_[s] = planes_.offset[s] + state_score(planes_, s, w);
    return score_;
  }
  std::size_t turn(std::size_t t, Weights) override {
    oracle_.all_planes(t, listed_, planes_);
    return planes_.offset.size();
  }

  SoftValue solve(std::span<const double> theta, std::span<double> counts) override {
    const double value = smooth_max(theta, temperature_, counts);
    return {value, value - dot(theta, counts)};
  }

  double loss(std::span<const double> counts) const override { return dot(planes_.offset, counts); }

  double clamped(Weights w, std::span<double> counts) override {
    std::ranges::fill(counts, 0.0);
    counts[planes_.reference] = 1;
    return state_score(planes_, planes_.reference, w);
  }

  double pour(std::span<const double> counts, double factor, std::span<double> w,
              const double* share) override {
    MovingSink sink{w, share, factor};
    for (Index s = 0; s < counts.size(); ++s)
      if (counts[s] != 0) pour_state(planes_, s, counts[s], sink);
    return sink.growth;
  }

 private:
  const Oracle& oracle_;
  Query listed_;
  double temperature_;
  ProductPlanes planes_;  // of the example that it has turned to
  Vector score_;
};

}  // namespace hinge
