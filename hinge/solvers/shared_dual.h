// soft_dual where ranks share its visits. Ranks have the same w, and each keeps θ of its own examples alone. In a wave of
// `batch` examples
//
//     the owner of each    visits it at the w of the wave, and tells all ranks the move Φ_i (μ − μ') and what it is worth,
//     every rank           makes the moves one after the other, in the order of the wave, and takes one back where D falls
//                          by it, because others moved before it: such examples are visited again, in waves an eighth as
//                          large, and at last alone, with smaller steps.
//
// So one exchange serves a wave; what ranks share are looks and inference, and what all of them do is adding sparse moves
// to w. Examples of a wave come from all pieces in turn, so that every rank has as many of them. First visits, which go far,
// begin in small waves. w and D anew are one sum over pieces (sum.h), the primal is one number an example: with the same
// `batch` and pieces the bits are those of one process.
#pragma once

#include "hinge/solvers/soft_dual.h"

namespace hinge {

// How many examples a wave has: as many as asked for; where nobody asked, 0: visits are not shared. Where each process has
// examples of its own (rank_oracle.h), be it one alone, they always are.
inline constexpr std::size_t kSharedBatch = 64;
std::size_t shared_batch(const SoftDualOptions& settings, const Objective& objective);

// `patience`: visits per example that it may take, where another solver stands behind it.
Summary share_visits(const SoftDualOptions& settings, std::size_t batch, double patience,
                     Objective& objective, Start start, const Observer& observer);

// What telling a visit costs beside making it, β: about so many multiplications for each number that is told, packed, sent
// and added by every rank; by a few of the oracle's examples at zero weights. The visits of R ranks take 1/R + β of those of
// one, so that sharing pays below 1/2.
double telling_share(const Oracle& oracle, const Query& query);
inline constexpr double kMostTelling = 0.5;

}  // namespace hinge
