#include "hinge/tasks/sequence_class/frames_reader.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/tasks/sequence_class/preparation.h"
#include "tests/support/any_task.h"
#include "tests/support/data.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

FramesRecords read(const std::string& text, const std::string& split = "", std::size_t channels = 0) {
  const TemporaryFolder folder;
  return read_frames({folder.write("frames", text)}, split, channels);
}

void expect_trouble(const std::string& sentence, const std::string& text, const std::string& split = "",
                    std::size_t channels = 0) {
  expect_input_error([&] { read(text, split, channels); }, sentence);
}

TEST(FramesReader, ReadsSequencesWithAndWithoutASplit) {
  const FramesRecords corpus = read("# two\n\nwave 2\n1 2\n3\t4\r\n  # more\ntest ? 1\n5e0 -6\n");
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.inputs[0].channels, 2u);
  EXPECT_EQ(corpus.inputs[0].values, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(corpus.inputs[1].values, (std::vector<float>{5, -6}));
  EXPECT_EQ(corpus.labels, (std::vector<int>{0, -1}));
  EXPECT_EQ(corpus.classes.text(0), "wave");
}

TEST(FramesReader, ReadsOneSplit) {
  const FramesRecords corpus = read("train a 1\n1\ntest b 2\n2\n3\ntrain b 1\n4\n", "train");
  ASSERT_EQ(corpus.inputs.size(), 2u);
  EXPECT_EQ(corpus.inputs[1].values, (std::vector<float>{4}));
}

TEST(FramesReader, SaysWhatIsWrong) {
  expect_trouble("frames:1: has 1 field where a sequence begins", "wave\n");
  expect_trouble("frames:1: the number of frames 'two' is not", "wave two\n1\n");
  expect_trouble("frames:1: the number of frames '0' is not", "wave 0\n");
  expect_trouble("frames:2: the file ends after 1 of the 3 frames that line 1 announces", "wave 3\n1 2\n");
  expect_trouble("frames:3: has 1 number where a frame of 2 belongs", "wave 2\n1 2\n1\n");
  expect_trouble("frames:2: has 0 numbers where a frame of 0 belongs", "wave 1\n\n");
  expect_trouble("frames:2: has 2 numbers where a frame of 3 belongs", "wave 1\n1 2\n", "", 3);
  expect_trouble("frames:2: 'x' (column 2) is not a number", "wave 1\n1 x\n");
  expect_trouble("frames:2: 'nan' (column 1) is not a number", "wave 1\nnan\n");
  expect_trouble("frames:2: '1e300' (column 1) is not a number", "wave 1\n1e300\n");
  expect_trouble("frames: holds no sequence", "# nothing\n");
  expect_trouble("frames: holds no sequence of `split` dev", "train a 1\n1\n", "dev");
  expect_trouble("frames:1: names no split", "a 1\n1\n", "train");
}

TEST(FramesReader, ReadsNatops) {
  const auto file = data_file("gestures/natops.txt");
  if (!file) GTEST_SKIP() << "skipped: no data";
  const FramesRecords corpus = read_frames({*file}, "test", 24);
  EXPECT_EQ(corpus.inputs.size(), 180u);
  EXPECT_EQ(corpus.inputs.back().length(), 51u);
  EXPECT_EQ(corpus.classes.size(), 6u);
}

TEST(Preparation, StandardisesByTrainingData) {
  const std::vector<Frames> training = {{2, {1, 7, 3, 7}}, {2, {5, 7, 7, 7}}};
  const Preparation prepare({training}, 2, true, 0);
  Frames x{2, {4, 7, 9, 8}};
  prepare(x);
  const double deviation = std::sqrt(5.0);  // of 1, 3, 5, 7
  EXPECT_FLOAT_EQ(x.values[0], 0);
  EXPECT_FLOAT_EQ(x.values[1], 0);
  EXPECT_FLOAT_EQ(x.values[2], static_cast<float>(5 / deviation));
  EXPECT_FLOAT_EQ(x.values[3], 1);  // a channel that never changed keeps its scale
}

TEST(Preparation, JoinsNeighboursWithZerosBeyondTheEnds) {
  const std::vector<Frames> training = {{1, {1, 2, 3}}};
  const Preparation prepare({training}, 1, false, 1);
  Frames x = training[0];
  prepare(x);
  EXPECT_EQ(x.channels, 3u);
  EXPECT_EQ(x.values, (std::vector<float>{0, 1, 2, 1, 2, 3, 2, 3, 0}));
  Archive archive;
  prepare.save(archive);
  Frames again = training[0];
  Preparation::load(archive)(again);
  EXPECT_EQ(again.values, x.values);
}

}  // namespace
}  // namespace hinge
