// What each label of each position is worth at best, in a chain:
//
//     out[t · K + k] = max over paths y with y_t = k of score(y) = the best that ends there + the best that begins there
//
// The largest of a row is the maximum, and stands at the best path's label. Time T K².
#pragma once

#include "hinge/inference/chain.h"

namespace hinge {

void chain_maxima(const ChainScores& scores, Vector& out);

}  // namespace hinge
