// Any bytes as documents of items; the first byte chooses the structure.
#include "fuzz/read_both_ways.h"
#include "hinge/tasks/cluster/clusterer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto task = hinge::make_task("cluster");
  const auto& structures = hinge::cluster_structures();
  hinge::set_option(*task, "structure", structures[bytes[0] % structures.size()]);
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
