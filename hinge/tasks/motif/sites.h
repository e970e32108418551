// What people look at of a motif: the letters of the sites that were found, and the matrix of weights.
#pragma once

#include "hinge/oracle/decoding.h"
#include "hinge/tasks/motif/motif_task.h"
#include "hinge/tasks/profile.h"

namespace hinge {

// What a trained task says of a sequence.
struct FoundMotif {
  int value = MotifLabel::kNegative;
  double score = 0;            // of the motif over none
  MotifTask::Place at;         // the place that scores most, whatever the class
  double probability[2] = {};  // of both classes, where they are asked for
};
FoundMotif find_motif(const MotifTask& task, const MotifSequence& x, Weights w, const Decoding& decoding,
                      bool marginals = false);
// The site that it chose; empty where it says that there is none.
std::string chosen_site(const MotifTask& task, const MotifSequence& x, Weights w, const Decoding& decoding);

// Counts the letters of the sites, one a sequence or none (an empty text), and of all sequences.
Profile profile_of(const std::vector<std::string>& sites, std::span<const Example<MotifTask>> examples,
                   const MotifTask& task);

// A row a position: the weight of each letter, and the letter with the highest.
std::string matrix_text(const MotifTask& task, Weights w);

}  // namespace hinge
