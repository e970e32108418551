// What rows of classes in a hierarchy say: the same as rows of classes (multiclass/records.h), whose names are
// paths, or nodes that a file of parents puts in order.
#pragma once

#include "hinge/tasks/multiclass/records.h"

namespace hinge {

struct TaxonomyRecords : MulticlassRecords {};

}  // namespace hinge
