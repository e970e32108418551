#include "hinge/core/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "hinge/core/errors.h"

namespace hinge {
namespace {

constexpr mode_t kPermissions = 0777;

// So that a crash of the machine does not undo a rename. Where a file system cannot, there is nothing to do.
void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// While one lives, SIGINT and SIGTERM have no effect, in whatever thread they would arrive.
class WithoutSignals {
 public:
  WithoutSignals() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &old_interrupt_);
    sigaction(SIGTERM, &ignore, &old_terminate_);
  }
  ~WithoutSignals() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
  }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  struct sigaction old_interrupt_ {
  }, old_terminate_{};
};

}  // namespace

struct OutputFile::Handle {
  enum class Kind { direct, temporary, at_once };
  Kind kind = Kind::direct;
  std::string path;
  std::string other;  // the temporary name: of the new file; of the old one where the new is there at once
  bool replaces = false;  // there was a file of that name
  bool changed = false;   // the names are
  int descriptor = -1;
  gzFile packed = nullptr;
  std::string pending;

  [[noreturn]] void trouble() const {
    fail_at(path, 0, "cannot be written ({}): free some space or give another place.", std::strerror(errno));
  }

  void flush() {
    const char* data = pending.data();
    std::size_t left = pending.size();
    while (left > 0) {
      const ssize_t done =
          packed != nullptr
              ? gzwrite(packed, data, static_cast<unsigned>(std::min<std::size_t>(left, 1 << 30)))
              : ::write(descriptor, data, left);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) trouble();
      data += done;
      left -= static_cast<std::size_t>(done);
    }
    pending.clear();
  }

  // Everything to the system, and to the disk where there is one.
  void finish() {
    if (descriptor < 0) return;
    flush();
    if (packed != nullptr) {
      const int code = gzclose(packed);
      packed = nullptr;
      if (code != Z_OK) trouble();
    }
    if (kind != Kind::direct && fsync(descriptor) != 0) trouble();
    const int closing = descriptor == STDOUT_FILENO ? -1 : descriptor;
    descriptor = -1;
    if (closing >= 0 && close(closing) != 0) trouble();
  }

  // The new file takes the name. The old one waits under the other name where the file system can exchange
  // names, for `undo`; when this is the last of several, nothing will be undone.
  void change_name(bool last) {
    if (kind != Kind::temporary) return;
    const bool exchanged =
        replaces && !last && renameat2(AT_FDCWD, other.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0;
    if (!exchanged && rename(other.c_str(), path.c_str()) != 0) trouble();
    changed = true;
    if (!exchanged) other.clear();
  }

  // The old state, as far as it is still there.
  void undo() {
    if (kind == Kind::temporary && !changed && !other.empty()) unlink(other.c_str());
    if (kind == Kind::temporary && changed && !other.empty()) rename(other.c_str(), path.c_str());
    if (kind == Kind::temporary && changed && !replaces) unlink(path.c_str());
    if (kind == Kind::at_once && replaces) rename(other.c_str(), path.c_str());
    if (kind == Kind::at_once && !replaces) unlink(path.c_str());
    kind = Kind::direct;
  }

  // Nothing is undone from here.
  void settle() {
    if (kind != Kind::direct && !other.empty()) unlink(other.c_str());
    if (kind != Kind::direct) sync_folder(path);
    kind = Kind::direct;
  }

  // Opens under that name, with the permissions and the owner of the file that it replaces, if any.
  void create(const std::string& name, const struct stat& old) {
    unlink(name.c_str());  // what an earlier run of the same number left, never written through
    descriptor =
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? old.st_mode & S_IRWXU : 0666);
    if (descriptor < 0 || !replaces) return;
    const bool same_group = fchown(descriptor, old.st_uid, old.st_gid) == 0 ||
                            fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
    fchmod(descriptor, old.st_mode & (same_group ? kPermissions : kPermissions & ~mode_t{S_IRWXG}));
  }
};

OutputFile::OutputFile(const std::string& path, Appears appears) : handle_(std::make_unique<Handle>()) {
  Handle& h = *handle_;
  h.path = path == "-" ? "standard output" : path;
  if (path == "-") {
    h.descriptor = STDOUT_FILENO;
    return;
  }
  struct stat old {};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail_at(path, 0, "is a directory: give a file name.");
  if (exists && !S_ISREG(old.st_mode)) {
    h.descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    h.replaces = exists;
    if (exists) h.path = std::filesystem::canonical(path);  // a link stays a link
    h.other = fmt::format("{}.{}.partial", h.path, getpid());
    const bool at_once = appears == Appears::at_once;
    if (at_once && exists && rename(h.path.c_str(), h.other.c_str()) != 0)
      fail_at(path, 0, "cannot be replaced ({}): give another name.", std::strerror(errno));
    h.create(at_once ? h.path : h.other, old);
    if (h.descriptor >= 0) h.kind = at_once ? Handle::Kind::at_once : Handle::Kind::temporary;
    if (h.descriptor < 0 && at_once && exists) rename(h.other.c_str(), h.path.c_str());
  }
  if (h.descriptor < 0)
    fail_at(path, 0, "cannot be created ({}): check that its folder exists and may be written.",
            std::strerror(errno));
  if (path.ends_with(".gz")) h.packed = gzdopen(dup(h.descriptor), "wb");
}

OutputFile::~OutputFile() {
  Handle& h = *handle_;
  if (h.packed != nullptr) gzclose(h.packed);
  if (h.descriptor >= 0 && h.descriptor != STDOUT_FILENO) close(h.descriptor);
  h.undo();
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

void OutputFile::stage() {
  if (handle_->kind != Handle::Kind::direct) handle_->finish();
}

void OutputFile::commit() { commit_together({this}); }

void commit_together(std::initializer_list<OutputFile*> files) {
  std::vector<OutputFile::Handle*> all;
  for (OutputFile* file : files)
    if (file != nullptr) all.push_back(file->handle_.get());
  using Kind = OutputFile::Handle::Kind;
  std::ranges::stable_partition(all, [](const auto* h) { return h->kind != Kind::direct; });
  for (OutputFile::Handle* h : all) h->finish();

  const WithoutSignals names_change_together;
  std::size_t renamed = 0;
  for (const OutputFile::Handle* h : all) renamed += h->kind == Kind::temporary ? 1 : 0;
  try {
    for (OutputFile::Handle* h : all)
      if (h->kind == Kind::temporary) h->change_name(--renamed == 0);
  } catch (const InputError&) {
    for (OutputFile::Handle* h : all) h->undo();
    throw;
  }
  for (OutputFile::Handle* h : all) h->settle();
}

}  // namespace hinge
