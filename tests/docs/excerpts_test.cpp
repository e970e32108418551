// Code shown in the pages about C++ is code that ctest runs: every block is part of an example.
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
  for (const char* folder : {"examples", "tests/install"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(source_file(folder)))
      if (file.path().extension() == ".h" || file.path().extension() == ".cpp")
        examples += read(file.path().string());
  const std::string fence = "```cpp\n";
  for (const auto& [name, least] : {std::pair("docs/your-own-task.md", 9), {"docs/cpp.md", 3}}) {
    const std::string page = read(source_file(name));
    int blocks = 0;
    for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
      const std::size_t begin = at + fence.size(), end = page.find("\n```", begin);
      ASSERT_NE(end, std::string::npos);
      const std::string block = page.substr(begin, end - begin);
      EXPECT_NE(examples.find(block), std::string::npos) << name << ": no example has:\n" << block;
      ++blocks;
    }
    EXPECT_GE(blocks, least) << name;
  }
}

}  // namespace
}  // namespace hinge
