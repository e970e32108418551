// Any bytes as a file of trees in brackets.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto task = hinge::make_task("parse");
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
