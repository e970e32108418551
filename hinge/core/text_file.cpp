#include "hinge/core/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "hinge/core/errors.h"

namespace hinge {

namespace {

// Bytes of a file, unpacked when they are packed.
struct Input {
  std::string name;
  gzFile file = nullptr;

  explicit Input(const std::string& path) : name(path == "-" ? "standard input" : path) {
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
    gzbuffer(file, 1 << 17);
  }
  ~Input() {
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

}  // namespace

struct LineReader::Handle : Input {
  using Input::Input;
};

LineReader::LineReader(const std::string& path)
    : handle_(std::make_unique<Handle>(path)), name_(handle_->name), buffer_(1 << 16) {}

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
  if (length > 0 && first[length - 1] == '\r') --length;
  line = {first, length};
  if (++line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  return true;
}

std::string read_file(const std::string& path) {
  Input input(path);
  std::string bytes;
  for (std::size_t size = 0;;) {
    bytes.resize(size + std::max<std::size_t>(size, 1 << 16));
    const std::size_t got = input.read(bytes.data() + size, bytes.size() - size, 0);
    size += got;
    bytes.resize(size);
    if (got == 0) return bytes;
  }
}

struct OutputFile::Handle {
  std::string path, temporary;  // temporary is empty when written directly
  int descriptor = -1;
  bool owned = false;
  bool unfinished = false;  // written under its own name, and to be removed unless committed
  gzFile compressed = nullptr;
  std::string pending;

  [[noreturn]] void trouble() const {
    fail_at(path, 0, "cannot be written ({}): free some space or give another place.", std::strerror(errno));
  }
  void flush() {
    const char* data = pending.data();
    std::size_t left = pending.size();
    while (left > 0) {
      const ssize_t done =
          compressed != nullptr
              ? gzwrite(compressed, data, static_cast<unsigned>(std::min<std::size_t>(left, 1 << 30)))
              : ::write(descriptor, data, left);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) trouble();
      data += done;
      left -= static_cast<std::size_t>(done);
    }
    pending.clear();
  }
};

OutputFile::OutputFile(const std::string& path, Appears appears) : handle_(std::make_unique<Handle>()) {
  Handle& h = *handle_;
  h.path = path == "-" ? "standard output" : path;
  if (path == "-") {
    h.descriptor = STDOUT_FILENO;
    return;
  }
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail_at(path, 0, "is a directory: give a file name.");
  const bool regular = !exists || S_ISREG(status.st_mode);
  const bool direct = !regular || appears == Appears::at_once;
  if (exists && regular) h.path = std::filesystem::canonical(path);  // a link stays a link
  if (!direct) h.temporary = fmt::format("{}.{}.partial", h.path, getpid());
  h.descriptor =
      open(direct ? h.path.c_str() : h.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (h.descriptor < 0)
    fail_at(path, 0, "cannot be created ({}): check that its folder exists and may be written.",
            std::strerror(errno));
  h.owned = true;
  h.unfinished = direct && regular;
  if (path.ends_with(".gz")) h.compressed = gzdopen(dup(h.descriptor), "wb");
}

OutputFile::~OutputFile() {
  Handle& h = *handle_;
  if (h.compressed != nullptr) gzclose(h.compressed);
  if (h.owned && h.descriptor >= 0) close(h.descriptor);
  if (!h.temporary.empty()) unlink(h.temporary.c_str());
  if (h.unfinished) unlink(h.path.c_str());
}

void OutputFile::write(std::string_view bytes) {
  constexpr std::size_t kBuffer = 1 << 16;
  std::string& pending = handle_->pending;
  while (!bytes.empty()) {
    const std::size_t taken = std::min(bytes.size(), kBuffer - pending.size());
    pending.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (pending.size() == kBuffer) handle_->flush();
  }
}

void OutputFile::flush() { handle_->flush(); }

void OutputFile::commit() {
  Handle& h = *handle_;
  h.flush();
  h.unfinished = false;
  if (h.compressed != nullptr) {
    const int code = gzclose(h.compressed);
    h.compressed = nullptr;
    if (code != Z_OK) h.trouble();
  }
  if (h.temporary.empty()) return;
  if (fsync(h.descriptor) != 0) h.trouble();
  const int code = close(h.descriptor);
  h.descriptor = -1;
  if (code != 0 || rename(h.temporary.c_str(), h.path.c_str()) != 0) h.trouble();
  h.temporary.clear();
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
