// The engine for any other shape whose parts include the labels of positions: an engine E, and a gain for each
// feature of a position,
//
//     score(s) = base(s) + Σ_k gain_k [s_t(k) ∈ S_k],
//
// which adds to the scores of its label's row, so that E answers as exactly as ever. Features of pairs and of
// the whole have no place here (`refusal` of NodeRows' users says so). NodeRows<E> tells where the rows are.
#pragma once

#include "hinge/inference/choice.h"
#include "hinge/inference/graph_engine.h"
#include "hinge/inference/guidance.h"

namespace hinge {

template <class E>
struct NodeRows;

// One position.
template <>
struct NodeRows<Choice> {
  static double* row(Choice::Scores& scores, std::size_t) { return scores.value.data(); }
  static double amount(const Choice::Counts& counts, std::size_t, std::size_t label) {
    return counts.soft() ? counts.amounts()[label] : counts.structure() == label ? 1 : 0;
  }
  static std::size_t label(Index structure, std::size_t) { return structure; }
};

template <>
struct NodeRows<GraphEngine> {
  static double* row(GraphScores& scores, std::size_t t) { return scores.node(t); }
  static double amount(const GraphCounts& counts, std::size_t t, std::size_t label) {
    return counts.node(t)[label];
  }
  static std::size_t label(const Assignment& s, std::size_t t) { return static_cast<std::size_t>(s[t]); }
};

template <class E>
class GuidedNodes : public E {
 public:
  using Rows = NodeRows<E>;
  using Structure = typename E::Structure;

  struct Scores : Guidance {
    typename E::Scores base;
    double of(const Structure& s) const {
      Vector phi(features().size());
      evaluate(*this, s, phi);
      return base.of(s) + of_features(phi);
    }
  };

  class Counts : public E::Counts {
   public:
    std::span<const double> phi() const { return phi_; }
    void subtract(const Structure& s) {
      E::Counts::subtract(s);
      other_.resize(phi_.size());
      evaluate(*guidance_, s, other_);
      for (std::size_t k = 0; k < phi_.size(); ++k) phi_[k] -= other_[k];
    }

   private:
    friend class GuidedNodes;
    const Guidance* guidance_ = nullptr;  // of the last solve, which must outlive `subtract`
    Vector phi_, other_;
  };

  bool may_approximate(const Scores& scores, double output_temperature, double latent_temperature) {
    return E::may_approximate(scores.base, output_temperature, latent_temperature);
  }

  double solve(const Scores& scores, double output_temperature, double latent_temperature, Counts& counts) {
    const Constraints& features = scores.features();
    moved_ = scores.base;
    for (std::size_t k = 0; k < features.positions.size(); ++k) {
      const auto& [t, set, rule] = features.positions[k];
      const LabelFlags& members = scores.shared().sets[set];
      double* row = Rows::row(moved_, t);
      for (std::size_t y = 0; y < members.size(); ++y)
        row[y] += members[y] != 0 ? scores.gains()[k] : scores.required(k) ? kForbidden : 0;
    }
    const double value = E::solve(moved_, output_temperature, latent_temperature, counts);
    counts.guidance_ = &scores;
    counts.phi_.assign(features.size(), 0.0);
    for (std::size_t k = 0; k < features.positions.size(); ++k) {
      const auto& [t, set, rule] = features.positions[k];
      const LabelFlags& members = scores.shared().sets[set];
      for (std::size_t y = 0; y < members.size(); ++y)
        if (members[y] != 0) counts.phi_[k] += Rows::amount(counts, t, y);
    }
    return value;
  }

  static void evaluate(const Guidance& guidance, const Structure& s, std::span<double> phi) {
    const Constraints& features = guidance.features();
    for (std::size_t k = 0; k < features.positions.size(); ++k) {
      const auto& [t, set, rule] = features.positions[k];
      phi[k] = guidance.shared().sets[set][Rows::label(s, t)];
    }
  }

 private:
  typename E::Scores moved_;
};

}  // namespace hinge
