#include "hinge/report/sequence_logo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/report/meme_motif.h"

namespace hinge {
namespace {

const Profile kProfile{"ACGT", true, {0.25, 0.25, 0.25, 0.25}, {{8, 0, 0, 0}, {4, 4, 0, 0}, {2, 2, 2, 2}}, 8};

std::size_t letters(const std::string& svg) {
  std::size_t n = 0;
  for (std::size_t at = svg.find("class=\"letter\""); at != svg.npos;
       at = svg.find("class=\"letter\"", at + 1))
    ++n;
  return n;
}

TEST(SequenceLogo, MeasuresInformation) {
  const double correction = 3 / (2 * std::log(2.0) * 8);
  EXPECT_NEAR(information(kProfile, 0), 2 - correction, 1e-12);
  EXPECT_NEAR(information(kProfile, 1), 1 - correction, 1e-12);
  EXPECT_EQ(information(kProfile, 2), 0);
}

TEST(SequenceLogo, DrawsTheLettersThatTell) {
  const std::string svg = sequence_logo(kProfile, "a < b");
  EXPECT_EQ(letters(svg), 3u);  // A; A and C; nothing where all are alike
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  Profile none = kProfile;
  none.sites = 0;
  for (Vector& column : none.counts) column.assign(4, 0.0);
  EXPECT_EQ(letters(sequence_logo(none, "")), 0u);
}

TEST(MemeMotif, HasTheMinimalFormat) {
  EXPECT_EQ(meme_motif(kProfile, "m"),
            "MEME version 4\n\nALPHABET= ACGT\n\nstrands: + -\n\nBackground letter frequencies\n"
            "A 0.250000 C 0.250000 G 0.250000 T 0.250000\n\nMOTIF m\n"
            "letter-probability matrix: alength= 4 w= 3 nsites= 8 E= 0\n"
            " 0.916667 0.027778 0.027778 0.027778\n 0.472222 0.472222 0.027778 0.027778\n"
            " 0.250000 0.250000 0.250000 0.250000\n");
}

}  // namespace
}  // namespace hinge
