// The best assignment of a graph that messages along edges leave open, with a proof where one is found: sweeps of messages
// between short cycles (cycle_messages.h) bring an upper bound down, and whenever their number has doubled a search
// (frontier_search.h) looks for something better than what is known:
//
//     max over s of score(s) ≤ bound,     proven: the best assignment known scores as much, up to rounding.
//
// At most max_sweeps sweeps, fewer where the bound comes to rest; a last search keeps more.
#pragma once

#include "hinge/inference/frontier_search.h"

namespace hinge {

struct GraphSettings;

class CycleMaxima {
 public:
  struct Result {
    double bound;    // without what observed nodes alone contribute
    bool proven;     // nothing scores more than `winner`, up to rounding
    bool converged;  // proven, or the bound came to rest
  };
  // `winner` has states of all nodes and gets better ones.
  Result improve(const MessageSchedule& schedule, const GraphScores& scores, const Vector& unary,
                 const GraphSettings& settings, Assignment& winner);

 private:
  CycleMessages messages_;
  FrontierSearch search_;
};

}  // namespace hinge
