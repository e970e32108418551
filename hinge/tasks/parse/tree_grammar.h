// The grammar that trees follow, read off them and binarised for inference/chart.h. With `horizontal` h and
// `vertical` v (Klein & Manning 2003), a bracket A below P with children B C D is
//
//     A^P → B @A^P|B      @A^P|B → C D            @ remembers the last h children, ^ the v − 1 brackets above
//
// and brackets over the same words, A over B over tag t, are one chain: A > B > t. Every tree of the grammar
// has one derivation, and trees go there and back.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "hinge/core/archive.h"
#include "hinge/core/string_table.h"
#include "hinge/inference/chart.h"
#include "hinge/tasks/parse/tree.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

struct Markovisation {
  int horizontal = 1, vertical = 1;
};

class TreeGrammar {
 public:
  static constexpr Index kRoot = 0;  // its label
  static constexpr Index kNone = ChartGrammar::kNone;
  struct Chain {
    std::vector<Index> symbols;  // from the top down; the last is a tag or the bracket with the rule
    std::vector<Index> labels;   // of its brackets, without the root
    std::vector<Index> steps;    // which unary steps (see `step`) it is made of
  };

  // What complete parts of the trees show: brackets all of whose children are known. Throws InputError, which says where
  // the first tree stands, when no root is among them.
  TreeGrammar(const std::vector<SentenceTree>& trees, const Markovisation& markovisation,
              const RecordPlace& first = {});
  explicit TreeGrammar(const Archive& archive);
  void save(Archive& archive) const;

  const ChartGrammar& chart() const { return *chart_; }
  const StringTable& labels() const { return labels_; }  // of brackets; the root's is the first
  const StringTable& tags() const { return tags_; }
  Index label_of(Index symbol) const { return label_of_[symbol]; }  // of the bracket; kNone of tags
  std::string symbol_name(Index symbol) const;
  // Chain c is the chart's chain c.
  const std::vector<Chain>& chains() const { return chains_; }
  const Chain& chain_of(Index unary) const { return chains_[unary - 1]; }
  // Unary steps: a symbol right above another.
  const std::vector<std::pair<Index, Index>>& steps() const { return steps_; }

  // The derivation of a complete tree; nothing where the grammar lacks some of it.
  std::optional<ChartTree> encode(const SentenceTree& tree) const;
  // Adds the brackets of a derivation, with their tags, to the words of a sentence.
  void decode(const ChartTree& derivation, SentenceTree& out) const;

 private:
  class Namer;
  class Collector;
  class Encoder;
  void finish(std::vector<ChartGrammar::Rule> rules, const RecordPlace& first);

  Markovisation markovisation_;
  StringTable labels_, tags_;
  StringTable inner_;            // names of symbols that are no tags
  std::vector<Index> label_of_;  // of each symbol
  std::vector<char> bare_;
  std::vector<Chain> chains_;
  std::map<std::vector<Index>, Index> chain_numbers_;
  std::vector<std::pair<Index, Index>> steps_;
  std::shared_ptr<const ChartGrammar> chart_;
};

}  // namespace hinge
