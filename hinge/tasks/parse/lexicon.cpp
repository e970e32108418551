#include "hinge/tasks/parse/lexicon.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

namespace hinge {
namespace {

constexpr const char* kAnyClass = "<?>";  // of words with a class that training never saw

bool any_letter(std::string_view word, int (*is)(int)) {
  return std::ranges::any_of(word, [&](unsigned char c) { return is(c) != 0; });
}

}  // namespace

std::string word_class(std::string_view word) {
  std::string name = "<";
  const bool upper = any_letter(word, std::isupper), lower = any_letter(word, std::islower);
  const bool beyond = std::ranges::any_of(word, [](unsigned char c) { return c >= 0x80; });
  if (!upper && !lower && !beyond) {
    name += any_letter(word, std::isdigit) ? "num" : "sign";
    return name + ">";
  }
  if (upper) name += lower ? (std::isupper(static_cast<unsigned char>(word[0])) ? "Cap" : "mixed") : "CAPS";
  if (any_letter(word, std::isdigit)) name += "-digit";
  if (word.find('-') != word.npos) name += "-hyphen";
  if (word.size() > 4)
    for (const char* ending : {"ing", "ed", "ly", "ion", "ity", "ness", "ment", "able", "er", "est", "al",
                               "ous", "ive", "ic", "ist", "ism", "ies", "s", "y"})
      if (word.ends_with(ending)) return name + "-" + ending + ">";
  return name + ">";
}

WordUses word_uses(const std::vector<SentenceTree>& trees) {
  WordUses words;
  for (const SentenceTree& tree : trees)
    for (std::size_t i = 0; i < tree.words.size(); ++i) {
      WordUse& use = words[tree.words[i]];
      ++use.count;
      if (!tree.tags[i].empty()) use.tags.insert(tree.tags[i]);
    }
  return words;
}

Lexicon::Lexicon(const WordUses& words, const StringTable& tags, int min_count) {
  for (const auto& [word, use] : words)
    if (use.count >= min_count) entries_.intern(word);
  for (const auto& [word, use] : words) classes_.intern(word_class(word));
  for (const auto& [word, use] : words)
    if (use.count < min_count) entries_.intern(word_class(word));
  const Index other = entries_.intern(kAnyClass);
  std::vector<std::set<Index>> seen(entries_.size());
  for (const auto& [word, use] : words)
    for (const std::string& name : use.tags) {
      const Index number = entry(word), tag = tags.find(name);
      seen[number].insert(tag);
      if (!known(word)) seen[other].insert(tag);
    }
  first_tag_.push_back(0);
  for (std::size_t e = 0; e < seen.size(); ++e) {
    const std::set<Index>& own = seen[e].empty() ? seen[other] : seen[e];
    if (own.empty())  // no rare word has a tag: any may be it
      for (Index t = 0; t < tags.size(); ++t) tags_.push_back(t);
    tags_.insert(tags_.end(), own.begin(), own.end());
    first_tag_.push_back(static_cast<Index>(tags_.size()));
  }
}

Index Lexicon::entry(std::string_view word) const {
  if (const Index own = entries_.find(word); own != StringTable::kNone) return own;
  if (const Index form = entries_.find(word_class(word)); form != StringTable::kNone) return form;
  return entries_.find(kAnyClass);
}

Index Lexicon::class_number(std::string_view word) const {
  const Index number = classes_.find(word_class(word));
  return number == StringTable::kNone ? static_cast<Index>(classes_.size()) : number;
}

void Lexicon::save(Archive& archive) const {
  entries_.save(archive, "words");
  classes_.save(archive, "classes");
  archive.arrays["word_tags"] = tags_;
  archive.arrays["word_first_tag"] = first_tag_;
}

Lexicon::Lexicon(const Archive& archive, std::size_t tags) {
  entries_.load(archive, "words");
  classes_.load(archive, "classes");
  tags_ = archive.get<Index>("word_tags");
  first_tag_ = archive.get<Index>("word_first_tag");
  const bool fits = entries_.find(kAnyClass) != StringTable::kNone &&
                    first_tag_.size() == entries_.size() + 1 && first_tag_.front() == 0 &&
                    first_tag_.back() == tags_.size() && std::ranges::is_sorted(first_tag_) &&
                    std::ranges::all_of(tags_, [&](Index t) { return t < tags; });
  if (!fits) fail("the model's words and tags do not fit together: train it again.");
}

}  // namespace hinge
