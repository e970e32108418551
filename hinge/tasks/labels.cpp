#include "hinge/tasks/labels.h"

#include "hinge/core/text_file.h"

namespace hinge {

std::vector<std::string> sorted_names(const StringTable& table) {
  std::vector<std::string> names;
  bool numbers = true;
  double value, other;
  for (Index c = 0; c < table.size(); ++c) {
    names.emplace_back(table.text(c));
    numbers = numbers && parse_number(names.back(), value);
  }
  std::ranges::sort(names, [&](const std::string& a, const std::string& b) {
    return numbers && parse_number(a, value) && parse_number(b, other) && value != other ? value < other
                                                                                         : a < b;
  });
  return names;
}

}  // namespace hinge
