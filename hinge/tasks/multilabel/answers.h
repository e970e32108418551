// What a trained task says of a row, an item for each label: whether it is there, and how probable that is, or how much
// the best set with it scores more than the best one without. As text: the labels that are there, "a,c", and their values.
#pragma once

#include "hinge/oracle/decoding.h"
#include "hinge/tasks/multilabel/multilabel.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

ExamplePredictions answer_set(const MultilabelTask& task, const SparseRow& x, Weights w,
                              const Decoding& decoding, Asked::What what);

// Appends a line.
void append_set(const StringTable& labels, const ExamplePredictions& answer, std::string& line);

}  // namespace hinge
