// Reads sequences of frames. Each begins with a line that names its class and its number of frames, and
// perhaps first of all the split it belongs to; then comes a line of numbers for each frame:
//
//     # comments and blank lines may stand between sequences
//     train wave 2
//     0.1 -0.5 1.25
//     0.2 -0.4 1.5
#pragma once

#include <string>
#include <vector>

#include "hinge/tasks/example_cutter.h"
#include "hinge/tasks/selection.h"
#include "hinge/tasks/sequence_class/records.h"

namespace hinge {

// Every sequence of the files that belongs to `split`, or all when it is empty, as far as they are selected.
// `channels` is how many numbers a frame has; 0 takes it from the first.
FramesRecords read_frames(const std::vector<std::string>& files, const std::string& split,
                          std::size_t channels, const Selection& selection = {});

// Where such files may be cut.
MakeCutter cut_frames(const std::string& split);

}  // namespace hinge
