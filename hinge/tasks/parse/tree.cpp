#include "hinge/tasks/parse/tree.h"

#include <algorithm>

namespace hinge {

SentenceTree SentenceTree::of_words(std::vector<std::string> words) {
  const auto n = static_cast<Index>(words.size());
  SentenceTree tree;
  tree.tags.resize(n);
  tree.words = std::move(words);
  tree.brackets = {{kRoot, 0, n}, {kOpen, 0, n}};
  return tree;
}

bool SentenceTree::complete() const {
  return std::ranges::none_of(tags, &std::string::empty) &&
         std::ranges::none_of(brackets, [](const TreeBracket& b) { return b.label == kOpen; });
}

TreeChildren::TreeChildren(const SentenceTree& tree)
    : children_(tree.brackets.size()), parent_(tree.brackets.size()) {
  std::vector<std::size_t> open;
  Index word = 0;
  const auto add_words = [&](Index until) {  // words before the next bracket, each to the innermost one open
    while (word < until) {
      while (tree.brackets[open.back()].end <= word) open.pop_back();
      children_[open.back()].push_back(~static_cast<Child>(word++));
    }
  };
  for (std::size_t b = 0; b < tree.brackets.size(); ++b) {
    if (!open.empty()) {
      add_words(tree.brackets[b].begin);
      while (tree.brackets[open.back()].end <= tree.brackets[b].begin) open.pop_back();
      parent_[b] = open.back();
      children_[open.back()].push_back(static_cast<Child>(b));
    }
    open.push_back(b);
  }
  add_words(static_cast<Index>(tree.words.size()));
}

std::string_view bare_label(std::string_view label) {
  if (label.empty() || label.front() == '-') return label;
  return label.substr(0, label.find_first_of("-=|"));
}

void append_tree(const SentenceTree& tree, std::string& out) {
  std::size_t next = 0;
  std::vector<Index> ends;
  for (Index word = 0; word < tree.words.size(); ++word) {
    for (; next < tree.brackets.size() && tree.brackets[next].begin == word; ++next) {
      if (next > 0) out.push_back(' ');
      out.append("(").append(tree.brackets[next].label);
      ends.push_back(tree.brackets[next].end);
    }
    out.push_back(' ');
    if (tree.tags[word].empty())
      out.append(tree.words[word]);
    else
      out.append("(").append(tree.tags[word]).append(" ").append(tree.words[word]).append(")");
    for (; !ends.empty() && ends.back() == word + 1; ends.pop_back()) out.push_back(')');
  }
}

}  // namespace hinge
