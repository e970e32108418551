// How long a model takes to read a file and to label it, without the start of a process, as one line of JSON.
//
//     tagging_speed MODEL FILE [RUNS]      the fastest of RUNS (5)
//
// Labelling is Viterbi for every sequence, and counting what is right.
#include <fmt/format.h>
#include <ctime>
#include <exception>

#include "hinge/core/executor.h"
#include "hinge/model/model.h"

namespace {

template <class Work>
double cpu_seconds(Work&& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) hinge::fail("usage: tagging_speed MODEL FILE [RUNS]");
  const int runs = argc > 3 ? std::atoi(argv[3]) : 5;
  hinge::Model model;
  const double load = cpu_seconds([&] { model = hinge::load_model(argv[1]); });
  hinge::SerialExecutor executor;
  double read = 1e300, tag = 1e300;
  for (int run = 0; run < runs; ++run) {
    std::unique_ptr<hinge::Data> data;
    read = std::min(read, cpu_seconds([&] { data = model.task->read({argv[2]}); }));
    tag = std::min(tag, cpu_seconds([&] { model.task->evaluate(*data, model.weights, {}, executor); }));
  }
  fmt::print("{{\"load_seconds\": {}, \"read_seconds\": {}, \"tag_seconds\": {}}}\n", load, read, tag);
} catch (const std::exception& error) {
  fmt::print(stderr, "tagging_speed: {}\n", error.what());
  return 2;
}
