// JSON in and out: any bytes as text, and a value made of them by structure, which comes back from its text
// unless it is too deep.
#include "fuzz/json_edits.h"
#include "fuzz/require.h"
#include "hinge/core/json_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  nlohmann::json value, again;
  if (hinge::parse_json({reinterpret_cast<const char*>(input), size}, value).empty()) {
    hinge::require(hinge::parse_json(hinge::json_text(value), again).empty());
    hinge::require(again == value);
  }
  hinge::Bytes bytes(input, size);
  const nlohmann::json made = hinge::made_json(bytes, 6);
  const std::string wrong = hinge::parse_json(hinge::json_text(made), value);
  hinge::require(wrong.empty() || wrong.find("nested") != std::string::npos);
  if (wrong.empty()) {  // bytes that are not UTF-8 are other ones now, but no more change
    hinge::require(hinge::parse_json(hinge::json_text(value), again).empty());
    hinge::require(again == value);
  }
  hinge::require(hinge::short_json_text(made).size() <= 43);
  return 0;
}
