#include "hinge/core/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/core/text_file.h"
#include "tests/support/complaint.h"
#include "tests/support/noise.h"
#include "tests/support/temporary_folder.h"

namespace hinge {
namespace {

using Lines = std::vector<std::string>;

Lines sorted_names(const TemporaryFolder& folder) {
  Lines names = folder.names();
  std::ranges::sort(names);
  return names;
}

TEST(OutputFile, AppearsOnCommitAndNotBefore) {
  TemporaryFolder folder;
  const std::string bytes = noise(300000);
  folder.write("out", "old");
  {
    OutputFile out(folder.path("out"));
    out.write(bytes);
    EXPECT_EQ(folder.read("out"), "old");
    out.commit();
    EXPECT_EQ(folder.read("out"), bytes);
  }
  EXPECT_EQ(folder.names(), Lines{"out"});
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  TemporaryFolder folder;
  for (const char* name : {"out", "out.gz"}) {
    OutputFile out(folder.path(name));
    out.write(noise(300000));
  }
  EXPECT_EQ(folder.names(), Lines{});
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  TemporaryFolder folder;
  const std::string full = complaint([] { write_file("/dev/full", "x"); });
  EXPECT_EQ(full,
            "/dev/full: cannot be written (No space left on device): free some space or give another place.");
  EXPECT_EQ(complaint([] { write_file("/dev/full", noise(1 << 20)); }), full);
  EXPECT_EQ(complaint([&] { OutputFile(folder.path("")); }),
            folder.path("") + ": is a directory: give a file name.");
  EXPECT_EQ(complaint([&] { OutputFile(folder.path("none/out")); }),
            folder.path("none/out") +
                ": cannot be created (No such file or directory): check that its folder exists and may be "
                "written.");
  EXPECT_EQ(folder.names(), Lines{});
}

TEST(OutputFile, MayBeFollowedWhileItIsWritten) {
  TemporaryFolder folder;
  {
    OutputFile log(folder.path("log"), OutputFile::Appears::at_once);
    log.write("one\n");
    log.flush();
    EXPECT_EQ(read_file(folder.path("log")), "one\n");
    log.write("two\n");
    log.commit();
  }
  EXPECT_EQ(read_file(folder.path("log")), "one\ntwo\n");
  { OutputFile unfinished(folder.path("other"), OutputFile::Appears::at_once); }
  EXPECT_EQ(folder.names(), Lines{"log"});
}

TEST(OutputFile, WritesThroughALink) {
  TemporaryFolder folder;
  write_file(folder.path("real"), "old");
  std::filesystem::create_symlink(folder.path("real"), folder.path("link"));
  write_file(folder.path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(read_file(folder.path("real")), "new");
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

TEST(OutputFile, KeepsThePermissionsOfTheFileItReplaces) {
  TemporaryFolder folder;
  for (const auto appears : {OutputFile::Appears::complete, OutputFile::Appears::at_once})
    for (const mode_t mode : {0600, 0640, 0666, 0444}) {
      chmod(folder.write("out", "old").c_str(), mode);
      OutputFile out(folder.path("out"), appears);
      out.write("new");
      out.commit();
      EXPECT_EQ(mode_of(folder.path("out")), mode);
      EXPECT_EQ(folder.read("out"), "new");
      std::filesystem::remove(folder.path("out"));
    }
}

// A stranger may leave a link under the temporary name: it is not written through.
TEST(OutputFile, DoesNotFollowItsTemporaryName) {
  TemporaryFolder folder;
  folder.write("precious", "kept");
  std::filesystem::create_symlink(folder.path("precious"),
                                  folder.path(fmt::format("out.{}.partial", getpid())));
  write_file(folder.path("out"), "new");
  EXPECT_EQ(folder.read("precious"), "kept");
  EXPECT_EQ(sorted_names(folder), (Lines{"out", "precious"}));
}

TEST(OutputFile, BringsBackWhatItTookThePlaceOf) {
  TemporaryFolder folder;
  folder.write("log", "old");
  {
    OutputFile log(folder.path("log"), OutputFile::Appears::at_once);
    log.write("new");
    log.flush();
    EXPECT_EQ(folder.read("log"), "new");
  }
  EXPECT_EQ(folder.read("log"), "old");
  EXPECT_EQ(folder.names(), Lines{"log"});
}

TEST(CommitTogether, NoFileAppearsWhenAnotherCannotBeWritten) {
  TemporaryFolder folder;
  folder.write("old", "before");
  {
    OutputFile old(folder.path("old")), fresh(folder.path("fresh")), full("/dev/full"),
        log(folder.path("log"), OutputFile::Appears::at_once);
    for (OutputFile* file : {&old, &fresh, &full, &log}) file->write("after");
    EXPECT_EQ(
        complaint([&] {
          commit_together({&old, &fresh, &full, &log});
        }),
        "/dev/full: cannot be written (No space left on device): free some space or give another place.");
    EXPECT_EQ(folder.read("old"), "before");
  }
  EXPECT_EQ(folder.read("old"), "before");
  EXPECT_EQ(folder.names(), Lines{"old"});
}

// The last name turns out to be taken: those that were changed before it are changed back.
TEST(CommitTogether, ChangesNamesBack) {
  TemporaryFolder folder;
  folder.write("old", "before");
  folder.write("log", "earlier");
  {
    OutputFile old(folder.path("old")), fresh(folder.path("fresh")), taken(folder.path("taken")),
        log(folder.path("log"), OutputFile::Appears::at_once);
    for (OutputFile* file : {&old, &fresh, &taken, &log}) file->write("after");
    std::filesystem::create_directory(folder.path("taken"));
    EXPECT_EQ(complaint([&] {
                commit_together({&old, &fresh, &log, &taken});
              }),
              folder.path("taken") +
                  ": cannot be written (Is a directory): free some space or give another place.");
  }
  EXPECT_EQ(folder.read("old"), "before");
  EXPECT_EQ(folder.read("log"), "earlier");
  EXPECT_EQ(sorted_names(folder), (Lines{"log", "old", "taken"}));
}

TEST(CommitTogether, AllAppearAndNothingElseStays) {
  TemporaryFolder folder;
  for (const char* name : {"a", "b", "log"}) folder.write(name, "before");
  {
    OutputFile a(folder.path("a")), b(folder.path("b")), c(folder.path("c.gz")), nowhere("/dev/null"),
        log(folder.path("log"), OutputFile::Appears::at_once);
    for (OutputFile* file : {&a, &b, &c, &nowhere, &log}) file->write("after");
    a.stage();
    EXPECT_EQ(folder.read("a"), "before");
    commit_together({&a, nullptr, &b, &nowhere, &c, &log});
  }
  for (const char* name : {"a", "b", "log"}) EXPECT_EQ(folder.read(name), "after") << name;
  EXPECT_EQ(read_file(folder.path("c.gz")), "after");
  EXPECT_EQ(sorted_names(folder), (Lines{"a", "b", "c.gz", "log"}));
}

TEST(CommitTogether, LeavesSignalsAsTheyWere) {
  TemporaryFolder folder;
  static volatile std::sig_atomic_t arrived = 0;
  const auto before = std::signal(SIGTERM, [](int) { arrived = 1; });
  write_file(folder.path("a"), "x");
  std::raise(SIGTERM);
  std::signal(SIGTERM, before);
  EXPECT_EQ(arrived, 1);
}

}  // namespace
}  // namespace hinge
