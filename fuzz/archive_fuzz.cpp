// Any bytes as an archive, whose checksum is set right first; or edits of an archive's header and of its
// table of arrays, by structure.
#include "fuzz/checksum.h"

#include <nlohmann/json.hpp>

#include "fuzz/json_edits.h"
#include "fuzz/require.h"
#include "hinge/model/model_file.h"

namespace {

using namespace hinge;

void read(std::string bytes) {
  set_checksum(bytes);
  try {
    const Archive archive = parse_archive(bytes, "archive");
    for (const auto& [name, array] : archive.arrays)
      std::visit([&](const auto& values) { require(values.size() <= bytes.size()); }, array);
  } catch (const InputError&) {
  }
}

// An archive of two arrays whose JSON the bytes edit, within the text that the format asks for.
std::string edited_archive(Bytes& bytes) {
  const nlohmann::json header = {
      {"task", "multiclass"}, {"state", {{"a", 1}}}, {"list", {1, 2.5, "x", nullptr}}};
  const nlohmann::json arrays = {{"weights", {{"dtype", "F64"}, {"shape", {2}}, {"data_offsets", {0, 16}}}},
                                 {"bytes", {{"dtype", "U8"}, {"shape", {3}}, {"data_offsets", {16, 19}}}}};
  const std::string inner = json_text(bytes.take() % 2 == 0 ? header : edited_json(header, bytes));
  const nlohmann::json table = edited_json(arrays, bytes);
  std::string text = std::string(kArchiveOpening) +
                     "00000000\",\"format\":\"hinge\",\"header\":" + json_text(inner) + ",\"version\":\"1\"}";
  if (table.is_object())
    for (const auto& [name, entry] : table.items()) text += "," + json_text(name) + ":" + json_text(entry);
  text += '}';
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + text + std::string(19, '\1');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size > 0 && input[0] % 2 == 1) {  // the length of a header is a multiple of 8
    Bytes bytes(input + 1, size - 1);
    read(edited_archive(bytes));
  } else {
    read({reinterpret_cast<const char*>(input), size});
  }
  return 0;
}
