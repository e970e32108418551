// Files that are written whole or not at all, one by one or several together. Every path may be "-" (standard
// output), and a .gz file is packed.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace hinge {

// A file that appears only when `commit` succeeds: it is written to a temporary name beside its own, synced
// and renamed. Destroyed without commit, it leaves things as they were. A file that it replaces gives it its
// permissions, and where possible its owner. "-" and other things that are not regular files (/dev/full, a
// pipe) are written directly.
//
// A file that appears at once, for people to follow, is written under its own name; without commit it is
// removed, and the file whose place it took comes back.
class OutputFile {
 public:
  enum class Appears { complete, at_once };
  // Throws InputError when it cannot be created.
  explicit OutputFile(const std::string& path, Appears appears = Appears::complete);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  // throws InputError: disk full, closed pipe
  void flush();                        // hands what was written to the system
  // Brings all that was written to the disk, so that only the name is missing. Nothing is written afterwards.
  void stage();
  void commit();

 private:
  friend void commit_together(std::initializer_list<OutputFile*> files);
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

// Commits files that appear together or not at all; null pointers are left out. Throws InputError:
//
//     1. all that have a temporary name are staged,        a failure leaves everything as it was
//     2. what is written directly is written to its end,   the same, but what a pipe took cannot be called back
//     3. the names are changed, deaf to SIGINT, SIGTERM    a failure changes the names back
void commit_together(std::initializer_list<OutputFile*> files);

}  // namespace hinge
