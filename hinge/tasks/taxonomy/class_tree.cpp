#include "hinge/tasks/taxonomy/class_tree.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "hinge/core/errors.h"
#include "hinge/core/text_file.h"
#include "hinge/tasks/fields.h"
#include "hinge/tasks/labels.h"

namespace hinge {
namespace {

constexpr Index kRoot = 0;

bool has(const StringTable& classes, char c) {
  for (Index k = 0; k < classes.size(); ++k)
    if (classes.text(k).find(c) != std::string_view::npos) return true;
  return false;
}

// How far each name is below the top along its longest way up, by visiting parents first. A name that is met
// again on its own way up is its own ancestor: then the way there, else empty.
class Levels {
 public:
  explicit Levels(const std::vector<std::vector<Index>>& parents)
      : parents_(parents), level_(parents.size(), kNew) {}

  // Ways can be long: no recursion.
  std::vector<Index> circle() {
    for (Index start = 0; start < parents_.size(); ++start) {
      if (level_[start] != kNew) continue;
      way_.assign(1, {start, 0});
      level_[start] = kOpen;
      while (!way_.empty()) {
        auto& [name, next] = way_.back();
        if (next == parents_[name].size()) {
          Index level = 0;
          for (const Index p : parents_[name]) level = std::max(level, level_[p] + 1);
          level_[name] = level;
          way_.pop_back();
          continue;
        }
        const Index parent = parents_[name][next++];
        if (level_[parent] == kOpen) return circle_from(parent);
        if (level_[parent] != kNew) continue;
        level_[parent] = kOpen;
        way_.push_back({parent, 0});
      }
    }
    return {};
  }
  const std::vector<Index>& levels() const { return level_; }

 private:
  static constexpr Index kNew = 0xffffffff, kOpen = 0xfffffffe;

  std::vector<Index> circle_from(Index first) const {
    std::vector<Index> names;
    for (const auto& [name, next] : way_)
      if (!names.empty() || name == first) names.push_back(name);
    names.push_back(first);
    return names;
  }

