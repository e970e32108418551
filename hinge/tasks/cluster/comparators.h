// Comparators turn fields of two items into features of the pair. A term has one outcome for a pair:
//
// | term          | outcomes                                                                  | of fields
// that are |
// |---------------|---------------------------------------------------------------------------|--------------------|
// | equal:F       | same, different                                                           | anything | |
// head:F        | same, different last word                                                 | texts | |
// similarity:F  | 0, <.25, <.5, <.75, <1, 1: 2 common bigrams of letters / bigrams of both  | texts | |
// words:F       | none, some, within (all words of one in the other), same                  | texts | |
// distance:F    | 0, 1, 2, 3, 4, 5-7, 8-15, 16-31, 32-63, 64+: absolute difference          | numbers | |
// span:F        | same, within, overlap, adjacent, one between, apart                       | spans | |
// first:F       | the value of the earlier item                                             | anything | |
// second:F      | the value of the later item                                               | anything | |
// values:F      | both                                                                      | anything |
//
// Letters are compared without regard to case (ASCII). A comparator is one term or several joined by '+', and
// gives the pair the feature of all their outcomes together; none where a field is missing. The field `order`
// is the number of the item in its document where the data has no such field.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/string_table.h"
#include "hinge/tasks/cluster/items.h"

namespace hinge {

struct Term {
  enum class Kind { equal, head, similarity, words, distance, span, first, second, values };
  Kind kind;
  std::string field;

  static Term parse(const std::string& text, const std::string& comparator);  // throws InputError
  std::string text() const;
  // Whether values of this kind have outcomes.
  bool compares(Cell::Kind value) const {
    if (value == Cell::Kind::text) return kind != Kind::distance && kind != Kind::span;
    return value != Cell::Kind::missing;
  }
  friend bool operator==(const Term&, const Term&) = default;
};

using Comparator = std::vector<Term>;
Comparator parse_comparator(const std::string& text);
std::vector<Comparator> parse_comparators(const std::vector<std::string>& texts);
// Those for mentions in a text (see docs/cluster.md).
const std::vector<std::string>& mention_comparators();

// One term on the items of one document.
class TermOutcomes {
 public:
  // Values of first, second and values are numbered by `values`, from 1 on.
  TermOutcomes(const Term& term, const ItemTable& items, StringTable& values);
  // out[i] = the outcome of the pair (i, j), 0 where there is none, of all i < j.
  void row(std::size_t j, Index* out) const;

  static std::string name(const Term& term, Index outcome, const StringTable& values);

 private:
  Index compare(std::size_t i, std::size_t j) const;

  Term::Kind kind_;
  std::vector<Index> code_;               // of equal, head, first, second, values; 0 where missing
  std::vector<std::vector<Index>> sets_;  // of similarity and words, ascending
  std::vector<std::pair<double, double>> numbers_;
  std::vector<char> present_;
};

}  // namespace hinge
