// Any bytes as sequences of the task motif, FASTA or one a line; the motif has three letters.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto task = hinge::make_task("motif");
  for (const hinge::OptionRef& option : task->options())
    if (option.name == "length") *std::get<std::vector<double>*>(option.field) = {3};
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
