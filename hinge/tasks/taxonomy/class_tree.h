// The classes of a taxonomy by name, as a hierarchy (inference/hierarchy.h). Node 0 is a root above all of
// them, without a name; the others stand below their parents, level by level, in an order that does not depend
// on that of the data.
//
//     by names     rec.sport.hockey is below rec.sport, which is below rec     (or / or any other separator)
//     by a file    # a line a class: its name and its parents, none for a class at the top
//                  hockey  team-sport winter-sport
//                  a parent without a line stands at the top, and a comment at a line's beginning or behind a blank
#pragma once

#include <memory>
#include <string>

#include "hinge/core/archive.h"
#include "hinge/core/string_table.h"
#include "hinge/inference/hierarchy.h"
#include "hinge/tasks/record_place.h"

namespace hinge {

class ClassTree {
 public:
  // From the names of classes, of which some have places; separator "": '/' where a name has one, else '.'. Which of them
  // are answers: leaves, or all.
  static ClassTree of_names(const StringTable& classes, const std::vector<RecordPlace>& places,
                            std::string separator, bool leaves);
  // From a file that names every one of the classes. Throws InputError with file and line, also for a class
  // that is its own ancestor.
  static ClassTree of_file(const std::string& path, const StringTable& classes, bool leaves);
  explicit ClassTree(const Archive& archive);
  void save(Archive& archive) const;

  bool of_file() const { return separator_.empty(); }
  std::size_t at_the_top() const;  // classes without a parent
  const Hierarchy& hierarchy() const { return *hierarchy_; }
  const std::shared_ptr<const Hierarchy>& shared() const { return hierarchy_; }
  std::string_view name(Index node) const { return names_.text(node - 1); }
  Index find(std::string_view name) const;  // kNone when it is not here
  // The lowest node above a class that is not here, and by how many edges. The root where names tell nothing.
  std::pair<Index, Index> nearest(std::string_view name) const;

 private:
  using Parents = std::vector<std::vector<Index>>;  // of each name, by name
  ClassTree(StringTable names, const Parents& parents, std::string separator, bool leaves);
  void make_hierarchy(const std::vector<std::vector<Index>>& parents, bool leaves);

  StringTable names_;  // of node z at z − 1
  std::string separator_;
  std::vector<std::vector<Index>> parents_;  // of each node
  bool leaves_ = true;
  std::shared_ptr<const Hierarchy> hierarchy_;
};

}  // namespace hinge
