#include "hinge/core/text_file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "hinge/core/errors.h"

namespace hinge {

namespace {
// What zlib reads of a file at a time; who asks for twice as much gets it without a copy of zlib's own.
constexpr unsigned kPacked = 1 << 14;
}  // namespace

// Bytes of a file, unpacked when they are packed.
struct GzipInput {
  std::string name;
  gzFile file = nullptr;

  explicit GzipInput(const std::string& path) : name(path == "-" ? "standard input" : path) {
    if (path == "-") {
      file = gzdopen(dup(STDIN_FILENO), "rb");
    } else {
      struct stat status {};
      if (stat(path.c_str(), &status) != 0)
        fail_at(path, 0, "cannot be read ({}): check the name.", std::strerror(errno));
      if (S_ISDIR(status.st_mode)) fail_at(path, 0, "is a directory: give a file.");
      file = gzopen(path.c_str(), "rb");
    }
    if (file == nullptr)
      fail_at(name, 0, "cannot be opened ({}): check its permissions.", std::strerror(errno));
    gzbuffer(file, kPacked);
  }
  ~GzipInput() {
    if (file != nullptr) gzclose(file);
  }

  // How many bytes came; 0 at the end. `line` is where the file is cut or damaged, if it is.
  std::size_t read(char* to, std::size_t room, std::size_t line) {
    const int got = gzread(file, to, static_cast<unsigned>(std::min<std::size_t>(room, 1 << 30)));
    int code = Z_OK;
    const char* why = gzerror(file, &code);
    if (got < 0 || (got == 0 && code != Z_OK && code != Z_STREAM_END))
      fail_at(name, line, "cannot be read further ({}): the file is damaged or cut off.",
              code == Z_ERRNO ? std::strerror(errno) : why);
    return static_cast<std::size_t>(got);
  }
};

struct LineReader::Handle : GzipInput {
  using GzipInput::GzipInput;
};

std::string path_of_part(const std::string& path, const FilePart& part) {
  std::string text = path;
  text.push_back('\0');  // which no path has
  return text + fmt::format("{} {} {}", part.begin, part.end, part.line);
}

std::string split_path(const std::string& path, FilePart& part) {
  part = {};
  const std::size_t at = path.find('\0');
  if (at == std::string::npos) return path;
  const char* next = path.data() + at;
  const char* const end = path.data() + path.size();
  for (std::size_t* number : {&part.begin, &part.end, &part.line})
    next = std::from_chars(next + 1, end, *number).ptr;
  return path.substr(0, at);
}

bool is_packed(const std::string& path) {
  GzipInput input(path);
  return gzdirect(input.file) == 0;
}

LineReader::LineReader(const std::string& path) : buffer_(1 << 16) {
  FilePart part;
  handle_ = std::make_unique<Handle>(split_path(path, part));
  name_ = handle_->name;
  line_ = part.line;
  next_ = part.begin;
  last_ = part.end;
  // What is not packed is skipped, not read, once zlib has looked which of the two it is.
  if (part.begin > 0) gzdirect(handle_->file);
  if (part.begin > 0 && gzseek(handle_->file, static_cast<z_off_t>(part.begin), SEEK_SET) < 0)
    fail_at(name_, line_, "cannot be read from byte {} on: the file is damaged or cut off.", part.begin);
}

LineReader::~LineReader() = default;

// Makes room behind the unread bytes and reads more; false at the end of the file.
bool LineReader::fill() {
  if (finished_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  const std::size_t got = handle_->read(buffer_.data() + end_, buffer_.size() - end_, line_ + 1);
  end_ += got;
  finished_ = got == 0;
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  if (next_ >= last_) return false;
  std::size_t searched = begin_;
  const char* newline = nullptr;
  for (;;) {
    newline = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
    if (newline != nullptr) break;
    const std::size_t unread = end_ - begin_;
    if (!fill()) break;
    searched = begin_ + unread;
  }
  if (newline == nullptr && begin_ == end_) return false;
  const char* first = buffer_.data() + begin_;
  std::size_t length =
      static_cast<std::size_t>((newline != nullptr ? newline : buffer_.data() + end_) - first);
  begin_ += length + (newline != nullptr ? 1 : 0);
  place_ = next_;
  next_ += length + (newline != nullptr ? 1 : 0);
  if (length > 0 && first[length - 1] == '\r') --length;
  line = {first, length};
  if (++line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  return true;
}

std::string read_file(const std::string& path) {
  GzipInput input(path);
  std::string bytes;
  for (std::size_t size = 0;;) {
    bytes.resize(size + std::max<std::size_t>(size, 1 << 16));
    const std::size_t got = input.read(bytes.data() + size, bytes.size() - size, 0);
    size += got;
    bytes.resize(size);
    if (got == 0) return bytes;
  }
}

bool parse_number(std::string_view text, double& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

bool parse_integer(std::string_view text, long long& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size();
}

}  // namespace hinge
