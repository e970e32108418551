// The sum over a tree of pieces (sum.h) whose subtrees were added by different ranks. Of its numbers,
//
//     one that is zero on all ranks but one      is finished by that rank, and does not travel before
//     one that several have something of         is finished by one of these, in turn
//
// and then every rank tells all others those that it has finished. Which numbers are not zero on a rank it tells once,
// and again when that has changed. Where others have nothing there are zeros to add, so that the bits are those of one
// process.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hinge/core/piece_tree.h"
#include "hinge/core/ranks.h"
#include "hinge/core/set_of_numbers.h"
#include "hinge/core/vector.h"

namespace hinge {

class RankSum {
 public:
  // add(node, take) adds up the pieces of a node of this rank's own, and gives the sum and the number beside it to take.
  using Take = std::function<void(double value, std::span<const double> sum)>;
  using Add = std::function<void(const PieceNode& node, const Take& take)>;
  // `sum` is overwritten on all ranks; returns the sum of the numbers beside.
  double operator()(Ranks& ranks, std::size_t pieces, std::span<double> sum, const Add& add);

 private:
  // What is not zero of one node's sum.
  struct Known {
    double value = 0;           // the number beside
    std::vector<Index> places;  // ascending
    Vector numbers;             // there
  };
  void divide(Ranks& ranks, const std::vector<std::string>& told, std::size_t numbers);

  std::vector<SetOfNumbers> have_;            // that are not zero on each rank
  std::vector<std::vector<Index>> finishes_;  // those that each rank finishes, ascending
};

}  // namespace hinge
