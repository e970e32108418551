// Chunks in label sequences, found and counted; of labels B, I and O as the conlleval script of CoNLL-2000
// does.
//
// A label is O or prefix-type. With (p, q) the prefixes of two neighbouring labels of one type,
//
//     a chunk starts before q   when q is B or S, or q is I or E and p is E, S or O;
//     a chunk ends behind p     when p is E or S, or p is B or I and q is B, S or O,
//
// and between labels of different types every chunk ends and another starts (unless they are O). Outside a
// sequence all labels are O. A chunk is right when start, end and type are. These rules read IOB1, IOB2 and
// BIOES alike, and give every label sequence, however odd, one reading. Those for E and S are not the
// script's, which does not know BIOES: they are the lenient ones that seqeval follows by default, where E and
// S end a chunk whatever comes next, and an I or E that follows one begins another. Well-formed BIOES has the
// chunks that it spells.
//
//     precision = right / predicted,   recall = right / true,   f1 = 2 · right / (predicted + true)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hinge/tasks/sequence/sequence.h"

namespace hinge {

struct ChunkCounts {
  std::size_t right = 0, gold = 0, predicted = 0;

  double precision() const { return ratio(right, predicted); }
  double recall() const { return ratio(right, gold); }
  double f1() const { return ratio(2 * right, predicted + gold); }

 private:
  static double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// Which way of writing chunks the labels follow: "BIOES" (there are E- or S- labels), "IOB" or "" when some
// label is neither O nor prefix-type, or all of them are O.
std::string chunk_scheme(std::span<const std::string> label_names);

// Where chunks begin and end, by the rules above. Labels are given by their index into the names.
class ChunkTags {
 public:
  explicit ChunkTags(std::span<const std::string> label_names);

  static constexpr int kNothing = -1;  // outside the sequence
  bool starts(int before, int after) const { return starts(tag(before), tag(after)); }
  bool ends(int before, int after) const { return ends(tag(before), tag(after)); }
  bool outside(int label) const { return tag(label).prefix == Prefix::outside; }
  // Types in alphabetical order; the first is the empty text, which labels without a type have, such as O.
  const std::vector<std::string>& types() const { return types_; }
  std::size_t type(int label) const { return tag(label).type; }

 private:
  enum class Prefix : std::uint8_t { outside, begin, inside, end, single, other };
  struct Tag {
    Prefix prefix = Prefix::outside;
    std::size_t type = 0;
  };
  Tag tag(int label) const { return label == kNothing ? Tag{} : tags_[static_cast<std::size_t>(label)]; }
  static Prefix prefix_of(std::string_view text);
  static bool starts(Tag before, Tag after);
  static bool ends(Tag before, Tag after);

  std::vector<Tag> tags_;  // by label
  std::vector<std::string> types_;
};

class ChunkCounter {
 public:
  // Labels are given by their index into these names.
  explicit ChunkCounter(std::span<const std::string> label_names);

  // Counts one sequence; both are as long.
  void add(std::span<const int> gold, std::span<const int> predicted);

  ChunkCounts total() const;
  // Types in alphabetical order, beside their counts.
  const std::vector<std::string>& types() const { return tags_.types(); }
  const std::vector<ChunkCounts>& by_type() const { return counts_; }

 private:
  ChunkTags tags_;
  std::vector<ChunkCounts> counts_;
};

}  // namespace hinge
