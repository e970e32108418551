// Options of motif.
#pragma once

#include "hinge/tasks/motif/motif_task.h"
#include "hinge/tasks/option_lists.h"

namespace hinge {

struct MotifFiles {
  std::vector<std::string> positive, negative;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("positive", self.positive, range::file,
          "FASTA files of sequences with the motif, beside or instead of `data`");
    visit("negative", self.negative, range::file, "FASTA files of sequences without it");
  }
};

struct MotifModel {
  std::vector<double> length = {10};
  int background_order = 3;
  std::string strands = "forward";
  std::string alphabet = "dna";
  double negative_weight = 1, background_weight = 1;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("length", self.length, range::between(1, MotifTask::kMaxLength),
          "letters of the motif; `hinge cross-validate` compares several");
    visit("background_order", self.background_order, range::between(0, MotifTask::kMaxOrder),
          "letters before it that the background of a letter depends on");
    visit("strands", self.strands, range::one_of({"forward", "both"}),
          "read the motif as written, or also on the opposite strand of DNA");
    visit("alphabet", self.alphabet, range::one_of({"dna", "protein"}), "which letters there are");
    visit("negative_weight", self.negative_weight, range::positive,
          "how much the loss of a sequence without the motif counts");
    visit("background_weight", self.background_weight, range::positive,
          "how much that of a sequence for the background alone does (third field 0)");
  }
};

struct MotifColumns {
  bool marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("marginals", self.marginals, range::any, "one more column: the probability that there is a motif");
  }
};

struct MotifOptions {
  MotifFiles files;
  MotifModel model;
  MotifColumns columns;

  std::vector<OptionRef> train() { return all_options(files, model); }
  std::vector<OptionRef> read() { return list_options(files); }
  std::vector<OptionRef> predict() { return list_options(columns); }
  std::vector<OptionRef> kept() {
    return only({"length", "background_order", "strands", "alphabet"}, list_options(model));
  }
};

}  // namespace hinge
