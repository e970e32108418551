// JSON as text, out and in. Names come from people's files and need not be UTF-8: bytes that are not become
// U+FFFD.
//
// Everything that handles a JSON value goes down into it by recursion, so that a few hundred KB of brackets
// would exhaust the stack: `parse_json` is the only parser of the tree, and refuses what is nested deeper
// than kJsonDepth.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace hinge {

inline constexpr std::size_t kJsonDepth = 100;

std::string json_text(const nlohmann::json& value, int indent = -1);
// At most about 40 characters of it, for sentences.
std::string short_json_text(const nlohmann::json& value);

// Reads one JSON value. Returns what is wrong with the text, a sentence for `fail_at`; empty when all is
// well.
std::string parse_json(std::string_view text, nlohmann::json& value);

}  // namespace hinge
