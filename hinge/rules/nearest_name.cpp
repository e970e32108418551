#include "hinge/rules/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

namespace hinge {
namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> from(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        from[i][j] = i + j;
        continue;
      }
      from[i][j] = std::min(
          {from[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), from[i - 1][j] + 1, from[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        from[i][j] = std::min(from[i][j], from[i - 2][j - 2] + 1);
    }
  return from[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> names) {
  const std::string wanted = lowered(name);
  std::size_t best = std::numeric_limits<std::size_t>::max();
  std::string nearest;
  for (const std::string& candidate : names) {
    const std::string lower = lowered(candidate);
    const std::size_t away = distance(wanted, lower);
    const bool begins = wanted.size() > 2 && (lower.starts_with(wanted) || wanted.starts_with(lower));
    if (away < best && (begins || 3 * away <= std::max(wanted.size(), lower.size()))) {
      best = away;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace hinge
