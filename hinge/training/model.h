// A trained model: the task with its dictionaries, the weights, and how they came about. It predicts as it
// was trained, unless told otherwise.
#pragma once

#include "hinge/core/vector.h"
#include "hinge/tasks/any_task.h"

namespace hinge {

struct Model {
  std::unique_ptr<AnyTask> task;
  Vector weights;
  JsonValue summary;  // of the training run
  JsonValue options;  // of the training run

  // Prediction follows training (see AnyTask::trained_decoding).
  void decode_as_trained();
  // By the name of a decoding; marginal-map at the temperature of training, where that had one. Throws
  // InputError when the task does not serve it.
  void decode(const std::string& name);
};

}  // namespace hinge
