// What files of trees say: sentences with their trees, as far as they are known.
#pragma once

#include <vector>

#include "hinge/tasks/parse/tree.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

struct ParseRecords {
  std::vector<SentenceTree> trees;
  std::vector<double> weights;      // of each
  std::vector<RecordPlace> places;  // of each
  std::size_t comments = 0;         // lines left out of files that have sentences of words alone

  // Labels of brackets without function tags, a root over all words, every bracket over a word at least, those
  // that hold another before it. Throws InputError, which says where the sentence stands and its number, from 1 on.
  void add(SentenceTree tree, double weight = 1, RecordPlace place = {});
};

}  // namespace hinge
