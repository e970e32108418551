#include "hinge/core/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace hinge {
namespace {

std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

bool near_enough(std::string_view word, std::string_view other, std::size_t edits) {
  if (std::min(word.size(), other.size()) < 2)
    return std::ranges::equal(
        word, other, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  return edits <= std::max<std::size_t>(word.size() < 5 ? 1 : 2, word.size() / 3);
}

}  // namespace

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  const std::string_view plain = without_dashes(word);
  std::string nearest;
  std::size_t fewest = word.size() + 1;
  for (const std::string& other : words) {
    const std::size_t edits = edits_between(plain, without_dashes(other));
    if (edits >= fewest || !near_enough(plain, without_dashes(other), edits)) continue;
    fewest = edits;
    nearest = other;
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  const std::string nearest = nearest_word(word, words);
  return nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest);
}

}  // namespace hinge
