// Any bytes as a file of graphs; the first byte chooses the format, or edits of a graph by structure.
#include "fuzz/json_edits.h"

#include <nlohmann/json.hpp>

#include "fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size == 0) return 0;
  static const nlohmann::json graph = {{"features", {{1, 0}, {0, 1}, {1, 1}}},
                                       {"labels", {1, nullptr, 0}},
                                       {"edges", {{0, 1}, {2, 1}}},
                                       {"edge_features", {{1}, {0}}},
                                       {"edge_types", {"a", "b"}},
                                       {"node_types", {"p", "q", "p"}},
                                       {"states", {2, nullptr, 3}},
                                       {"hidden", {false, true, false}},
                                       {"weight", 1}};
  const char* formats[] = {"jsonl", "msrc", "snakes", "image", "jsonl"};
  const std::size_t chosen = input[0] % 5;
  const auto task = hinge::make_task("graph");
  hinge::set_option(*task, "format", formats[chosen]);
  hinge::Bytes bytes(input + 1, size - 1);
  hinge::read_both_ways(*task, chosen == 4 ? hinge::json_text(hinge::edited_json(graph, bytes)) + "\n"
                                           : std::string(reinterpret_cast<const char*>(input) + 1, size - 1));
  return 0;
}
