// What a rank tells of its trees (shared_records.h), of which grammar and words are made.
//
// Of two trees that show the same parts the first alone is told: a part is a chain of brackets over the same words with
// the `vertical` − 1 labels above it and the children of its last, a label, or a tag. What is told in the order of the
// ranks then shows every part first where it is first shown in all trees, so that its symbols get the same numbers.
#pragma once

#include <set>

#include "hinge/core/ranks.h"
#include "hinge/core/snapshot.h"
#include "hinge/tasks/parse/lexicon.h"
#include "hinge/tasks/parse/records.h"

namespace hinge {

class ToldTrees {
 public:
  ToldTrees() = default;
  ToldTrees(const ParseRecords& records, int vertical);
  void keep(Snapshot& snapshot) { snapshot(trees_); }
  void add_to(ParseRecords& all) const;

 private:
  struct Told {  // a tree without its words
    std::vector<std::string> tags, labels;
    std::vector<std::pair<Index, Index>> spans;
    void keep(Snapshot& snapshot) { snapshot(tags, labels, spans); }
  };
  std::vector<Told> trees_;
};

// The words of all ranks, with how often each is there; of `own` where there are none.
WordUses words_of_all(const ParseRecords& own, Ranks* ranks);

}  // namespace hinge
