// Any bytes as documents of items, or edits of one by structure; the first byte chooses that and the
// structure that is learned.
#include "fuzz/json_edits.h"

#include <nlohmann/json.hpp>

#include "fuzz/read_both_ways.h"
#include "hinge/tasks/cluster/structures.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size == 0) return 0;
  static const nlohmann::json document = {
      {"items",
       {{{"text", "Ann"}, {"kind", "name"}, {"span", {0, 1}}}, {{"kind", "she"}, {"sentence", 2}}, "b"}},
      {"pairs", {{0, 1}}},
      {"pair_features", {{{"x", 0.5}}}},
      {"clusters", {{0, 1}}},
      {"weight", 1}};
  const auto task = hinge::make_task("cluster");
  const auto& structures = hinge::cluster_structures();
  hinge::set_option(*task, "structure", structures[input[0] % structures.size()]);
  hinge::Bytes bytes(input + 1, size - 1);
  hinge::read_both_ways(*task, input[0] >= 128
                                   ? hinge::json_text(hinge::edited_json(document, bytes)) + "\n"
                                   : std::string(reinterpret_cast<const char*>(input) + 1, size - 1));
  return 0;
}
