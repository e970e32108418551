#include "hinge/tasks/motif/sequences_reader.h"

#include <gtest/gtest.h>

#include "tests/support/any_task.h"
#include "tests/support/data.h"

namespace hinge {
namespace {

class SequencesReaderTest : public ::testing::Test {
 protected:
  MotifRecords read(const std::string& text, std::size_t shortest = 2) {
    return read_sequences({{folder_.write("a", text)}, {}, {}}, Alphabet::dna(), shortest);
  }
  TemporaryFolder folder_;
};

std::string text(const MotifRecord& record) {
  std::string letters;
  for (const auto s : symbols_of(record, Alphabet::dna()))
    letters += s < 4 ? Alphabet::dna().letters()[s] : '?';
  return letters;
}

TEST_F(SequencesReaderTest, ReadsFasta) {
  const auto records = read("\n>one first of all\nACgt\r\nnA \n\n>two\tx\nCC GG\n>\nTT\n");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].name, "one");
  EXPECT_EQ(text(records[0]), "ACGT?A");
  EXPECT_EQ(records[1].name, "two");
  EXPECT_EQ(text(records[1]), "CCGG");
  EXPECT_EQ(records[2].name, "");
  EXPECT_EQ(records[0].has_motif, std::nullopt);
}

TEST_F(SequencesReaderTest, ReadsLinesWithLabels) {
  for (const char* begin : {"", "4\n"}) {
    const auto records = read(begin + std::string("a:1:1:ACGT\nchr1:10-20:-1:0:CC\nc:+1:1:GG\nd:?:1:TTT\n"));
    ASSERT_EQ(records.size(), 4u);
    EXPECT_EQ(records[1].name, "chr1:10-20");
    EXPECT_EQ(records[0].has_motif, true);
    EXPECT_EQ(records[1].has_motif, false);
    EXPECT_EQ(records[2].has_motif, true);
    EXPECT_EQ(records[3].has_motif, std::nullopt);
    EXPECT_TRUE(records[1].background_only);
    EXPECT_FALSE(records[0].background_only);
  }
}

TEST_F(SequencesReaderTest, TheFileGivesTheLabel) {
  const auto records = read_sequences({{},
                                       {folder_.write("p", ">a\nACG\n"), folder_.write("q", ">b\nACG\n")},
                                       {folder_.write("n", ">c\nCCC\n")}},
                                      Alphabet::dna(), 3);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].has_motif, true);
  EXPECT_EQ(records[2].has_motif, false);
}

TEST_F(SequencesReaderTest, SaysWhatIsWrong) {
  const auto refuses = [&](const std::string& text, const std::string& part) {
    expect_input_error([&] { read(text); }, part);
  };
  refuses("", "a: holds no sequence");
  refuses("\n\n", "a: holds no sequence");
  refuses("7\n", "announces 7 sequences, but there are 0");
  refuses(">one\nACG\n>two\nA\n", "a:3: 'two' has 1 letters, too few for a motif of 2");
  refuses(">one\n>two\nACG\n", "a:1: 'one' has 0 letters");
  refuses(">one\nACG\nAC-T\n", "a:3: '-' (letter 6 of 'one') is no letter of dna");
  refuses("a:1:1:ACGE\n", "a:1: 'E' (letter 4 of 'a') is no letter of dna");
  refuses("a:2:1:ACG\n", "a:1: the label '2' is none of");
  refuses("a:1:x:ACG\n", "a:1: the third field 'x' is neither");
  refuses("2\na:1:1:ACG\n", "a:1: announces 2 sequences, but there are 1");
  refuses("ACGT\n", "a:1: 'ACGT' is not of the form NAME:LABEL:FULL:SEQUENCE");
  expect_input_error(
      [&] {
        read_sequences({{}, {folder_.write("p", "a:1:1:ACG\n")}, {}}, Alphabet::dna(), 1);
      },
      "p:1: begins with 'a:1:1:ACG' where FASTA begins with '>'");
}

TEST(MotifFile, ReadsTheTranscriptionFactorSet) {
  const auto file = data_file("motif/train052_1.data");
  if (!file) GTEST_SKIP() << "skipped: no data";
  const auto records = read_sequences({{*file}, {}, {}}, Alphabet::dna(), 60);
  ASSERT_EQ(records.size(), 20950u);
  EXPECT_EQ(std::ranges::count(records, true, &MotifRecord::has_motif), 10475);
  EXPECT_TRUE(std::ranges::all_of(records, &MotifRecord::background_only));
}

}  // namespace
}  // namespace hinge
