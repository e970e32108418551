// Command-line flags made from options that describe themselves: `max_passes` becomes --max-passes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hinge/core/options.h"

namespace hinge {

using Arguments = std::vector<std::string>;

// Whether it is a flag rather than a value or a file; '-' is a file.
inline bool is_flag(const std::string& text) { return text.starts_with('-') && text != "-"; }

// Flags are taken in stages, because an early one (--solver) decides which later ones there are.
class Flags {
 public:
  explicit Flags(Arguments arguments) : rest_(std::move(arguments)) {}

  // Sets these options from the arguments. A name that an earlier group took becomes --GROUP-NAME.
  // Throws InputError when a value is missing, of another kind, or out of range.
  void take(const std::string& group, const std::vector<OptionRef>& options);

  bool given(const std::string& name) const { return given_.contains(name); }
  bool help() const { return help_; }
  const Arguments& rest() const { return rest_; }  // what no option took so far
  std::vector<std::string> known() const;          // every flag so far, as it is written
  // What each flag so far says, set or not.
  const std::map<std::string, std::string>& values() const { return values_; }
  // Takes what is left, where none of it is a flag; else takes nothing.
  Arguments take_files();

  // The flags so far, with their defaults, for --help.
  std::string text() const;

 private:
  struct Line {
    std::string flag, value, help;
  };
  struct Group {
    std::string name;
    std::vector<Line> lines;
  };
  Arguments rest_;
  std::set<std::string> given_, names_;
  std::vector<Group> groups_;
  std::map<std::string, std::string> values_;
  bool help_ = false;
};

}  // namespace hinge
