// A task that is built in, from C++: data files in, a model file out, and back again.
//
//     from_files TRAIN TEST      two files of CoNLL columns
#include <hinge/hinge.h>
#include <hinge/model/model.h>
#include <hinge/training/fit.h>

#include <iostream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) try {
  if (argc != 3) hinge::fail("usage: from_files TRAIN TEST");
  const auto executor = hinge::make_executor(2);

  std::unique_ptr<hinge::AnyTask> task = hinge::make_task("sequence");
  const std::unique_ptr<hinge::Data> train = task->read_training({argv[1]});
  const hinge::Model model =
      hinge::fit(std::move(task), *train, {.method = "crf", .watch = hinge::show_progress}, *executor);
  hinge::save_model("tagger.model", model);

  const hinge::Model again = hinge::load_model("tagger.model");  // decodes as it was trained
  const std::unique_ptr<hinge::Data> test = again.task->read({argv[2]});
  const auto metrics = again.task->evaluate(*test, again.weights, {}, *executor);
  std::cout << again.task->report(metrics);
  return metrics["accuracy"] > 0.9 ? 0 : 1;
} catch (const hinge::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
