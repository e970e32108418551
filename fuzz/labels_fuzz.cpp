// Any bytes as an svmlight file of label sets, of classes in a hierarchy or of two classes; the first byte
// chooses the task.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const char* const names[] = {"multilabel", "taxonomy", "binary"};
  const auto task = hinge::make_task(names[bytes[0] % 3]);
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
