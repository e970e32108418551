// Any bytes as a sequence file; the first byte chooses the format.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const char* formats[] = {"conll", "crfsuite", "svmhmm", "letter", "conllu", "auto"};
  const auto task = hinge::make_task("sequence");
  hinge::set_option(*task, "format", formats[bytes[0] % 6]);
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
