#include "hinge/core/text_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "hinge/core/errors.h"
#include "hinge/core/output_file.h"
#include "hinge/core/random.h"
#include "tests/support/complaint.h"
#include "tests/support/noise.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& path) {
  LineReader reader(path);
  Lines lines;
  std::string_view line;
  while (reader.next(line)) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.line(), lines.size());
  }
  EXPECT_FALSE(reader.next(line)) << "the end stays the end";
  return lines;
}

TEST(LineReader, TakesEveryKindOfLineEnd) {
  TemporaryFolder folder;
  EXPECT_EQ(lines_of(folder.write("unix", "a b\n\nc\n")), (Lines{"a b", "", "c"}));
  EXPECT_EQ(lines_of(folder.write("windows", "a b\r\n\r\nc\r\n")), (Lines{"a b", "", "c"}));
  EXPECT_EQ(lines_of(folder.write("no end", "a\nb")), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(folder.write("windows, no end", "a\r\nb\r")), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of(folder.write("only an end", "\n")), (Lines{""}));
  EXPECT_EQ(lines_of(folder.write("empty", "")), Lines{});
  EXPECT_EQ(lines_of(folder.write("inner return", "a\rb\n")), (Lines{"a\rb"}));
}

std::size_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  std::size_t bytes = 0;
  io >> name >> bytes;  // rchar: N
  return bytes;
}

// Under their numbers, and without what stands before them.
TEST(LineReader, ReadsPartsOfFiles) {
  TemporaryFolder folder;
  std::string text;
  for (int k = 0; k < 400'000; ++k) text += fmt::format("line {:06}\n", k);
  const std::size_t width = 12, size = text.size();
  const std::string path = folder.write("plain", text);
  const gzFile file = gzopen((path + ".gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(size));
  gzclose(file);
  EXPECT_FALSE(is_packed(path));
  EXPECT_TRUE(is_packed(path + ".gz"));
  for (const std::string& whole : {path, path + ".gz"}) {
    const std::size_t before = bytes_read();
    LineReader reader(path_of_part(whole, {399'990 * width, 399'993 * width, 399'990}));
    EXPECT_EQ(reader.file(), whole);
    std::string_view line;
    for (int k = 399'990; k < 399'993; ++k) {
      ASSERT_TRUE(reader.next(line));
      EXPECT_EQ(line, fmt::format("line {:06}", k));
      EXPECT_EQ(reader.line(), static_cast<std::size_t>(k) + 1);
      EXPECT_EQ(reader.place(), static_cast<std::size_t>(k) * width);
    }
    EXPECT_FALSE(reader.next(line));
    if (whole == path) {
      EXPECT_LT(bytes_read() - before, size / 8);
    }
  }
  FilePart part;
  EXPECT_EQ(split_path(path_of_part("a b", {1, 2, 3}), part), "a b");
  EXPECT_TRUE(part.begin == 1 && part.end == 2 && part.line == 3);
  EXPECT_EQ(split_path("whole", part), "whole");
  EXPECT_TRUE(part.begin == 0 && part.line == 0);
}

TEST(LineReader, TakesLinesOfAnyLength) {
  TemporaryFolder folder;
  Lines lines;
  std::string text;
  for (std::size_t length : {65534, 65535, 65536, 65537, 0, 1, 131072, 1000003, 5})
    text += lines.emplace_back(noise(length)) + "\n";
  EXPECT_EQ(lines_of(folder.write("plain", text)), lines);
  write_file(folder.path("packed.gz"), text);
  EXPECT_LT(folder.read("packed.gz").size(), text.size());
  EXPECT_EQ(lines_of(folder.path("packed.gz")), lines);
}

TEST(LineReader, RefusesAPackedFileThatIsCut) {
  TemporaryFolder folder;
  write_file(folder.path("whole.gz"), noise(3000));
  const std::string whole = folder.read("whole.gz");
  for (std::size_t cut = 2; cut < whole.size(); cut += 1 + cut / 8) {
    const std::string path = folder.write("cut.gz", whole.substr(0, cut));
    EXPECT_TRUE(complaint([&] { lines_of(path); }).ends_with("the file is damaged or cut off.")) << cut;
  }
  std::string altered = whole;
  altered[whole.size() / 2] ^= 1;
  const std::string path = folder.write("altered.gz", altered);
  EXPECT_TRUE(complaint([&] { lines_of(path); }).ends_with("the file is damaged or cut off."));
}

TEST(LineReader, NamesAFileThatCannotBeRead) {
  TemporaryFolder folder;
  EXPECT_EQ(complaint([&] { LineReader(folder.path("none")); }),
            folder.path("none") + ": cannot be read (No such file or directory): check the name.");
  EXPECT_EQ(complaint([&] { LineReader(folder.path("")); }),
            folder.path("") + ": is a directory: give a file.");
}

TEST(ReadFile, GivesEveryByte) {
  TemporaryFolder folder;
  const std::string bytes = std::string("a\r\nb\0c\n\nlast", 13) + noise(200000);
  EXPECT_EQ(read_file(folder.write("plain", bytes)), bytes);
  write_file(folder.path("packed.gz"), bytes);
  EXPECT_EQ(read_file(folder.path("packed.gz")), bytes);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(Numbers, AreTheWholeText) {
  double number = 0;
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"1", 1}, {"-2.5", -2.5}, {"+3e2", 300}, {".5", 0.5}, {"1e-320", 1e-320}, {"0", 0}}) {
    EXPECT_TRUE(parse_number(text, number)) << text;
    EXPECT_EQ(number, value) << text;
  }
  for (const char* text :
       {"", " 1", "1 ", "1x", "x", "nan", "inf", "-inf", "1e999", "+", "-", "+-1", "++1", "0x10", "1,5"})
    EXPECT_FALSE(parse_number(text, number)) << text;

  long long integer = 0;
  for (const auto& [text, value] : std::vector<std::pair<std::string, long long>>{
           {"0", 0}, {"-7", -7}, {"+12", 12}, {"9223372036854775807", 9223372036854775807}}) {
    EXPECT_TRUE(parse_integer(text, integer)) << text;
    EXPECT_EQ(integer, value) << text;
  }
  for (const char* text : {"", "1.0", "1e3", "9223372036854775808", "+-1", "--1", "7 "})
    EXPECT_FALSE(parse_integer(text, integer)) << text;
}

}  // namespace
}  // namespace hinge
