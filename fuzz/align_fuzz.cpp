// Any bytes as pairs of sequences of the task align, FASTA or a table.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > 2000) return 0;  // time grows with the square
  const auto task = hinge::make_task("align");
  if (size > 0 && bytes[0] % 2 == 1) hinge::set_option(*task, "mode", "local");
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes), size});
  return 0;
}
