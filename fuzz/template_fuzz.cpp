// Any bytes as feature templates, with a file of three columns.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const hinge::MemoryFile templates({reinterpret_cast<const char*>(bytes), size});
  const auto task = hinge::make_task("sequence");
  hinge::set_option(*task, "template", templates.path());
  hinge::read_both_ways(*task, "the DT B\nnew NN I\n\nrun VB O\n");
  return 0;
}
