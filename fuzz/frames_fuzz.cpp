// Any bytes as a file of frames; the first byte chooses whose the states are.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto task = hinge::make_task("sequence-class");
  hinge::set_option(*task, "state_features", bytes[0] % 2 == 0 ? "shared" : "class");
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
