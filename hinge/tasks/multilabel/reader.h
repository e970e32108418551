// Reads LIBSVM's multilabel files: svmlight (see svmlight.h) with a list of labels in the place of the label.
//
//     1,3 4:0.5 7:1         the labels 1 and 3
//     4:0.5 7:1             no label
//     1,?3 4:0.5            1; nobody knows about 3
//     1,? 4:0.5             1; nobody knows about the others
#pragma once

#include "hinge/tasks/multilabel/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// The selected rows of all files. Throws InputError about a file without any.
MultilabelRecords read_label_sets(const std::vector<std::string>& files, const Selection& selection = {});

}  // namespace hinge
