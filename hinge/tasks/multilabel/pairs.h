// Which pairs of labels have weights of their own:
//
//     none   no pair
//     tree   a spanning tree of the largest sum of mutual informations (Chow & Liu 1968),
//                I(a, b) = Σ over s, t of p(s, t) log p(s, t) / (p(s) p(t)),
//            p the weighted frequencies in the rows that know both labels
//     all    every pair
//
// Equally informative pairs come in the order of their labels.
#pragma once

#include <string>
#include <vector>

#include "hinge/inference/graph.h"
#include "hinge/oracle/task.h"
#include "hinge/tasks/multilabel/multilabel.h"

namespace hinge {

// Of labels 0 … labels − 1; O(labels² + Σ over rows of (labels that are present or unknown)²) time for the tree, memory that
// grows with the sets. Throws InputError where all pairs are too many.
std::vector<Graph::Edge> choose_pairs(const std::string& which, Index labels,
                                      const std::vector<LabelSet>& sets, const std::vector<double>& weights);

// I(a, b) of counts by state: counts[2 s + t].
double mutual_information(const double (&counts)[4]);

}  // namespace hinge
