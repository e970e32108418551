// A sentence with what is known of its tree: words, their tags, and brackets in the order in which they open.
//
//     (ROOT (NP (DT the) (NN dog)) (? barks (ADVP (RB loudly)) (. .)))
//
// The bracket `?` says that its pieces, here `barks`, the ADVP and the full stop, may be grouped in any way: more
// brackets may stand over neighbouring pieces, or over one. All other brackets have the children that they
// show. A word without a bracket of its own has no known tag.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hinge/core/vector.h"

namespace hinge {

struct TreeBracket {
  std::string label;  // kOpen where it only says that its pieces may be grouped in any way
  Index begin, end;   // the words below it
  friend bool operator==(const TreeBracket&, const TreeBracket&) = default;
};

struct SentenceTree {
  static constexpr const char* kOpen = "?";
  static constexpr const char* kRoot = "ROOT";

  std::vector<std::string> words;
  std::vector<std::string> tags;      // as many; empty where it is not known
  std::vector<TreeBracket> brackets;  // a bracket stands before those in it; the first is the root's

  // The root over all words, with nothing known between.
  static SentenceTree of_words(std::vector<std::string> words);
  bool complete() const;  // every tag is known, and no bracket is open
  friend bool operator==(const SentenceTree&, const SentenceTree&) = default;
};

// For each bracket its children, in their order: brackets by their number, words as ~word.
class TreeChildren {
 public:
  using Child = std::ptrdiff_t;  // bracket b ≥ 0, or ~word < 0
  explicit TreeChildren(const SentenceTree& tree);
  const std::vector<Child>& operator[](std::size_t bracket) const { return children_[bracket]; }
  std::size_t parent(std::size_t bracket) const { return parent_[bracket]; }  // the root's is itself

 private:
  std::vector<std::vector<Child>> children_;
  std::vector<std::size_t> parent_;
};

// What evalb and grammars see of a label: NP of NP-SBJ-1 and NP=2; labels such as -LRB- stay.
std::string_view bare_label(std::string_view label);

// The tree in brackets, on one line without its end.
void append_tree(const SentenceTree& tree, std::string& out);

}  // namespace hinge
