// Short cycles of a graph, through nodes whose states are open: triangles, and squares that no edge cuts across.
//
//     cycle = nodes v_0 … v_{L−1}, L = 3 or 4, with an edge between v_k and v_{k+1}, and between v_{L−1} and v_0
//
// In a picture these are the squares of four pixels. Of graphs with many more cycles than edges some are taken, a few for
// each edge; the work is bounded by a multiple of the edges.
#pragma once

#include <array>

#include "hinge/inference/message_schedule.h"

namespace hinge {

struct ShortCycle {
  std::size_t length;
  std::array<Index, 4> places;  // of the schedule
};

// v_0 is the first place of each, and v_1 comes before v_{L−1}.
std::vector<ShortCycle> short_cycles(const MessageSchedule& schedule);

}  // namespace hinge
