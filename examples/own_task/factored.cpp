// The rung of parts: the task scores parts and turns their counts into features; the chain engine does the
// rest, hard and soft, so every method with one temperature is served: SVMs, CRFs, hidden labels.
#include "examples/own_task/machine_task.h"
#include "examples/own_task/train.h"

int main(int argc, char** argv) {
  return train_and_test(MachineTask(), shifts<MachineTask>(60, 1), shifts<MachineTask>(200, 2), argc, argv);
}
