// Labels of the positions of a sequence or the nodes of a graph, as the data has them: an index into the
// schema's labels, kUnknown where the data has none ('?'), or kUnseen − k for the k-th label that the schema
// lacks. So every label below zero is one that no prediction can have, and those up to kUnseen count as
// errors.
// At some positions the data may say one of several labels; these are kUnknown too.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/core/string_table.h"

namespace hinge {

inline constexpr int kUnknown = -1;
inline constexpr int kUnseen = -2;

// The label of a position is one of these, which is all that the data knows.
struct OneOf {
  std::size_t position;
  std::vector<int> labels;  // of the schema, each once
  bool admits(int label) const { return std::ranges::find(labels, label) != labels.end(); }
};

struct Labels : std::vector<int> {
  using std::vector<int>::vector;
  Labels() = default;
  Labels(std::vector<int> labels) : std::vector<int>(std::move(labels)) {}
  std::vector<OneOf> one_of;
};

inline bool fully_known(const Labels& y) {
  return std::ranges::all_of(y, [](int label) { return label >= 0; });
}

// What a file's text says of a label: nothing, where it is '?'. In memory any text is a label, and nothing is
// nothing.
inline std::optional<std::string_view> label_in_text(std::string_view text) {
  return text == "?" ? std::nullopt : std::optional(text);
}
// The labels of `?A|B`, which says that it is one of A and B. Whether the text is one of these; others leave `names`
// empty.
bool labels_in_text(std::string_view text, std::vector<std::string_view>& names);

// The names in an order that does not depend on the file's: numbers in theirs, or else texts in theirs.
std::vector<std::string> sorted_names(const StringTable& names);

}  // namespace hinge
