#include "hinge/tasks/fold/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hinge {
namespace {

// The first pair (j, i) with j > i that crosses one that opened before; (−1, −1) where none does.
std::pair<int, int> first_crossing(const std::vector<int>& partners) {
  std::vector<int> open;
  for (int i = 0; i < static_cast<int>(partners.size()); ++i) {
    const int j = partners[static_cast<std::size_t>(i)];
    if (j > i) {
      open.push_back(i);
    } else if (j >= 0) {
      if (open.empty() || open.back() != j) return {j, i};
      open.pop_back();
    }
  }
  return {-1, -1};
}

}  // namespace

std::uint8_t rna_letter(char c) {
  switch (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c) {
    case 'A':
      return 0;
    case 'C':
      return 1;
    case 'G':
      return 2;
    case 'U':
    case 'T':
      return 3;
    case 'N':
    case 'R':
    case 'Y':
    case 'S':
    case 'W':
    case 'K':
    case 'M':
    case 'B':
    case 'D':
    case 'H':
    case 'V':
    case 'I':
    case 'X':
      return 4;
    default:
      return kNoLetter;
  }
}

bool has_known_fold(const FoldRecord& record) {
  return std::ranges::any_of(record.partners, [](int partner) { return partner != kUnknownPair; });
}

std::string trouble_with(const FoldRecord& r, bool crossing, FoldSpot* spot) {
  const auto about = [&](FoldSpot::Of of, std::size_t i, std::string what) {
    if (spot != nullptr) *spot = {of, i};
    return what;
  };
  if (r.letters.empty()) return fmt::format("the sequence '{}' has no letter: leave it out.", r.name);
  for (std::size_t i = 0; i < r.letters.size(); ++i)
    if (rna_letter(r.letters[i]) == kNoLetter)
      return about(FoldSpot::letter, i,
                   fmt::format("'{}' (letter {} of '{}') is no letter of RNA: use A, C, G, U and IUPAC's "
                               "symbols for several of them.",
                               r.letters[i], i + 1, r.name));
  if (r.partners.empty()) return {};
  if (r.partners.size() != r.letters.size())
    return about(FoldSpot::partner, 0,
                 fmt::format("'{}' has {} letters, but a structure of {}: give one symbol for each letter.",
                             r.name, r.letters.size(), r.partners.size()));
  const int n = static_cast<int>(r.letters.size());
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int j = r.partners[at];
    if (j < kUnknownPair || j >= n || j == i)
      return about(FoldSpot::partner, at,
                   fmt::format("letter {} of '{}' is paired with letter {}, which it cannot be: it has {} "
                               "letters, and none is its own partner.",
                               i + 1, r.name, j + 1, n));
    if (j >= 0 && r.partners[static_cast<std::size_t>(j)] != i)
      return about(FoldSpot::partner, at,
                   fmt::format("letter {} of '{}' is paired with letter {}, but that not with it: name each "
                               "as the partner of the other.",
                               i + 1, r.name, j + 1));
  }
  if (const auto [i, j] = first_crossing(r.partners); j >= 0 && !crossing)
    return about(FoldSpot::partner, static_cast<std::size_t>(i),
                 fmt::format("the pair of letters {} and {} of '{}' crosses another: pseudoknots are not "
                             "folded; `crossing` drop "
                             "leaves such pairs out.",
                             i + 1, j + 1, r.name));
  return {};
}

std::size_t leave_out_crossing(FoldRecord& record) {
  std::size_t count = 0;
  for (auto [i, j] = first_crossing(record.partners); j >= 0;
       std::tie(i, j) = first_crossing(record.partners)) {
    record.partners[static_cast<std::size_t>(i)] = record.partners[static_cast<std::size_t>(j)] =
        kUnknownPair;
    ++count;
  }
  return count;
}

std::string dot_bracket(const std::vector<int>& partners) {
  std::string text(partners.size(), '.');
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i] >= 0)
      text[i] = partners[i] > static_cast<int>(i) ? '(' : ')';
    else if (partners[i] == kUnknownPair)
      text[i] = '?';
  return text;
}

}  // namespace hinge
