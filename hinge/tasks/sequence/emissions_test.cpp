#include "hinge/tasks/sequence/emissions.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"

namespace hinge {
namespace {

Sequence one_position(std::vector<Index> attributes) {
  Sequence x;
  x.attribute = std::move(attributes);
  x.start.push_back(static_cast<Index>(x.attribute.size()));
  return x;
}

TEST(Emissions, ObservesThePairsOfTheData) {
  constexpr Index kAttributes = 6;
  for (const auto& [states, kLabels] : {std::pair{1u, 5u}, std::pair{2u, 5u}, std::pair{1u, 100u},
                                        std::pair{2u, 128u}, std::pair{1u, 129u}}) {
    Random random(7);
    std::vector<Sequence> inputs;
    std::vector<Labels> labels;
    std::set<std::pair<Index, Index>> seen;
    for (int i = 0; i < 12; ++i) {
      const auto a = static_cast<Index>(random.below(kAttributes)),
                 b = static_cast<Index>(random.below(kAttributes));
      const int label = i % 4 == 3 ? kUnknown : static_cast<int>(random.below(kLabels));
      inputs.push_back(one_position(a < b ? std::vector<Index>{a, b} : std::vector<Index>{a}));
      labels.push_back({label});
      for (const Index attribute : inputs.back().attribute)
        for (std::size_t j = 0; label >= 0 && j < states; ++j)
          seen.emplace(attribute, static_cast<std::size_t>(label) * states + j);
    }
    const Emissions e = Emissions::observed(kAttributes, kLabels * states, inputs, labels, states);
    ASSERT_EQ(e.size(), seen.size());
    Index weight = 0;
    for (const auto& pair : seen) EXPECT_EQ(e.pair(weight++), pair);  // in ascending order
  }
}

// A bit for each of these pairs would be 8 GiB, and a weight for each more than there can be.
TEST(Emissions, ObservedPairsMayBeFewOfVeryMany) {
  constexpr std::size_t attributes = std::size_t{1} << 20, labels = std::size_t{1} << 16;
  const std::vector<Sequence> inputs = {one_position({3, attributes - 1}), one_position({3})};
  const std::vector<Labels> labelled = {{static_cast<int>(labels - 1)}, {2}};
  const Emissions made = Emissions::observed(attributes, labels, inputs, labelled);
  Archive archive;
  made.save(archive);
  const Emissions e = Emissions::load(archive, attributes, labels);
  ASSERT_EQ(e.size(), 3u);
  EXPECT_EQ(e.pair(0), std::pair(Index{3}, Index{2}));
  EXPECT_EQ(e.pair(1), std::pair(Index{3}, static_cast<Index>(labels - 1)));
  EXPECT_EQ(e.pair(2), std::pair(static_cast<Index>(attributes - 1), static_cast<Index>(labels - 1)));
}

}  // namespace
}  // namespace hinge
