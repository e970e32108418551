// An example with its answer as an SVG picture that stands alone: an alignment, row under row, whose columns are the
// darker the more probable their pair is; or a sequence with an arc for each pair of letters, above it what is
// predicted, the darker the more probable, below it what is known; or a tree (tree_picture.h).
#pragma once

#include <string>

#include "hinge/tasks/views.h"

namespace hinge {

std::string alignment_picture(const AlignmentView& view);
std::string arc_picture(const ArcView& view);
std::string picture_of(const View& view);

}  // namespace hinge
