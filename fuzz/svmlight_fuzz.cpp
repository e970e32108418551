// Any bytes as an svmlight file of the task multiclass.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto task = hinge::make_task("multiclass");
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
