// Any bytes as graded documents of queries; the first byte chooses the loss.
#include "fuzz/read_both_ways.h"
#include "hinge/tasks/rank/goal.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto task = hinge::make_task("rank");
  hinge::set_option(*task, "loss", hinge::rank_losses()[bytes[0] % hinge::rank_losses().size()]);
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
