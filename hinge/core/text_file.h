// Text files, read line by line or whole. Every path may be "-" (standard input), and a .gz file is unpacked.
//
// A path may also name a run of whole lines of a file: who opens it by LineReader sees those lines alone, under their
// numbers in the file. So every reader of files reads parts of them too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

struct FilePart {
  std::size_t begin = 0, end = static_cast<std::size_t>(-1);  // bytes, of a packed file the unpacked ones
  std::size_t line = 0;                                       // lines in front of it
};
std::string path_of_part(const std::string& path, const FilePart& part);
// Takes the path of a part apart; a whole file is all of itself.
std::string split_path(const std::string& path, FilePart& part);

// Whether the file is packed, so that what is in the middle of it cannot be read without what is before.
bool is_packed(const std::string& path);

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
  std::size_t place() const { return place_; }       // the byte where it begins

 private:
  bool fill();
  struct Handle;
  std::unique_ptr<Handle> handle_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0, line_ = 0, place_ = 0, next_ = 0;  // next_: where the next line begins
  std::size_t last_ = 0;                                               // where the part ends
  bool finished_ = false;
};

// The whole file, as bytes.
std::string read_file(const std::string& path);

// Numbers in text: the whole of `text` must be one. They return false for anything else, also for NaN and
// infinity.
bool parse_number(std::string_view text, double& value);
bool parse_integer(std::string_view text, long long& value);

}  // namespace hinge
