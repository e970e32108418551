// Makes the features of all pairs of a document from the fields of its items, by comparators, and from what
// the data gives. Every pair has the feature "link" besides. Training gives features their numbers; later
// data is read with them, and what they lack is counted.
#pragma once

#include <map>

#include "hinge/tasks/cluster/comparators.h"
#include "hinge/tasks/cluster/document.h"

namespace hinge {

// Numbers tuples of `width` numbers 0, 1, 2, ... as they are first seen.
class TupleTable {
 public:
  explicit TupleTable(std::size_t width) : width_(width), slots_(64, kFree) {}
  std::size_t size() const { return count_; }
  // The number of the tuple; `size()` grows when it is new.
  Index intern(const Index* tuple);
  const Index* tuple(Index number) const { return tuples_.data() + number * width_; }

 private:
  static constexpr Index kFree = 0xffffffff;
  std::size_t locate(const Index* tuple) const;

  std::size_t width_, count_ = 0;
  std::vector<Index> tuples_, slots_;
};

class PairEncoder {
 public:
  // Given pair features are named by `given`. `grows`: features that are new get numbers.
  PairEncoder(const std::vector<Comparator>& comparators, const StringTable& given, StringTable& features,
              bool grows);

  Document operator()(const ItemDocument& items);
  // Features of distinct pairs so far that training had not.
  std::size_t unseen() const { return unseen_; }

 private:
  struct Crossing {
    std::vector<std::size_t> terms;  // indices into terms_
    TupleTable outcomes;
    std::vector<Index> feature;  // of each tuple of outcomes; kNone where training had none
  };
  Index number(std::string_view name);
  Index feature(Crossing& crossing, const Index* outcomes);
  void add_row(const Index* outcomes, FeatureRows& rows);

  std::vector<Term> terms_;  // of all comparators, each once
  std::vector<Crossing> crossings_;
  StringTable values_;  // that first, second and values have met
  StringTable& features_;
  bool grows_;
  std::vector<Index> given_;  // numbers of the features that the data gives
  std::vector<Index> row_, crossed_;
  std::size_t unseen_ = 0;
};

}  // namespace hinge
