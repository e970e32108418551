// How good the trees are that are predicted of examples (metrics.h).
#pragma once

#include "hinge/tasks/parse/examples.h"
#include "hinge/tasks/parse/metrics.h"
#include "hinge/tasks/parse/parser.h"

namespace hinge {

JsonValue measure_trees(const ParseSchema& schema, const Decoding& decoding, const ParseData& data, Weights w,
                        const std::vector<std::size_t>& examples, Executor& executor);

}  // namespace hinge
