// Text in and out. Every path may be "-" (standard input or output), and a .gz file is read and written as it
// is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

// Reads a file line by line. LF, CRLF, no last newline and a byte order mark (skipped) are all fine.
class LineReader {
 public:
  explicit LineReader(const std::string& path);  // throws InputError: missing, unreadable, a directory
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end, valid until the next call; false at the end of the file.
  bool next(std::string_view& line);
  const std::string& file() const { return name_; }  // "standard input" for "-"
  std::size_t line() const { return line_; }         // of the last line read, from 1

 private:
  bool fill();
  struct Handle;
  std::unique_ptr<Handle> handle_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0, line_ = 0;
  bool finished_ = false;
};

// The whole file, as bytes.
std::string read_file(const std::string& path);

// Writes a file that appears only when `commit` succeeds: it is written to a temporary name beside its own,
// synced and renamed. Destroyed without commit, it leaves nothing. "-" is standard output, and other things
// that are not regular files (/dev/full, a pipe) are written directly.
//
// A file that appears at once, for people to follow, is written under its own name, and removed when it is
// destroyed without commit.
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
  void commit();

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

// Numbers in text: the whole of `text` must be one. They return false for anything else, also for NaN and
// infinity.
bool parse_number(std::string_view text, double& value);
bool parse_integer(std::string_view text, long long& value);

}  // namespace hinge
