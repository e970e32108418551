// The words that training fixes: those that it has often enough by themselves, others by a class of their form
// (<Cap-s> of Houses, <num> of 1987), and which tags each may have.
#pragma once

#include <map>
#include <set>

#include "hinge/core/archive.h"
#include "hinge/core/string_table.h"
#include "hinge/tasks/parse/tree.h"

namespace hinge {

// The form of a word: how it begins, whether it has digits or hyphens, how it ends.
std::string word_class(std::string_view word);

// How often trees have a word, and with which tags.
struct WordUse {
  int count = 0;
  std::set<std::string> tags;
};
using WordUses = std::map<std::string, WordUse, std::less<>>;
WordUses word_uses(const std::vector<SentenceTree>& trees);

class Lexicon {
 public:
  // Words with fewer than `min_count` uses are known by their classes only.
  Lexicon(const WordUses& words, const StringTable& tags, int min_count);
  Lexicon(const Archive& archive, std::size_t tags);
  void save(Archive& archive) const;

  // Words, then classes of rare ones, and one for classes that training never saw.
  std::size_t size() const { return entries_.size(); }
  Index entry(std::string_view word) const;
  bool known(std::string_view word) const { return entries_.find(word) != StringTable::kNone; }
  std::string_view name(Index entry) const { return entries_.text(entry); }
  std::span<const Index> tags(Index entry) const {
    return {tags_.data() + first_tag_[entry], first_tag_[entry + 1] - first_tag_[entry]};
  }
  // The classes of all words that training saw; size() where it is another.
  const StringTable& classes() const { return classes_; }
  Index class_number(std::string_view word) const;

 private:
  StringTable entries_, classes_;
  std::vector<Index> first_tag_, tags_;
};

}  // namespace hinge
