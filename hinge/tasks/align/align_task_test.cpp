#include "hinge/tasks/align/align_task.h"

#include <gtest/gtest.h>

#include <map>

#include "hinge/oracle/check_task.h"

namespace hinge {
namespace {

AlignRecord random_record(Random& random, const Alphabet& alphabet, bool hide, bool structure) {
  std::string rows[2], known, structures[2];
  const std::size_t columns = 2 + random.below(5);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t gap = random.below(5);
    for (std::size_t k = 0; k < 2; ++k) {
      const bool none = gap == k && c > 0;
      rows[k] += none ? '-' : random.below(9) == 0 ? 'N' : alphabet.letters()[random.below(alphabet.size())];
      structures[k] += none ? '-' : "HE.?"[random.below(4)];
    }
    known += hide && random.below(3) == 0 ? '0' : '1';
  }
  if (!structure) structures[0] = structures[1] = "";
  std::string trouble;
  AlignRecord record = aligned_record(rows[0], rows[1], known, structures[0], structures[1], trouble);
  EXPECT_EQ(trouble, "");
  EXPECT_EQ(trouble_with(record, alphabet), "");
  return record;
}

TEST(AlignTask, IsSound) {
  Random random(5);
  for (const Alphabet* alphabet : {&Alphabet::dna(), &Alphabet::protein()})
    for (const bool local : {false, true})
      for (const bool hide : {false, true})
        for (const bool structure : {false, true})
          for (const int tolerance : {0, 1}) {
            const AlignTask task({alphabet, structure ? 1u : 2u, structure, local, tolerance});
            std::vector<Example<AlignTask>> examples;
            for (int k = 0; k < 8; ++k) {
              const AlignRecord record = random_record(random, *alphabet, hide, structure);
              examples.push_back({task.input(record), task.label(record), 1});
            }
            const CheckReport report = check_task(task, examples);
            EXPECT_EQ(report.text(), "");
            EXPECT_GT(report.comparisons, 100u);
          }
}

// The formula of the header, term by term, for one alignment.
TEST(AlignTask, ScoresAsDefined) {
  const AlignTask task({&Alphabet::dna(), 1, true, false, 0});
  std::string trouble;
  const AlignRecord record = aligned_record("ACG-T", "A-GCT", "", "HHE-.", "H-E..", trouble);
  Vector w(task.dimension());
  std::map<std::string, double> named;
  for (Index j = 0; j < task.dimension(); ++j) {
    w[j] = 1 + 0.1 * j;
    EXPECT_TRUE(named.emplace(task.feature_name(j), w[j]).second) << task.feature_name(j);
  }
  AlignmentScores scores;
  task.score(task.input(record), w, scores);
  double expected = 0;
  const auto add = [&](const std::string& name) {
    ASSERT_TRUE(named.contains(name)) << name;
    expected += named[name];
  };
  for (const char* name : {"A opposite A",
                           "C opposite G 1 beside",
                           "helix opposite helix",
                           "helix opposite strand 1 beside",
                           "gap opens",
                           "gap opens opposite C",
                           "gap opens opposite helix",
                           "gap opens beside A",
                           "gap opens beside G",
                           "gap opens between helix and strand",
                           "G opposite G",
                           "A opposite C 1 beside",
                           "C opposite T 1 beside",
                           "strand opposite strand",
                           "helix opposite helix 1 beside",
                           "coil opposite coil 1 beside",
                           "gap opens",
                           "gap opens opposite C",
                           "gap opens opposite coil",
                           "gap opens beside G",
                           "gap opens beside T",
                           "gap opens between strand and coil",
                           "T opposite T",
                           "C opposite G 1 beside",
                           "coil opposite coil",
                           "strand opposite coil 1 beside"})
    add(name);
  EXPECT_NEAR(scores.of(task.label(record).partners), expected, 1e-9);
}

TEST(AlignTask, CountsLettersOutOfPlace) {
  const AlignTask strict({&Alphabet::dna(), 0, false, false, 0}),
      lenient({&Alphabet::dna(), 0, false, false, 1});
  const PairLabel y{{0, 1, kUnknownPartner, 4, kGap}, {}, 4};
  EXPECT_EQ(strict.loss(y, {0, 1, 2, 4, kGap}), 0);
  EXPECT_EQ(strict.loss(y, {1, 2, kGap, 3, kGap}), 3);
  EXPECT_EQ(lenient.loss(y, {1, 2, kGap, 3, kGap}), 0);
  EXPECT_EQ(lenient.loss(y, {kGap, kGap, 1, 2, 3}), 4);
}

}  // namespace
}  // namespace hinge
