#include "hinge/tasks/motif/simulation.h"

#include <algorithm>

#include "hinge/core/errors.h"
#include "hinge/tasks/motif/alphabet.h"

namespace hinge {
namespace {

std::string random_letters(std::size_t count, Random& random) {
  std::string text(count, ' ');
  for (char& c : text) c = Alphabet::dna().letters()[random.below(4)];
  return text;
}

std::string reverse_complement(std::string text) {
  const Alphabet& dna = Alphabet::dna();
  std::ranges::reverse(text);
  for (char& c : text) c = dna.letters()[dna.complement(dna.symbol(c))];
  return text;
}

}  // namespace

std::string draw_motif(const MotifSimulation& options, Random& random) {
  validate(options);
  if (options.length > options.sequence_length)
    fail("`length` is {}, but a sequence has {} letters only: choose a larger `sequence_length`.",
         options.length, options.sequence_length);
  return random_letters(static_cast<std::size_t>(options.length), random);
}

std::vector<std::string> simulate_motif(std::size_t count, const std::string& motif,
                                        const MotifSimulation& options, Random& random) {
  const Alphabet& dna = Alphabet::dna();
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < count; ++k) {
    std::string text = random_letters(static_cast<std::size_t>(options.sequence_length), random);
    const bool planted = k % 2 == 0;
    if (planted) {
      std::string site = motif;
      for (char& c : site)
        if (random.uniform() < options.noise) c = dna.letters()[(dna.symbol(c) + 1 + random.below(3)) % 4];
      if (options.strands == "both" && random.uniform() < 0.5) site = reverse_complement(site);
      text.replace(random.below(text.size() - site.size() + 1), site.size(), site);
    }
    lines.push_back(fmt::format("{}:{}:1:{}", k + 1, planted ? "1" : "-1", text));
  }
  return lines;
}

}  // namespace hinge
