// The best assignment of a graph that is too wide for elimination, with a proof of how good it is: messages
// that maximise, each node's belief shared out among the chains through it (Kolmogorov's TRW-S, 2006), so
// that
//
//     bound = Σ over chains of their maxima ≥ max over s of score(s) ≥ score(the assignment found),
//
// and the bound falls with every sweep. (On a forest, nothing is shared out: max-product, exact in one
// sweep.) The assignment is read off while a sweep goes forth, and improved node by node at the end. It is
// exact when both sides meet.
#pragma once

#include "hinge/inference/fusion.h"
#include "hinge/inference/messages.h"

namespace hinge {

struct GraphSettings;

class TreeReweighted {
 public:
  struct Result {
    double value, bound;  // both without what observed nodes alone contribute
    bool converged;       // they met, or the bound came to rest
    int sweeps;
  };
  // `winner` gets the states of the nodes that are not observed. With a fusion, which has begun on the same scores,
  // it is put together of what all sweeps read off.
  Result solve(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary,
               const GraphSettings& settings, Assignment& winner, Fusion* fusion = nullptr);

 private:
  double forth(const MessageSchedule& schedule);  // the bound afterwards; trial_ is read off
  void back(const MessageSchedule& schedule);
  // Tells some neighbours; returns this node's part of the bound.
  double tell(const MessageSchedule& schedule, const MessageSchedule::Place& place,
              std::span<const MessageSchedule::Link> links);
  double score(const MessageSchedule& schedule, const Assignment& s) const;
  // Changes one node at a time while that is better.
  void improve(const MessageSchedule& schedule, Assignment& s);
  // own scores and those of the edges to `links`, whose other ends are as in s
  void condition(const MessageSchedule::Place& place, std::span<const MessageSchedule::Link> links,
                 const Assignment& s);

  Messages messages_;
  Vector terms_;
  Assignment trial_;
};

}  // namespace hinge
