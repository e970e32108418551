// What a command will read and write, checked before the work starts rather than after hours.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hinge/core/options.h"
#include "hinge/watch/notes.h"

namespace hinge {

class FilePlan {
 public:
  void reads(const std::string& flag, const std::string& path);
  void reads(const std::string& flag, const std::vector<std::string>& paths);
  void reads(const std::vector<OptionRef>& options);  // the files that they name
  void writes(const std::string& flag, const std::string& path);
  void writes_picture(const std::string& flag, const std::string& path);  // refuses endings of other formats

  // Throws InputError when two flags read standard input or write to one place, when a file would be
  // overwritten while it is needed, or when an output cannot be created.
  void check() const;
  bool reads_standard_input() const;
  std::vector<std::string> read_files() const;
  std::map<std::string, std::vector<std::string>> read_files_by_flag() const;
  bool writes_standard_output() const;

 private:
  using Named = std::pair<std::string, std::string>;  // flag, path
  std::vector<Named> inputs_, outputs_;
};

// Results for people and programs, on standard output. Throws InputError when they cannot be written.
void print_result(std::string_view text);

// The library names options between backquotes, `max_passes`; here they are flags, --max-passes.
std::string as_flags(std::string text);

}  // namespace hinge
