// A trained model: the task with its dictionaries, the weights, and how they came about.
#pragma once

#include "hinge/core/vector.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

struct Model {
  std::unique_ptr<AnyTask> task;
  Vector weights;
  nlohmann::json summary = nlohmann::json::object();  // of the training run
  nlohmann::json options = nlohmann::json::object();  // of the training run
};

// Throws InputError when the file cannot be written, or a weight is infinite or not a number.
void save_model(const std::string& path, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options);
// The same into a file that is committed later.
void save_model(OutputFile& out, const AnyTask& task, Vector weights, const nlohmann::json& summary,
                const nlohmann::json& options);

// Throws InputError when the file is missing, damaged, of another format, or of a task that is not built in;
// when a number in it is infinite or none; and when its summary or options are not what training writes.
Model load_model(const std::string& path);

}  // namespace hinge
