// Any bytes as folds of the task fold, in any of its forms.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > 1000) return 0;  // time grows with the cube
  const auto task = hinge::make_task("fold");
  if (size > 0 && bytes[0] % 2 == 1) hinge::set_option(*task, "crossing", "drop");
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
