// A task that is built in, from C++, on records that never were a file.
#include <hinge/hinge.h>
#include <hinge/model/model.h>
#include <hinge/tasks/multiclass/any_multiclass.h>
#include <hinge/tasks/powers.h>
#include <hinge/training/fit.h>

#include <iostream>
#include <nlohmann/json.hpp>

int main() try {
  const auto executor = hinge::make_executor(1);

  hinge::MulticlassRecords animals;
  animals.add({{0, 1}, {4, 0.3f}}, "cat");       // features by number: legs, metres
  animals.add({{0, 1}, {4, 1.6f}}, "horse", 2);  // counts twice
  animals.add({{0, 1}, {2, 0.2f}}, "bird");
  animals.add({{0, 1}, {4, 0.4f}}, std::nullopt);  // nobody knows

  auto task = hinge::make_multiclass();
  const std::unique_ptr<hinge::Data> train = task->train_on(animals);
  const hinge::Model model = hinge::fit(std::move(task), *train, {.method = "hcrf", .C = 1000}, *executor);
  hinge::save_model("animals.model", model);  // as the command line writes and reads it

  const hinge::Model again = hinge::load_model("animals.model");
  auto& classes = *hinge::power<hinge::RecordTask<hinge::MulticlassRecords>>(*again.task);
  const std::unique_ptr<hinge::Data> known = classes.examples_of(animals);
  const auto metrics = classes.evaluate(*known, again.weights, {}, *executor);
  std::cout << classes.report(metrics);
  return metrics["accuracy"] == 1.0 ? 0 : 1;
} catch (const hinge::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
