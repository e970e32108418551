// Sequences of random letters, half of which hold a motif: one word, drawn once, each of its letters changed
// to another one with probability `noise`, at a random position. In the form NAME:LABEL:1:SEQUENCE.
#pragma once

#include <string>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/core/random.h"

namespace hinge {

struct MotifSimulation {
  int length = 11;
  int sequence_length = 200;
  double noise = 0.15;
  std::string strands = "forward";

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("length", self.length, range::between(1, 1000), "letters of the motif");
    visit("sequence_length", self.sequence_length, range::between(1, 1e6), "letters of a sequence");
    visit("noise", self.noise, range::between(0, 1), "probability that a letter of the motif is another one");
    visit("strands", self.strands, range::one_of({"forward", "both"}),
          "plant the motif as it is, or half the time its reverse complement");
  }
};

std::string draw_motif(const MotifSimulation& options, Random& random);
// Sequences with the motif and without, in turn.
std::vector<std::string> simulate_motif(std::size_t count, const std::string& motif,
                                        const MotifSimulation& options, Random& random);

}  // namespace hinge
