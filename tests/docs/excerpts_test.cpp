// Code shown in docs/your-own-task.md is code that ctest runs: every block is part of an example.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/data.h"

namespace hinge {
namespace {

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Docs, ShowOnlyCodeThatRuns) {
  std::string examples;
  for (const auto& file : std::filesystem::directory_iterator(source_file("examples/own_task")))
    examples += read(file.path().string());
  const std::string page = read(source_file("docs/your-own-task.md")), fence = "```cpp\n";
  std::size_t blocks = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
    const std::size_t begin = at + fence.size(), end = page.find("\n```", begin);
    ASSERT_NE(end, std::string::npos);
    const std::string block = page.substr(begin, end - begin);
    EXPECT_NE(examples.find(block), std::string::npos) << "no example has:\n" << block;
    ++blocks;
  }
  EXPECT_EQ(blocks, 5u);
}

}  // namespace
}  // namespace hinge
