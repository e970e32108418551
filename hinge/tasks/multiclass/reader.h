// Reads svmlight files whose labels are classes (see svmlight.h); '?' is a class that nobody knows.
#pragma once

#include "hinge/tasks/multiclass/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// The selected rows of all files. Throws InputError about a file without any.
MulticlassRecords read_classes(const std::vector<std::string>& files, const Selection& selection = {});

// The same of strings (string_lines.h).
MulticlassRecords read_strings(const std::vector<std::string>& files, const Selection& selection = {});

}  // namespace hinge
