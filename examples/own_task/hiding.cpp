// The last rung: what a label leaves open is hidden, not an output, so that the two have temperatures of
// their own. Half of the states were not observed; the marginal SVM sums over them.
#include "examples/own_task/machine_task.h"
#include "examples/own_task/train.h"

class HidingMachineTask : public MachineTask {
 public:
  void hide(const Label& y, hinge::ChainScores& scores) const {
    for (std::size_t t = 0; t < y.size(); ++t)
      if (y[t] < 0) scores.hide(t);
  }
};

std::vector<hinge::Example<HidingMachineTask>> partly_observed(std::size_t count, std::uint64_t seed) {
  auto examples = shifts<HidingMachineTask>(count, seed);
  hinge::Random random(seed + 100);
  for (auto& [x, y, weight] : examples)
    for (int& state : y)
      if (random.uniform() < 0.5) state = -1;
  return examples;
}

int main(int argc, char** argv) {
  return train_and_test(HidingMachineTask(), partly_observed(60, 1), shifts<HidingMachineTask>(200, 2), argc,
                        argv, {.method = "mssvm"});
}
