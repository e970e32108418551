// Searches all assignments that can be better than the best one known, node by node, with an upper bound in parts
// (cycle_messages.h). Each part falls short of its maximum by what an assignment costs there, so that
//
//     score(s) = bound − Σ over parts (its maximum − its score at s),     every term of the sum ≥ 0.
//
// Assignments of the first nodes are kept while their sum is below bound − the best score known; of those that agree
// where later nodes can see them only the best stays. Where never more than `most` are to be kept, the best assignment is
// known in the end. Else the best `most` go on, which finds a good one; it is proven where all that was left out had lost
// more by then, and how much that had lost says by how much the bound falls.
#pragma once

#include "hinge/inference/cycle_messages.h"

namespace hinge {

class FrontierSearch {
 public:
  struct Result {
    bool proven;   // no assignment scores more than the better of the one known and the one found
    bool better;   // one was found
    double bound;  // no assignment scores more
  };
  // `allowance`: bound − the best score known. Where something better is found, `winner` gets its states.
  Result run(CycleMessages& parts, double bound, double allowance, std::size_t most, Assignment& winner);

 private:
  void plan(const CycleMessages& parts);
  // Σ of what node p, edges to earlier nodes and cycles that close with p add to what a row of sight has lost, by p's
  // state, into terms_.
  void extend(const CycleMessages& parts, std::size_t p, const unsigned char* row, double lost);
  // The row of fresh_ that equals this one, or a new one.
  std::size_t find(const unsigned char* row);

  struct Rows {  // a byte for each node in sight, and what each row has lost
    std::vector<unsigned char> sight;
    Vector lost;
  };
  struct Way {  // the row before, and the state added to it
    Index from, state;
  };
  std::size_t width_ = 0;
  Rows rows_, fresh_;
  std::vector<Way> ways_;
  std::vector<std::size_t> way_begin_;
  std::vector<Index> slot_, gone_, closing_, order_;
  std::vector<std::size_t> gone_begin_, closing_begin_;
  Vector top_, terms_;
  std::vector<Index> table_;  // of hashes: 1 + a row of fresh_
};

}  // namespace hinge
