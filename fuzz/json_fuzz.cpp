// JSON in and out, by the first byte: the others as text, or a value made of them by structure, which comes
// back from its text unless it is too deep.
#include "fuzz/json_edits.h"

#include <nlohmann/json.hpp>

#include "fuzz/require.h"
#include "hinge/core/json_text.h"

namespace {

using namespace hinge;

// What was read once is read again from its own text.
void require_round_trip(const nlohmann::json& value) {
  nlohmann::json again;
  require(parse_json(json_text(value), again).empty());
  require(again == value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  Bytes bytes(input, size);
  nlohmann::json value;
  if (bytes.take() % 2 == 0) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.rest().data()), bytes.rest().size());
    if (parse_json(text, value).empty()) require_round_trip(value);
    return 0;
  }
  const nlohmann::json made = made_json(bytes, 6);
  require(short_json_text(made).size() <= 43);
  const std::string wrong = parse_json(json_text(made), value);
  require(wrong.empty() || wrong.find("nested") != std::string::npos);
  if (wrong.empty())
    require_round_trip(value);  // bytes that are not UTF-8 are other ones now, but no more change
  return 0;
}
