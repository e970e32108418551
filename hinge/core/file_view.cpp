#include "hinge/core/file_view.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hinge/core/text_file.h"

namespace hinge {
namespace {

#if defined(MAP_POPULATE)
constexpr int kAtOnce = MAP_POPULATE;
#else
constexpr int kAtOnce = 0;
#endif

// Empty where the file is not a plain one.
std::string_view map_file(const std::string& path) {
  const int file = path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status {};
  void* place = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    place =
        mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE | kAtOnce, file, 0);
  close(file);
  if (place == MAP_FAILED) return {};
  return {static_cast<const char*>(place), static_cast<std::size_t>(status.st_size)};
}

}  // namespace

FileView::FileView(const std::string& path) : bytes_(map_file(path)) {
  constexpr std::string_view kPacked = "\x1f\x8b";
  if (!bytes_.empty()) mapped_ = const_cast<char*>(bytes_.data());
  if (!bytes_.empty() && !bytes_.starts_with(kPacked)) return;
  read_ = read_file(path);
  if (mapped_ != nullptr) munmap(mapped_, bytes_.size());
  mapped_ = nullptr;
  bytes_ = read_;
}

FileView::~FileView() {
  if (mapped_ != nullptr) munmap(mapped_, bytes_.size());
}

}  // namespace hinge
