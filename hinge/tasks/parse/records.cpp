#include "hinge/tasks/parse/records.h"

#include <utility>

namespace hinge {

void ParseRecords::add(SentenceTree tree, double weight, RecordPlace place) {
  const std::size_t number = trees.size() + 1;
  if (tree.words.empty()) fail_at(place, "sentence {} has no word: give it one.", number);
  if (tree.tags.size() != tree.words.size())
    fail_at(place, "sentence {} has {} words and {} tags: give each word one, empty where it is not known.",
            number, tree.words.size(), tree.tags.size());
  const auto written = [](const std::string& text) { return text.find_first_of(" \t\n\r()") == text.npos; };
  for (std::size_t k = 0; k < tree.words.size(); ++k)
    if (tree.words[k].empty() || !written(tree.words[k]) || !written(tree.tags[k]))
      fail_at(
          place,
          "sentence {}: the word '{}' with tag '{}' is empty, or has blanks or brackets in it: write -LRB- "
          "and "
          "-RRB-.",
          number, tree.words[k], tree.tags[k]);
  const auto n = static_cast<Index>(tree.words.size());
  if (tree.brackets.empty() || tree.brackets[0] != TreeBracket{SentenceTree::kRoot, 0, n})
    fail_at(place, "sentence {} has no root over all of its words: let its first bracket be {} from 0 to {}.",
            number, SentenceTree::kRoot, n);
  std::vector<const TreeBracket*> open;
  for (const TreeBracket& b : tree.brackets) {
    while (!open.empty() && open.back()->end <= b.begin) open.pop_back();
    const bool inside = open.empty() ? &b == &tree.brackets[0] : open.back()->begin <= b.begin;
    if (b.label.empty() || b.begin >= b.end || !inside || (!open.empty() && b.end > open.back()->end))
      fail_at(place,
              "sentence {}: the bracket '{}' from {} to {} has no label or word, or does not fit into those "
              "before it.",
              number, b.label, b.begin, b.end);
    if (b.label == SentenceTree::kRoot && !open.empty())
      fail_at(place, "sentence {}: the label {} stands below the top, where only the whole tree has it.",
              number, b.label);
    open.push_back(&b);
  }
  trees.push_back(std::move(tree));
  weights.push_back(weight);
  places.push_back(std::move(place));
}

}  // namespace hinge
