#include "hinge/tasks/parse/told_trees.h"

#include "hinge/tasks/shared_records.h"

namespace hinge {
namespace {

using Child = TreeChildren::Child;

// Texts that stand for the parts of a tree.
std::vector<std::string> parts_of(const SentenceTree& tree, int vertical) {
  std::vector<std::string> parts;
  for (const std::string& tag : tree.tags) parts.push_back("/" + tag);
  const TreeChildren children(tree);
  const auto open = [&](std::size_t b) { return tree.brackets[b].label == SentenceTree::kOpen; };
  const auto name = [&](Child child) {
    return child < 0 ? "/" + tree.tags[static_cast<std::size_t>(~child)]
                     : tree.brackets[static_cast<std::size_t>(child)].label;
  };
  for (std::size_t b = 0; b < tree.brackets.size(); ++b) {
    parts.push_back("=" + tree.brackets[b].label);
    if (open(b)) continue;
    if (const std::size_t above = children.parent(b); b != 0 && children[above].size() == 1 && !open(above))
      continue;  // in the chain of the one above
    std::string part;
    for (std::size_t above = b, v = 1; v < static_cast<std::size_t>(vertical) && above != 0; ++v) {
      above = children.parent(above);
      part += "^" + tree.brackets[above].label;
    }
    std::size_t last = b;
    part += " " + tree.brackets[b].label;
    while (children[last].size() == 1) {
      const Child below = children[last][0];
      part += '>';
      part += name(below);
      if (below < 0 || open(static_cast<std::size_t>(below))) break;
      last = static_cast<std::size_t>(below);
    }
    if (children[last].size() > 1)
      for (const Child child : children[last]) {
        part += ' ';
        part += name(child);
      }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

ToldTrees::ToldTrees(const ParseRecords& records, int vertical) {
  std::set<std::string> seen;
  for (const SentenceTree& tree : records.trees) {
    bool shows = false;
    for (std::string& part : parts_of(tree, vertical)) shows = seen.insert(std::move(part)).second || shows;
    if (!shows) continue;
    Told& told = trees_.emplace_back();
    told.tags = tree.tags;
    for (const TreeBracket& bracket : tree.brackets) {
      told.labels.push_back(bracket.label);
      told.spans.emplace_back(bracket.begin, bracket.end);
    }
  }
}

void ToldTrees::add_to(ParseRecords& all) const {
  for (const Told& told : trees_) {
    SentenceTree& tree = all.trees.emplace_back();
    tree.tags = told.tags;
    tree.words.resize(told.tags.size());
    for (std::size_t b = 0; b < told.labels.size(); ++b)
      tree.brackets.push_back({told.labels[b], told.spans[b].first, told.spans[b].second});
    all.weights.push_back(1);
    all.places.emplace_back();
  }
}

WordUses words_of_all(const ParseRecords& own, Ranks* ranks) {
  const WordUses words = word_uses(own.trees);
  if (ranks == nullptr) return words;
  struct Told {
    std::string word;
    int count = 0;
    std::vector<std::string> tags;
    void keep(Snapshot& snapshot) { snapshot(word, count, tags); }
  };
  std::vector<Told> told;
  for (const auto& [word, use] : words) told.push_back({word, use.count, {use.tags.begin(), use.tags.end()}});
  WordUses all;
  for (const std::vector<Told>& theirs : told_by_all(*ranks, told))
    for (const Told& one : theirs) {
      WordUse& use = all[one.word];
      use.count += one.count;
      use.tags.insert(one.tags.begin(), one.tags.end());
    }
  return all;
}

}  // namespace hinge
