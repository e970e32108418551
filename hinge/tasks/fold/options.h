// Options of fold.
#pragma once

#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/pair_columns.h"

namespace hinge {

struct FoldModel {
  std::string features = "all", energies;
  int max_loop = 30;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("features", self.features, range::one_of({"pairs", "stacks", "loops", "mismatches", "all"}),
          "what scores: pairs alone; with stacks of two; with lengths of loops; with letters beside pairs "
          "inside loops; with "
          "those beside the branches of multiloops and of the exterior");
    visit("energies", self.energies, range::file,
          "a file of published energies (ViennaRNA's parameter file, version 2.0), which learning corrects "
          "instead of beginning with nothing");
    visit("max_loop", self.max_loop, range::between(0, 30), "letters at most of a loop between two pairs");
  }
};

struct FoldReading {
  std::string crossing = "refuse";
  double gamma = 1, max_memory = 4096;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("crossing", self.crossing, range::one_of({"refuse", "drop"}),
          "pseudoknots in the data: refuse them, or leave pairs out that cross others, as not known");
    visit("gamma", self.gamma, range::positive,
          "of decoding by max-marginals: more finds more pairs, of which more are wrong");
    visit("max_memory", self.max_memory, range::positive,
          "refuse sequences whose fold, or list of folds, takes a thread more megabytes than this");
  }
};

struct FoldWriting {
  std::string notation = "dots";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("notation", self.notation, range::one_of({"dots", "ct", "bpseq"}), "how to write folds");
  }
};

struct FoldOptions {
  FoldModel model;
  FoldReading reading;
  FoldWriting writing;
  PairColumns columns;

  std::vector<OptionRef> train() { return all_options(model, reading); }
  std::vector<OptionRef> read() { return list_options(reading); }
  std::vector<OptionRef> predict() { return all_options(writing, columns); }
  std::vector<OptionRef> kept() { return list_options(model); }
};

}  // namespace hinge
