#include "hinge/tasks/graph/image_format.h"

#include <gtest/gtest.h>

#include "hinge/core/errors.h"
#include "hinge/tasks/graph/netpbm.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

using namespace std::string_literals;

Picture read(const std::string& bytes) {
  TemporaryFolder folder;
  return read_picture(folder.write("a.pnm", bytes));
}

TEST(Netpbm, ReadsEveryForm) {
  for (const std::string& bytes :
       {"P2 # grey\n# 2 by 1\n2 1\n9\n3 9\n"s, "P2\n2 1 9\n3 9"s, "P5\n2 1\n9\n\x03\x09"s}) {
    const Picture picture = read(bytes);
    EXPECT_EQ(picture.width, 2u);
    EXPECT_EQ(picture.height, 1u);
    EXPECT_EQ(picture.largest, 9u);
    EXPECT_EQ(picture.samples, (std::vector<std::uint16_t>{3, 9}));
    EXPECT_EQ(picture.colour(1), "9");
  }
  for (const std::string& bytes : {"P3\n1 1\n255\n1 2 3\n"s, "P6\n1 1\n255\n\x01\x02\x03"s})
    EXPECT_EQ(read(bytes).colour(0), "1,2,3");
  EXPECT_EQ(read("P5\n1 1\n1000\n\x01\x02").samples[0], 258);
}

TEST(Netpbm, WritesWhatItReads) {
  for (const std::string& bytes :
       {"P5\n2 1\n255\n\x03\x09"s, "P6\n1 1\n255\n\x01\x02\x03"s, "P5\n1 1\n1000\n\x01\x02"s}) {
    std::string out;
    append_picture(read(bytes), out);
    EXPECT_EQ(out, bytes);
  }
}

TEST(Netpbm, RefusesDamage) {
  for (const std::string& bytes :
       {""s, "P4\n1 1\n"s, "P5\n2 2\n255\nabc"s, "P2\n2 1\n9\n3"s, "P2\n2 1\n9\n3 10\n"s,
        "P5\n2 1\n9\n\x03\x0b"s, "P5\n0 1\n255\n"s, "P5\n1 1\n0\n\x01"s, "P5\n1 1\n70000\n\x01"s,
        "P5\n99999 99999\n255\n"s, "P5\nx 1\n255\n"s, "P5\n2147483647 2147483647\n255\n\x01"s})
    EXPECT_THROW(read(bytes), InputError) << bytes;
}

class Images : public ::testing::Test {
 protected:
  GraphCorpus train(const std::vector<std::string>& files, const GraphFormatOptions& options) {
    return make_graph_format(options)->read_training(files, schema_, {});
  }
  TemporaryFolder folder_;
  GraphSchema schema_;
};

TEST_F(Images, AreGridsWithTheirLabelsBeside) {
  const auto file = folder_.write("a.ppm", "P3\n2 2\n255\n255 0 0  0 255 0  0 0 255  51 51 51\n");
  const auto labels = folder_.write("a.labels.pgm", "P2\n2 2\n255\n1 2 0 1\n");
  const GraphCorpus corpus = train({file, labels}, {.format = "image", .unlabelled_colour = "0"});
  ASSERT_EQ(corpus.inputs.size(), 1u);
  EXPECT_EQ(corpus.labels[0], (Labels{0, 1, kUnknown, 0}));
  EXPECT_EQ(corpus.inputs[0].shape->edges(), 4u);
  EXPECT_EQ(corpus.inputs[0].nodes.value, (std::vector<float>{1, 1, 1, 0.2f, 0.2f, 0.2f}));

  std::string out;
  make_graph_format({.format = "image"})
      ->append(corpus.sources[0], {{"1", "2", "2", "1"}, {}, 0, false}, out);
  EXPECT_EQ(out, "P5\n2 2\n255\n\x01\x02\x02\x01");
  out.clear();
  make_graph_format({.format = "image"})
      ->append(corpus.sources[0], {{"1,2,3", "2,2,2", "2,2,2", "0,0,0"}, {}, 0, false}, out);
  EXPECT_EQ(out, "P6\n2 2\n255\n\x01\x02\x03\x02\x02\x02\x02\x02\x02\0\0\0"s);
}

TEST_F(Images, HaveEightNeighboursOnRequest) {
  const auto file = folder_.write("a.pgm", "P2\n3 2\n1\n0 1 0 1 1 0\n");
  folder_.write("a.labels.pgm", "P2\n3 2\n255\n1 2 1 2 1 2\n");
  const GraphCorpus corpus =
      train({file}, {.format = "image", .pixels = "colours", .connect = 8, .edge_features = "contrast"});
  EXPECT_EQ(corpus.inputs[0].shape->edges(), 11u);
  EXPECT_EQ(schema_.edge_types.size(), 4u);
  // 0-1 differ in both colours: the constant and two contrasts; 0-3 likewise; 3-4 are alike
  EXPECT_EQ(corpus.inputs[0].edges.start[1], 3u);
}

// 1 less the contrast: never negative, and 0 is left out.
TEST_F(Images, HaveSimilarEdges) {
  const auto file = folder_.write("a.pgm", "P2\n3 1\n4\n0 1 4\n");
  folder_.write("a.labels.pgm", "P2\n3 1\n255\n1 2 1\n");
  const GraphCorpus corpus = train({file}, {.format = "image", .edge_features = "similarity"});
  const FeatureRows& edges = corpus.inputs[0].edges;
  ASSERT_EQ(edges.start, (std::vector<Index>{0, 2, 4}));
  std::vector<float> values;
  for (std::size_t k = 0; k < 4; ++k)
    if (schema_.edge_features.text(edges.attribute[k]) != "constant") values.push_back(edges.value_of(k));
  EXPECT_EQ(values, (std::vector<float>{0.75f, 0.25f}));
}

TEST_F(Images, RefusesLabelsOfAnotherSize) {
  const auto file = folder_.write("a.pgm", "P2\n3 2\n1\n0 1 0 1 1 0\n");
  folder_.write("a.labels.pgm", "P2\n2 1\n255\n1 2\n");
  EXPECT_THROW(train({file}, {.format = "image"}), InputError);
  EXPECT_THROW(train({folder_.path("a.labels.pgm")}, {.format = "image"}), InputError);
}

}  // namespace
}  // namespace hinge
