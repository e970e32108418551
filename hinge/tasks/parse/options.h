// Options of parse.
#pragma once

#include "hinge/tasks/option_lists.h"

namespace hinge {

struct ParseTraining {
  std::string tags = "given";
  int horizontal = 1, vertical = 1;
  std::string features = "all";
  int min_count = 2;
  double beam = 0;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("tags", self.tags, range::one_of({"given", "found"}),
          "take the tags of words as the data gives them, or find them with the tree, from words alone");
    visit("horizontal", self.horizontal, range::between(0, 1000),
          "how many children to the left a rule remembers where a bracket has more than two");
    visit("vertical", self.vertical, range::between(1, 10),
          "how many brackets a rule looks at upwards, its own included");
    visit("features", self.features, range::one_of({"rules", "spans", "all"}),
          "weights for rules; for words and tags at the ends of brackets and around them too; and for those "
          "where a bracket divides");
    visit("min_count", self.min_count, range::at_least_one,
          "words that training data has less often are known by their form only");
    visit("beam", self.beam, range::not_negative,
          "leave out of each span what is worth less than its best by more than this, so that trees may be "
          "missed; 0: nothing, exact");
  }
};

struct ParseReading {
  double max_memory = 4096;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("max_memory", self.max_memory, range::positive,
          "refuse sentences whose chart takes a thread more than so many MiB");
  }
};

struct ParseOutput {
  int nbest = 1;
  bool scores = false, marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("nbest", self.nbest, range::at_least_one, "the K best trees of each sentence, with their scores");
    visit("scores", self.scores, range::any, "above each tree, its score");
    visit("marginals", self.marginals, range::any,
          "below each tree, the probability of each of its brackets");
  }
};

struct ParseOptions {
  ParseTraining training;
  ParseReading reading;
  ParseOutput output;

  std::vector<OptionRef> train() { return all_options(training, reading); }
  std::vector<OptionRef> read() { return list_options(reading); }
  std::vector<OptionRef> predict() { return list_options(output); }
  std::vector<OptionRef> kept() { return list_options(training); }
};

}  // namespace hinge
