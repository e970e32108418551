// What files of trees say: sentences with their trees, as far as they are known.
#pragma once

#include <vector>

#include "hinge/tasks/parse/tree.h"

namespace hinge {

struct ParseRecords {
  std::vector<SentenceTree> trees;
  std::vector<double> weights;  // of each

  // Labels of brackets without function tags, a root over all words, every bracket over a word at least, those
  // that hold another before it. Throws InputError, which says the number of the sentence.
  void add(SentenceTree tree, double weight = 1);
};

}  // namespace hinge
