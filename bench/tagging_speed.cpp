// How long a model takes to read a file and to label it, without the start of a process, as one line of JSON.
//
//     tagging_speed MODEL FILE PASSES
//
// A pass reads the file and keeps all sequences; then labels each by Viterbi and counts what is right.
// Seconds of every pass, in order: the first is the cold one.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ctime>
#include <exception>
#include <vector>

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
  if (argc != 4) hinge::fail("usage: tagging_speed MODEL FILE PASSES");
  const hinge::Model model = hinge::load_model(argv[1]);
  hinge::SerialExecutor executor;
  std::vector<double> read, tag;
  for (int pass = 0; pass < std::atoi(argv[3]); ++pass) {
    std::unique_ptr<hinge::Data> data;
    read.push_back(cpu_seconds([&] { data = model.task->read({argv[2]}); }));
    tag.push_back(cpu_seconds([&] { model.task->evaluate(*data, model.weights, {}, executor); }));
  }
  fmt::print("{{\"read_seconds\": [{}], \"tag_seconds\": [{}]}}\n", fmt::join(read, ", "),
             fmt::join(tag, ", "));
} catch (const std::exception& error) {
  fmt::print(stderr, "tagging_speed: {}\n", error.what());
  return 2;
}
