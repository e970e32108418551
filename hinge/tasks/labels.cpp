#include "hinge/tasks/labels.h"

#include "hinge/core/text_file.h"

namespace hinge {

bool labels_in_text(std::string_view text, std::vector<std::string_view>& names) {
  names.clear();
  if (text.size() < 2 || text[0] != '?' || text.find('|') == std::string_view::npos) return false;
  for (text.remove_prefix(1);;) {
    const std::size_t bar = text.find('|');
    names.push_back(text.substr(0, bar));
    if (bar == std::string_view::npos) return true;
    text.remove_prefix(bar + 1);
  }
}

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
