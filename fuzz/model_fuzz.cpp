// Any bytes as a model file. The checksum is set right first, or nothing behind it would ever be reached.
// What loads must then serve: read, evaluate, predict, name its features.
#include <zlib.h>

#include "fuzz/read_both_ways.h"
#include "hinge/model/model.h"

namespace {

constexpr std::string_view kOpening = R"({"__metadata__":{"checksum":")";
constexpr std::size_t kPlace = 8 + kOpening.size(), kDigits = 8;

void set_checksum(std::string& bytes) {
  if (bytes.size() < kPlace + kDigits) return;
  bytes.replace(kPlace, kDigits, kDigits, '0');
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  bytes.replace(kPlace, kDigits, fmt::format("{:08x}", sum));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(input), size);
  set_checksum(bytes);
  const hinge::MemoryFile file(bytes);
  try {
    const hinge::Model model = hinge::load_model(file.path());
    for (std::size_t j = 0; j < std::min<std::size_t>(model.weights.size(), 50); ++j)
      model.task->feature_name(static_cast<hinge::Index>(j));
    const bool rows = model.task->name() == "multiclass";
    const hinge::MemoryFile text(rows ? "1 1:1 3:2\n2 2:0.5\n" : "a x A\nb y B\n\nb x A\n");
    const auto data = model.task->read({text.path()});
    hinge::SerialExecutor executor;
    model.task->evaluate(*data, model.weights, {}, executor);
    hinge::OutputFile nowhere("/dev/null");
    model.task->predict(*data, model.weights, executor, nowhere);
  } catch (const hinge::InputError&) {
  }
  return 0;
}
