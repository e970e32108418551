// A sentence as the task parse sees it, and what is known of its tree.
#pragma once

#include <algorithm>
#include <vector>

#include "hinge/inference/chart_scores.h"

namespace hinge {

struct ParseInput {
  // Of word i at i + 1; at both ends stands the boundary.
  std::vector<Index> entry;  // of the lexicon
  std::vector<Index> kind;   // its tag where tags are given, else its class
  // The tags that word i may have are tags[first_tag[i] … first_tag[i + 1]).
  std::vector<Index> tags, first_tag;

  std::size_t words() const { return first_tag.size() - 1; }
  std::span<const Index> tags_of(std::size_t word) const {
    return {tags.data() + first_tag[word], first_tag[word + 1] - first_tag[word]};
  }
};

struct ParseLabel {
  struct Bracket {
    Index label;  // one that the grammar lacks is as many as it has labels, or more
    Index begin, end;
  };
  std::size_t words = 0;
  std::vector<Bracket> brackets;  // by span (ChartTables::span), those over the same words from the top down
  std::vector<char> open;         // of each span: more brackets may stand there; empty where none is
  std::vector<Index> tags;        // of each word; ChartGrammar::kNone where it is not known
  ChartTree derivation;           // where all is known and the grammar has it, else empty

  bool is_open(std::size_t span) const { return !open.empty() && open[span] != 0; }
};

}  // namespace hinge
