#include "hinge/core/file_view.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "hinge/core/errors.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

TEST(FileView, ShowsWhatIsInAFilePlainOrPacked) {
  const TemporaryFolder folder;
  const std::string text(100'000, 'x');
  EXPECT_EQ(FileView(folder.write("plain", text)).bytes(), text);
  EXPECT_EQ(FileView(folder.write("empty", "")).bytes(), "");
  const std::string packed = folder.path("packed.gz");
  const gzFile file = gzopen(packed.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(file);
  EXPECT_EQ(FileView(packed).bytes(), text);
}

TEST(FileView, RefusesWhatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THROW(FileView(folder.path("nothing")), InputError);
  EXPECT_THROW(FileView(folder.path(".")), InputError);
}

// A model in use survives that another takes its name.
TEST(FileView, StaysWhenAnotherFileTakesItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model", "before");
  const FileView view(path);
  std::filesystem::rename(folder.write("next", "after"), path);
  EXPECT_EQ(view.bytes(), "before");
  EXPECT_EQ(FileView(path).bytes(), "after");
}

}  // namespace
}  // namespace hinge
