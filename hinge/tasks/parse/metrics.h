// How good trees are, counted as evalb counts with COLLINS.prm: over all sentences,
//
//     precision = matching brackets / brackets that were found        f1 = their harmonic mean
//     recall    = matching brackets / brackets of the truth
//
// Brackets match where label and words do, each once. The root's and those of tags do not count, words whose
// true tag is , : `` '' or . are left out before (with brackets over nothing else), PRT is ADVP. Where the truth
// leaves spans open, brackets that it does not name there count neither way.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "hinge/tasks/parse/tree.h"

namespace hinge {

class ParseMetrics {
 public:
  // `fell_back`: the grammar has no tree for the sentence. `approximate`: the search for it left something out.
  void add(const SentenceTree& truth, const SentenceTree& found, double loss, bool fell_back,
           bool approximate = false);
  // Throws InputError where nothing was known of any tree.
  nlohmann::json json() const;

 private:
  using Bracket = std::tuple<std::string, Index, Index>;
  struct Counts {
    std::size_t truth = 0, found = 0, matching = 0;
  };

  std::size_t sentences_ = 0, unlabelled_ = 0, exact_ = 0, fell_back_ = 0, crossing_ = 0,
              without_crossing_ = 0, approximate_ = 0;
  std::size_t words_ = 0, right_tags_ = 0;
  double loss_ = 0;
  Counts all_;
  std::map<std::string, Counts> labels_;
};

// The same for people.
std::string parse_report(const nlohmann::json& metrics);

}  // namespace hinge
