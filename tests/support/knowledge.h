// Random prior knowledge about chains.
#pragma once

#include "hinge/core/random.h"
#include "hinge/inference/constraints.h"

namespace hinge {

// Sets, tables and automata of three states, drawn; an example of each length with features of all three
// kinds, each of a rule of its own kind: rule 0 has positions, 1 pairs, 2 wholes.
inline Knowledge random_knowledge(const std::vector<std::size_t>& lengths, std::size_t labels,
                                  std::size_t wholes, std::uint64_t seed) {
  Random random(seed * 7 + 1);
  Knowledge knowledge;
  const auto flag = [&] { return static_cast<char>(random.below(3) > 0); };
  for (int s = 0; s < 3; ++s) {
    LabelFlags set(labels);
    for (char& member : set) member = flag();
    knowledge.shared.sets.push_back(set);
    PairTable table{labels, std::vector<char>(labels * labels)};
    for (char& allowed : table.allowed) allowed = flag();
    knowledge.shared.tables.push_back(table);
    Automaton automaton{labels, std::vector<std::uint16_t>(3 * labels), {flag(), flag(), flag()}};
    for (auto& next : automaton.next) next = static_cast<std::uint16_t>(random.below(3));
    knowledge.shared.automata.push_back(automaton);
  }
  knowledge.rules = {{.name = "positions"}, {.name = "pairs"}, {.name = "wholes"}};
  const auto drawn = [&] { return static_cast<std::uint32_t>(random.below(3)); };
  for (const std::size_t length : lengths) {
    Constraints features;
    for (std::uint32_t t = 0; t < length; ++t) {
      for (std::uint32_t copies = drawn(); copies > 0; --copies)
        features.positions.push_back({t, drawn(), 0});
      if (t + 1 < length)
        for (std::uint32_t copies = drawn(); copies > 0; --copies) features.pairs.push_back({t, drawn(), 1});
    }
    random.shuffle(features.pairs);
    for (std::size_t k = 0; k < wholes; ++k)
      features.wholes.push_back({static_cast<std::uint32_t>(k % 3), 2});
    knowledge.examples.push_back(std::move(features));
  }
  return knowledge;
}

}  // namespace hinge
