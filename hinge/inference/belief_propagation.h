// Belief propagation with a temperature for each node, for graphs that are too wide for elimination. With
// B_i(a) = node_i(a) + Σ_k m_ki(a), and for each edge the temperature ρ = μ τy between two outputs, μ τh
// else:
//
//     m_ij(b) = T_ρ over a of [ (ρ/τ_i) B_i(a) − m_ji(a) + edge_ij(a, b) ]
//
// One temperature: sum-product, and max-product at 0. τy = 0 < τh: mixed-product (Liu & Ihler 2013), where
// (ρ/τ_i) B_i keeps the states that attain the maximum of B_i and no others when an output tells a hidden
// node. Two positive temperatures: the same with outputs not yet frozen. A fixed point is a stationary point
// of the Bethe free energy
//
//     Σ_i T_τi[B_i] + Σ_ij ρ log Σ_ab b_i(a) b_j(b) exp((edge_ij(a, b) − m_ji(a) − m_ij(b)) / ρ)
//
// with H(outputs) cut to the edges between them; it is exact on a forest with one temperature. μ = 1 but for
// tree-reweighted sums (Wainwright, Jaakkola & Willsky 2005): there it is the edge's share of spanning
// forests, so that with one temperature the energy is concave in the beliefs, has one fixed point and lies
// above the sum.
#pragma once

#include "hinge/inference/graph_settings.h"
#include "hinge/inference/messages.h"

namespace hinge {

class BeliefPropagation {
 public:
  // Passes messages until they come to rest; returns whether they did. Not for τh = 0 < τy.
  bool run(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary,
           double output_temperature, double latent_temperature, const GraphSettings& settings);

  // After that, the state with the highest belief of each node that is not observed …
  void decode(const MessageSchedule& schedule, Assignment& winner);
  // … or, at positive temperatures, the free energy, and the beliefs as counts.
  double count(const MessageSchedule& schedule, const GraphScores& scores, GraphCounts& counts);

 private:
  double temperature(std::size_t node) const { return hidden_[node] ? latent_ : output_; }            // τ_i
  double temperature(const MessageSchedule::Place& place, const MessageSchedule::Link& link) const {  // ρ
    return (reweight_ ? link.share : 1) *
           (hidden_[place.node] || hidden_[link.neighbour] ? latent_ : output_);
  }
  void prepare_tables(const MessageSchedule& schedule);
  bool sweep(const MessageSchedule& schedule,
             const GraphSettings& settings);  // whether messages came to rest
  // Tells some neighbours; returns the largest change of a message.
  double tell(const MessageSchedule& schedule, const MessageSchedule::Place& place,
              std::span<const MessageSchedule::Link> links);
  double tell_one(const MessageSchedule& schedule, const MessageSchedule::Place& place,
                  const MessageSchedule::Link& link);

  Messages messages_;
  std::vector<char> hidden_;
  std::vector<char> exponential_;  // of each link: whether its table holds exp(edge / ρ)
  bool reweight_ = false;
  bool products_ = false;  // one temperature, and messages are exponentials
  double output_ = 0, latent_ = 0, keep_ = 0;
  Vector told_, beliefs_, table_;
};

}  // namespace hinge
