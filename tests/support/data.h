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

namespace hinge {

inline std::optional<std::string> data_file(const std::string& name) {
  const char* folder = std::getenv("HINGE_DATA");
  const auto path =
      std::filesystem::path(folder != nullptr ? folder : HINGE_SOURCE_DIR "/../shared/data") / name;
  if (!std::filesystem::is_regular_file(path)) return std::nullopt;
  return path.string();
}

// A file of the source tree, such as "examples/data/recipes.train".
inline std::string source_file(const std::string& name) { return HINGE_SOURCE_DIR "/" + name; }

}  // namespace hinge
