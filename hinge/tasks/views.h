// Answers as people look at them: what report/ draws.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "hinge/core/vector.h"
#include "hinge/tasks/parse/tree.h"

namespace hinge {

// Two rows of letters and gaps, and how probable each column's pair is (0 where there is none).
struct AlignmentView {
  std::string name1, name2, row1, row2;
  Vector confidence;
};

// A sequence of letters with arcs between them.
struct ArcView {
  struct Arc {
    std::size_t from, to;  // letters, from 0 on
    double probability;
  };
  std::string name, letters;
  std::vector<Arc> answer;  // what is predicted
  std::vector<Arc> truth;   // what is known
};

// The tree of a sentence, and what the data says of it.
struct TreeView {
  std::string name;
  SentenceTree answer, truth;
};

using View = std::variant<AlignmentView, ArcView, TreeView>;

}  // namespace hinge
