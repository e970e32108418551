// Data for a model or a training run, with what people should know of it.
#pragma once

#include "cli/files.h"
#include "hinge/training/model.h"

namespace hinge {

// Puts --data into the plan. Throws InputError where neither it nor the task's own flags name examples; `purpose` says
// what they are for.
void plan_data(FilePlan& files, const std::string& command, const std::string& purpose,
               const std::vector<std::string>& data, AnyTask& task);
// Puts the files into the plan, and those beside them that the task reads too.
void plan_files(FilePlan& files, const std::string& flag, const std::vector<std::string>& paths,
                const AnyTask& task);
// Whether the task's own flags name any.
bool names_data(AnyTask& task);

// Data that fits the model; notes what it lacks (unknown features, labels) on standard error unless quiet.
std::unique_ptr<Data> read_for(const Model& model, const std::vector<std::string>& files, bool quiet);

// "what: 3 labels, 12 sequences, 2 unseen features"
std::string facts_line(const std::string& what, const Data& data);

}  // namespace hinge
