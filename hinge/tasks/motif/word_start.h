// Weights to start a motif from, since from random ones training often ends where it has learned nothing.
//
// Words of k letters (6 of DNA, 3 of protein) are ranked by how much more often sequences with the motif hold
// them than sequences without it, p and q of the two,
//
//     z = (p − q) / √( r (1 − r) (1/P + 1/N) ),       r the share of all P + N (weights of examples) that do,
//
// and the attempt's one, among those that are not variants of a better one, is looked up in all sequences
// with the motif. The l columns around it that tell most, by Σ f log(f / background), give a first matrix of
// log f / background; then, a few times, the best places above the threshold that separates best give the
// next.
#pragma once

#include <span>

#include "hinge/tasks/motif/motif_task.h"

namespace hinge {

// Empty where there are not as many enriched words as attempts.
Vector word_start(const MotifTask& task, std::span<const Example<MotifTask>> examples,
                  std::span<const std::size_t> chosen, std::size_t attempt);

}  // namespace hinge
