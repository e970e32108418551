// Any bytes as a sequence file; the first byte chooses the format, and for columns whether a few templates
// replace the built-in ones: those are hundreds, and to parse them takes most of the time of an input.
#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  static const hinge::MemoryFile few("U0:%x[0,0]\nU1:%x[-1,0]/%x[1,0]\nB\n");
  const std::string formats[] = {"conll", "crfsuite", "svmhmm", "letter", "conllu", "auto"};
  const std::string& format = formats[bytes[0] % 6];
  const auto task = hinge::make_task("sequence");
  hinge::set_option(*task, "format", format);
  if (format.starts_with("conll") && bytes[0] < 224) hinge::set_option(*task, "template", few.path());
  hinge::read_both_ways(*task, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  return 0;
}
