// CoNLL-U (Universal Dependencies): ten columns between tabs, one of which is the label.
//
//     ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
//
// A line is a word (ID 7), a range of words that were written together (3-4), an empty node (5.1), or a
// comment ('#'); only words are tokens. '_' means that nothing is said, except as FEATS and MISC, where it is
// a value like any other: a word without features.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

struct Conllu {
  static constexpr std::size_t kColumns = 10, kForm = 1, kHead = 6, kMisc = 9;
  static constexpr std::array<std::string_view, kColumns> kNames = {
      "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"};

  enum class Kind { word, range, empty_node, none };

  // Those that can be the label.
  static const std::vector<std::string>& labels();
  // The number of a column, whose name must be one.
  static std::size_t column(std::string_view name);
  // Whether '_' in that column means that the label is not known.
  static bool unsaid(std::size_t column) { return kNames[column] != "feats" && kNames[column] != "misc"; }

  // What lies between the tabs, empty texts too.
  static void split(std::string_view line, std::vector<std::string_view>& fields);
  static Kind kind(std::string_view id);
  // Whether a first line of data is one of CoNLL-U: it has ten columns, the first ID of a sentence and a
  // HEAD.
  static bool begins(std::string_view line);
};

}  // namespace hinge
