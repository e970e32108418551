#include "hinge/tasks/align/aligned_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace hinge {

AlignedRows aligned_rows(const std::string& letters1, const std::string& letters2, const Partners& partners,
                         bool local) {
  AlignedRows rows;
  const auto paired = [](int j) { return j >= 0; };
  const bool none = std::ranges::none_of(partners, paired);
  const auto last = std::find_if(partners.rbegin(), partners.rend(), paired);
  const long first_pair = std::ranges::find_if(partners, paired) - partners.begin(),
             last_pair = partners.rend() - last - 1;
  const auto outside = [&](long i, int j) {
    if (!local) return false;
    if (none) return true;
    return i >= 0 ? i < first_pair || i > last_pair
                  : j < partners[static_cast<std::size_t>(first_pair)] ||
                        j > partners[static_cast<std::size_t>(last_pair)];
  };
  const auto letter = [&](const std::string& text, int k, bool small) {
    if (k < 0) return '-';
    const auto c = static_cast<unsigned char>(text[static_cast<std::size_t>(k)]);
    return static_cast<char>(small ? std::tolower(c) : std::toupper(c));
  };
  const auto add = [&](int i, int j) {
    const bool small = outside(i, j);
    rows.first += letter(letters1, i, small);
    rows.second += letter(letters2, j, small);
    rows.letters.emplace_back(i, j);
  };
  walk_alignment(
      partners, letters2.size(), false,
      [&](std::size_t i, std::size_t j) { add(static_cast<int>(i), static_cast<int>(j)); },
      [&](AlignedSide side, std::size_t k, std::size_t, bool) {
        side == AlignedSide::x ? add(static_cast<int>(k), kGap) : add(kGap, static_cast<int>(k));
      });
  return rows;
}

void append_alignment(const AlignRecord& record, const Partners& s, bool local, std::string& text) {
  const AlignedRows rows = aligned_rows(record.letters1, record.letters2, s, local);
  fmt::format_to(std::back_inserter(text), ">{}\n{}\n>{}\n{}\n", record.name1, rows.first, record.name2,
                 rows.second);
}

AlignmentView alignment_view(const AlignRecord& record, const Partners& s, bool local,
                             const std::vector<PairProbability>& probable) {
  const AlignedRows rows = aligned_rows(record.letters1, record.letters2, s, local);
  AlignmentView view{record.name1, record.name2, rows.first, rows.second, Vector(rows.first.size())};
  for (const auto& [i, j, probability] : probable)
    for (std::size_t c = 0; c < rows.letters.size(); ++c)
      if (rows.letters[c] == std::pair(static_cast<int>(i), static_cast<int>(j)))
        view.confidence[c] = probability;
  return view;
}

}  // namespace hinge
