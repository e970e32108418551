"""Faults put into inference, learning and solvers on purpose: the suite must notice each.

A mutation is a file, the text to replace (which stands there once), what replaces it, and what kind of fault it is.
"""
from dataclasses import dataclass


@dataclass
class Mutation:
    name: str
    file: str
    before: str
    after: str


MUTATIONS = [
    Mutation("the last position of a chain scores nothing", "hinge/inference/chain.cpp",
             "for (std::size_t b = 0; b < K; ++b) row[b] += node[b];",
             "for (std::size_t b = 0; b < K && t + 1 < T; ++b) row[b] += node[b];"),
    Mutation("one transition too many in a chain's sum", "hinge/inference/chain.cpp",
             "static_cast<double>(T - 1) * edges_.shift",
             "static_cast<double>(T) * edges_.shift"),
    Mutation("exponentials of transitions kept when these have changed", "hinge/inference/chain.cpp",
             "std::memcmp(edges_.scores.data(), scores.edge(0), size * sizeof(double)) == 0",
             "edges_.scores[0] == scores.edge(0)[0]"),
    Mutation("hidden positions after the last output summed in the wrong direction", "hinge/inference/mixed_chain.cpp",
             "last ? backward : edges, latent_temperature, keep",
             "edges, latent_temperature, keep"),
    Mutation("outputs of a graph eliminated at the hidden nodes' temperature", "hinge/inference/elimination.cpp",
             "scores.hidden(step.node) ? latent_temperature : output_temperature;",
             "scores.hidden(step.node) ? latent_temperature : std::max(latent_temperature, output_temperature);"),
    Mutation("an offset of a group left out of its value", "hinge/inference/grouped_choices.cpp",
             "for (std::size_t g = 0; g < offset.size(); ++g) value[g] += offset[g];",
             "for (std::size_t g = 1; g < offset.size(); ++g) value[g] += offset[g];"),
    Mutation("a forest takes the second best link of an item", "hinge/inference/spanning_forest.cpp",
             "if (comes_before(offered, reached)) reached = offered;",
             "if (!comes_before(offered, reached)) reached = offered;"),
    Mutation("sets of k - 1 items counted with those of k", "hinge/inference/top_k.cpp",
             "const double total = forward_[items * columns + places];",
             "const double total = log_sum(forward_[items * columns + places], forward_[items * columns + places - 1]);"),
    Mutation("the sign of a swapped pair in average precision", "hinge/inference/interleaving.cpp",
             "- swapped * (value[good_[i]] - own)",
             "+ swapped * (value[good_[i]] - own)"),
    Mutation("the loss left out of free sides", "hinge/oracle/factored.h",
             "else if (query.loss_weight != 0)\n      task.add_loss",
             "else if (query.loss_weight > 1)\n      task.add_loss"),
    Mutation("clamped planes stay those of the first round", "hinge/learning/objective.cpp",
             "    planes[i] = std::move(now[i]);\n",
             "    if (!again) planes[i] = std::move(now[i]);\n"),
    Mutation("the last example of a piece left out of the gradient", "hinge/core/sum.cpp",
             "end = (first + k + 1) * examples / count;",
             "end = std::max(begin + 1, (first + k + 1) * examples / count - 1);"),
    Mutation("weights moved against the dual's step", "hinge/solvers/plane_model.cpp",
             "move(lane, -kappa * share);",
             "move(lane, kappa * share);"),
    Mutation("the dual counts the highest plane instead of the mean one", "hinge/solvers/plane_model.cpp",
             "                   .mean;",
             "                   .best;"),
    Mutation("a certificate without the regulariser", "hinge/solvers/frank_wolfe.cpp",
             "pass_.sum = objective_.regulariser().value(at);",
             "pass_.sum = 0;"),
    Mutation("the bundle's bound from the highest plane", "hinge/solvers/bundle.cpp",
             "omega_.minimum_with(slope_) + C_ * mean - dot(slope_, w)",
             "omega_.minimum_with(slope_) + C_ * best - dot(slope_, w)"),
    Mutation("the newest step forgotten by lbfgs's lower bound", "hinge/solvers/tangent_mean.cpp",
             "return at_centre_ - 0.5 * (rest * rest * aa + 2 * share * rest * ap + share * share * pp);",
             "return at_centre_ - 0.5 * (rest * rest * aa + share * share * pp);"),
    Mutation("examples' weights left out of n_slack's primal", "hinge/solvers/n_slack.cpp",
             "sum_ += kappa * value;",
             "sum_ += value;"),
]
