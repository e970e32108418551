// What one of several ranks has of a problem: the examples of its pieces alone, seen as a part of all.
#pragma once

#include "hinge/core/sum.h"
#include "hinge/oracle/rank_oracle.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/parallel/ranked_executor.h"
#include "tests/support/thread_ranks.h"

namespace hinge {

struct RankShare {
  RankShare(const Oracle& all, std::size_t pieces, Ranks& ranks)
      : own(examples_of(ranks.rank(), all.size(), pieces, ranks.size())),
        part(all, own),
        executor(std::make_unique<SerialExecutor>(), &ranks, pieces),
        spread(part, {all.size(), pieces, ranks.size(), own.front()}, ranks) {}

  std::vector<std::size_t> own;
  SubsetOracle part;
  RankedExecutor executor;
  RankOracle spread;

 private:
  static std::vector<std::size_t> examples_of(std::size_t rank, std::size_t examples, std::size_t pieces,
                                              std::size_t ranks) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < examples; ++i)
      if (DenseSum::owner(i, examples, pieces, ranks) == rank) own.push_back(i);
    return own;
  }
};

}  // namespace hinge
