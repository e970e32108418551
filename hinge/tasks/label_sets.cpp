#include "hinge/tasks/label_sets.h"

#include <fmt/ranges.h>

#include "hinge/core/errors.h"

namespace hinge {

void require_labels(std::span<const std::string_view> names, const std::string& file, std::size_t line) {
  for (const std::string_view name : names)
    if (name.empty() || name == "?")
      fail_at(file, line, "'?{}' has '{}' among its labels: write ?A|B for one of A and B, or ? for any.",
              fmt::join(names, "|"), name);
}

}  // namespace hinge
