// Real data for tests: files under the folder named by the environment variable HINGE_DATA, by default
// ../shared/data beside the source tree. A test without its data says so:
//
//     const auto file = data_file("ocr/letter.data");
//     if (!file) GTEST_SKIP() << "skipped: no data";
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/source_folder.h"

namespace hinge {

// A file under the folder that the environment variable names, or that stands beside the source tree.
inline std::optional<std::string> shared_file(const char* variable, const char* beside,
                                              const std::string& name) {
  const char* folder = std::getenv(variable);
  const auto path =
      (folder != nullptr ? std::filesystem::path(folder) : std::filesystem::path(source_folder()) / beside) /
      name;
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  return path.string();
}

inline std::optional<std::string> data_file(const std::string& name) {
  return shared_file("HINGE_DATA", "../shared/data", name);
}

// A file of the source tree, such as "examples/data/recipes.train".
inline std::string source_file(const std::string& name) { return std::string(source_folder()) + "/" + name; }

}  // namespace hinge
