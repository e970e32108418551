// What people look at of a motif: the letters of the sites that were found, and the matrix of weights.
#pragma once

#include "hinge/tasks/motif/motif_task.h"
#include "hinge/tasks/profile.h"

namespace hinge {

// Counts the letters of the sites, one a sequence or none (an empty text), and of all sequences.
Profile profile_of(const std::vector<std::string>& sites, std::span<const Example<MotifTask>> examples,
                   const MotifTask& task);

// A row a position: the weight of each letter, and the letter with the highest.
std::string matrix_text(const MotifTask& task, Weights w);

}  // namespace hinge
