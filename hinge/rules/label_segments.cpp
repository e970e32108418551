#include "hinge/rules/label_segments.h"

#include <algorithm>

namespace hinge {

LabelSegments::LabelSegments(std::vector<std::string> names)
    : names_(std::move(names)), all_names_(names_), chunked_(!chunk_scheme(names_).empty()), tags_(names_) {
  if (!chunked_) return;
  for (const std::string& type : tags_.types())
    if (!type.empty() && std::ranges::find(names_, type) == names_.end()) all_names_.push_back(type);
}

LabelFlags LabelSegments::of_type(std::size_t type) const {
  LabelFlags set(size(), 0);
  for (std::size_t k = 0; k < size(); ++k)
    set[k] = tags_.type(static_cast<int>(k)) == type && !tags_.outside(static_cast<int>(k));
  return set;
}

std::optional<LabelFlags> LabelSegments::named(std::string_view name) const {
  if (const auto found = std::ranges::find(names_, name); found != names_.end()) {
    LabelFlags set(size(), 0);
    set[static_cast<std::size_t>(found - names_.begin())] = 1;
    return set;
  }
  const auto& types = tags_.types();
  const auto type = std::ranges::find(types, name);
  if (!chunked_ || name.empty() || type == types.end()) return std::nullopt;
  return of_type(static_cast<std::size_t>(type - types.begin()));
}

std::vector<LabelFlags> LabelSegments::each() const {
  std::vector<LabelFlags> sets;
  if (!chunked_) {
    for (const std::string& name : names_)
      if (name != "O") sets.push_back(*named(name));
    return sets;
  }
  for (std::size_t type = 0; type < tags_.types().size(); ++type)
    if (LabelFlags set = of_type(type); std::ranges::count(set, 1) > 0) sets.push_back(std::move(set));
  return sets;
}

bool LabelSegments::begins(int before, int label) const {
  if (!chunked_) return before != label;
  if (tags_.outside(label)) return before == kNothing || !tags_.outside(before);
  return tags_.starts(before, label);
}

bool LabelSegments::ends(int before, int after) const {
  if (!chunked_) return before != after;
  return tags_.outside(before) ? !tags_.outside(after) : tags_.ends(before, after);
}

bool LabelSegments::transition(int before, int after) const {
  if (!chunked_) return before != after;
  return tags_.starts(before, after) || tags_.ends(before, after);
}

}  // namespace hinge
