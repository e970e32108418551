// What each state of each node is worth at best, in a graph:
//
//     out[node_begin(i) + k] = max over s with s_i = k of score(s)
//
// by one question to the engine for each state that the best assignment does not have: exact where its answers are.
#pragma once

#include "hinge/inference/graph_engine.h"

namespace hinge {

// Hidden nodes count as outputs.
void graph_maxima(GraphEngine& engine, const GraphScores& scores, Vector& out);

}  // namespace hinge
