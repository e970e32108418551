// The whole of a file, to look at: mapped where it is a plain file, read where it is packed or comes through a pipe.
// A mapped file must not shrink while it is looked at: who replaces a model renames a new file over it, as OutputFile
// does.
#pragma once

#include <string>
#include <string_view>

namespace hinge {

class FileView {
 public:
  explicit FileView(const std::string& path);  // throws InputError as read_file does
  ~FileView();
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  void* mapped_ = nullptr;
  std::string read_;
  std::string_view bytes_;
};

}  // namespace hinge
