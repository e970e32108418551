// Options of align.
#pragma once

#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/pair_columns.h"

namespace hinge {

struct AlignModel {
  std::string alphabet = "protein", mode = "global", structure = "use";
  int window = 2, tolerance = 0;
  bool balance = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("alphabet", self.alphabet, range::one_of({"protein", "dna"}), "which letters there are");
    visit("mode", self.mode, range::one_of({"global", "local"}),
          "align all letters, or let an alignment begin and end where it likes");
    visit("window", self.window, range::between(0, 10),
          "how many letters to each side of a pair are compared too");
    visit("structure", self.structure, range::one_of({"use", "ignore"}),
          "what to do with secondary structure where the data has it");
    visit("tolerance", self.tolerance, range::between(0, 1000),
          "a letter costs nothing that is aligned at most so many letters away from its place");
    visit("balance", self.balance, range::any, "all families weigh the same, however many pairs they have");
  }
};

struct AlignLimits {
  double max_memory = 4096;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("max_memory", self.max_memory, range::positive,
          "refuse pairs whose alignment, or list of alignments, takes a thread more megabytes than this");
  }
};

struct AlignOptions {
  AlignModel model;
  AlignLimits limits;
  PairColumns columns;

  std::vector<OptionRef> train() { return all_options(model, limits); }
  std::vector<OptionRef> read() { return list_options(limits); }
  std::vector<OptionRef> predict() { return list_options(columns); }
  std::vector<OptionRef> kept() { return without("balance", list_options(model)); }
};

}  // namespace hinge
