// One sequence: at each position a set of attributes (names by number, with values), and a label or none.
#pragma once

#include "hinge/tasks/feature_rows.h"
#include "hinge/tasks/labels.h"

namespace hinge {

using Sequence = FeatureRows;

}  // namespace hinge