  const std::vector<std::vector<Index>>& parents_;
  std::vector<Index> level_;
  std::vector<std::pair<Index, std::size_t>> way_;
};

}  // namespace

ClassTree::ClassTree(StringTable names, const Parents& parents, std::string separator, bool leaves)
    : separator_(std::move(separator)), leaves_(leaves) {
  Levels levels(parents);
  [[maybe_unused]] const std::vector<Index> circle = levels.circle();
  assert(circle.empty());
  std::vector<Index> place(names.size()), node(names.size());  // sorted by name, then by level
  const std::vector<std::string> sorted = sorted_names(names);
  for (Index k = 0; k < sorted.size(); ++k) place[k] = names.find(sorted[k]);
  std::ranges::stable_sort(place, {}, [&](Index name) { return levels.levels()[name]; });
  for (Index k = 0; k < place.size(); ++k) {
    names_.intern(names.text(place[k]));
    node[place[k]] = k + 1;
  }
  parents_.resize(names.size() + 1);
  for (Index name = 0; name < names.size(); ++name) {
    auto& own = parents_[node[name]];
    for (const Index p : parents[name]) own.push_back(node[p]);
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    if (own.empty()) own.push_back(kRoot);
  }
  make_hierarchy(parents_, leaves);
}

void ClassTree::make_hierarchy(const std::vector<std::vector<Index>>& parents, bool leaves) {
  std::vector<char> inner(parents.size(), 0);
  for (const auto& own : parents)
    for (const Index p : own) inner[p] = 1;
  std::vector<Index> answers;
  for (Index z = 1; z < parents.size(); ++z)
    if (!leaves || !inner[z]) answers.push_back(z);
  hierarchy_ = std::make_shared<const Hierarchy>(parents, std::move(answers));
}

ClassTree ClassTree::of_names(const StringTable& classes, const std::vector<RecordPlace>& places,
                              std::string separator, bool leaves) {
  if (separator.empty()) separator = std::string(1, has(classes, '/') ? '/' : '.');
  StringTable names;
  Parents parents;
  for (Index c = 0; c < classes.size(); ++c) {
    const std::string_view name = classes.text(c);
    Index above = Hierarchy::kNone;
    for (std::size_t begin = 0, end = 0; end < name.size(); begin = end + separator.size()) {
      end = std::min(name.find(separator, begin), name.size());
      if (end == begin || end + separator.size() == name.size())
        fail_at(place_among(places, c),
                "the class '{}' has nothing before or behind a '{}': name it, or choose another `separator`.",
                name, separator);
      const Index here = names.intern(name.substr(0, end));
      if (here == parents.size()) {
        parents.emplace_back();
        if (above != Hierarchy::kNone) parents.back().push_back(above);
      }
      above = here;
    }
  }
  return {std::move(names), parents, std::move(separator), leaves};
}

ClassTree ClassTree::of_file(const std::string& path, const StringTable& classes, bool leaves) {
  StringTable names;
  Parents parents;
  std::vector<std::vector<std::size_t>> lines;  // that say so
  LineReader reader(path);
  std::string_view line;
  std::vector<std::string_view> words;
  while (reader.next(line)) {
    split_fields<' ', '\t'>(without_comment(line), words);
    if (words.empty()) continue;
    std::vector<Index> numbers;
    for (const std::string_view word : words) numbers.push_back(names.intern(word));
    parents.resize(names.size());
    lines.resize(names.size());
    for (std::size_t k = 1; k < numbers.size(); ++k) {
      parents[numbers[0]].push_back(numbers[k]);
      lines[numbers[0]].push_back(reader.line());
    }
  }
  if (names.empty()) fail_at(reader.file(), 0, "has no class: write a class and its parents in each line.");
  for (Index c = 0; c < classes.size(); ++c)
    if (names.find(classes.text(c)) == StringTable::kNone)
      fail_at(reader.file(), 0, "lacks the class '{}' of the data: add a line with its parents.",
              classes.text(c));
  if (const std::vector<Index> circle = Levels(parents).circle(); !circle.empty()) {
    std::string way = fmt::format("'{}'", names.text(circle[0]));
    std::size_t last = 0;
    for (std::size_t k = 1; k < circle.size(); ++k) {
      const auto& own = parents[circle[k - 1]];
      const std::size_t at = lines[circle[k - 1]][std::ranges::find(own, circle[k]) - own.begin()];
      way += fmt::format(" below '{}' (line {})", names.text(circle[k]), at);
      last = std::max(last, at);
    }
    fail_at(reader.file(), last, "a class is its own ancestor, {}: take one of these lines out.", way);
  }
  return {std::move(names), parents, "", leaves};
}

std::size_t ClassTree::at_the_top() const {
  return static_cast<std::size_t>(std::ranges::count(parents_, std::vector<Index>{kRoot}));
}

Index ClassTree::find(std::string_view name) const {
  const Index found = names_.find(name);
  return found == StringTable::kNone ? Hierarchy::kNone : found + 1;
}

std::pair<Index, Index> ClassTree::nearest(std::string_view name) const {
  Index edges = 0;
  while (!separator_.empty()) {
    const std::size_t end = name.rfind(separator_);
    if (end == std::string_view::npos) break;
    name = name.substr(0, end);
    ++edges;
    if (const Index found = find(name); found != Hierarchy::kNone) return {found, edges};
  }
  return {kRoot, edges + 1};
}

void ClassTree::save(Archive& archive) const {
  names_.save(archive, "names");
  std::vector<Index> begin = {0}, all;
  for (const auto& own : parents_) {
    all.insert(all.end(), own.begin(), own.end());
    begin.push_back(static_cast<Index>(all.size()));
  }
  archive.arrays["parents_begin"] = std::move(begin);
  archive.arrays["parents"] = std::move(all);
  archive.arrays["separator"] = std::vector<std::uint8_t>(separator_.begin(), separator_.end());
  archive.arrays["leaves"] = std::vector<std::uint8_t>{static_cast<std::uint8_t>(leaves_)};
}

ClassTree::ClassTree(const Archive& archive) {
  names_.load(archive, "names");
  const auto& begin = archive.get<Index>("parents_begin");
  const auto& all = archive.get<Index>("parents");
  const auto& separator = archive.get<std::uint8_t>("separator");
  const auto& leaves = archive.get<std::uint8_t>("leaves");
  separator_.assign(separator.begin(), separator.end());
  bool fits = !names_.empty() && begin.size() == names_.size() + 2 && begin.front() == 0 &&
              begin.back() == all.size() && std::ranges::is_sorted(begin) && leaves.size() == 1;
  for (Index z = 0; fits && z <= names_.size(); ++z) {
    parents_.emplace_back(all.begin() + begin[z], all.begin() + begin[z + 1]);
    fits = parents_[z].empty() == (z == kRoot) &&
           std::ranges::is_sorted(parents_[z], std::ranges::less_equal()) &&
           std::ranges::all_of(parents_[z], [&](Index p) { return p < z; });
  }
  if (!fits) fail("the model's classes do not fit together: train the model again.");
  leaves_ = leaves[0] != 0;
  make_hierarchy(parents_, leaves_);
}

}  // namespace hinge
