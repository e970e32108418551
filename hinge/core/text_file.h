// Text files, read line by line or whole. Every path may be "-" (standard input), and a .gz file is unpacked.
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

// Numbers in text: the whole of `text` must be one. They return false for anything else, also for NaN and
// infinity.
bool parse_number(std::string_view text, double& value);
bool parse_integer(std::string_view text, long long& value);

}  // namespace hinge
