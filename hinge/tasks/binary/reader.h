// Reads svmlight files of two classes (see svmlight.h): all rows are one sample, or those of one qid:N each,
// which stand together; cost:W is then the weight of a sample. '?' is a class that nobody knows; "+1" is "1".
#pragma once

#include "hinge/tasks/binary/records.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// What is selected are rows, or samples where the files name them. Throws InputError about a file without rows.
BinaryRecords read_samples(const std::vector<std::string>& files, const Selection& selection = {});

// The same of strings (string_lines.h), all of which are one sample.
BinaryRecords read_string_sample(const std::vector<std::string>& files, const Selection& selection = {});

// Throws InputError about a file whose first row has no qid:N: then all rows are one sample, which no rank can have a
// share of.
void refuse_unnamed_samples(const std::vector<std::string>& files);

}  // namespace hinge
