// Data for a model or a training run, with what people should know of it.
#pragma once

#include "hinge/model/model.h"

namespace hinge {

// Data that fits the model; notes what it lacks (unknown features, labels) on standard error unless quiet.
std::unique_ptr<Data> read_for(const Model& model, const std::vector<std::string>& files, bool quiet);

// "what: 3 labels, 12 sequences, 2 unseen features"
std::string facts_line(const std::string& what, const Data& data);

}  // namespace hinge
