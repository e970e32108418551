// What labels are to rules: names, sets that a name means, and the segments of a labelling.
//
// A segment is a run of one label; where labels are B-X, I-X, E-X, S-X and O (tasks/sequence/chunks.h), it is a
// chunk of type X, X names all of its labels, and between chunks there are stretches of O. A transition is
// where a segment ends or begins.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/tasks/sequence/chunks.h"

namespace hinge {

class LabelSegments {
 public:
  static constexpr int kNothing = ChunkTags::kNothing;  // in front of the first label

  explicit LabelSegments(std::vector<std::string> names);

  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  // The names of labels and types.
  const std::vector<std::string>& all_names() const { return all_names_; }
  std::optional<LabelFlags> named(std::string_view name) const;
  // What `label` means: every label, or type of chunks, by itself, but not O.
  std::vector<LabelFlags> each() const;

  // Whether a segment begins with `label`, behind the label `before` or behind nothing.
  bool begins(int before, int label) const;
  // Whether the segment of the label `before` ends in front of `after`.
  bool ends(int before, int after) const;
  bool transition(int before, int after) const;

 private:
  LabelFlags of_type(std::size_t type) const;

  std::vector<std::string> names_, all_names_;
  bool chunked_;
  ChunkTags tags_;
};

}  // namespace hinge
