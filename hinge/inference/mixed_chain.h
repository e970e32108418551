// Chains some of whose positions are hidden, at two temperatures:
//
//     T_τy over the outputs y of T_τh over the hidden positions h of score(y, h)
//
// Runs of hidden positions between outputs are summed out at τh (see hidden_run.h); what is left is a chain
// of outputs with a table of its own between any two, which is solved at τy. Exact; time K³ a hidden
// position between outputs, K² elsewhere.
#pragma once

#include <span>
#include <vector>

#include "hinge/inference/hidden_run.h"
#include "hinge/inference/path_counts.h"

namespace hinge {

class ChainScores;

class MixedChain {
 public:
  // At least one position of the scores is hidden and one is not. The edges' exponentials are those at τh.
  void sum_out(const ChainScores& scores, const RunEdges& edges, double latent_temperature, bool keep);

  // After sum_out: sets the outputs of `path` to the winner at τy = 0.
  void maximise(const ChainScores& scores, Path& path);

  // After sum_out with `keep`: the value at τy > 0, and adds to the counts of nodes and pairs (zero before).
  double sum(const ChainScores& scores, double output_temperature, double* node_counts, double* edge_counts);

 private:
  std::size_t run_length(std::size_t i) const { return first_[i + 1] - first_[i]; }
  // Pair scores between output i − 1 and output i.
  const double* between(const ChainScores& scores, std::size_t i) const;
  // own[i][b] = the node of output i, and the run at that end of the chain
  void score_outputs(const ChainScores& scores);
  void add_run_counts(std::size_t run, double* edge_counts);

  RunEdges edges_;
  Vector transposed_scores_, own_, forward_, backward_, pairs_, turned_, terms_;
  std::vector<std::size_t> outputs_;
  // runs_[i] stands before output i, the last one after all of them; its positions, in the order in which it
  // is summed, are hidden_[first_[i]] up to first_[i + 1].
  std::vector<HiddenRun> runs_;
  std::vector<std::size_t> hidden_, first_;
  std::vector<const double*> nodes_;  // of hidden_
  std::vector<double*> node_counts_;
};

}  // namespace hinge
