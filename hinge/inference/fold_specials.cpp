#include "hinge/inference/fold_specials.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "hinge/inference/fold_scores.h"

namespace hinge {

double FoldSpecials::hairpin(const FoldScores& scores, std::size_t i, std::size_t j) const {
  const std::size_t letters = j - i - 1, last = FoldTables::kLengths - 1;
  if (letters > last)
    return long_hairpin * std::log(static_cast<double>(letters) / static_cast<double>(last));
  if (letters <= kLongestListed && !hairpins.empty()) {
    const std::span<const std::uint8_t> own = scores.letters().subspan(i, letters + 2);
    if (std::ranges::all_of(own, [](std::uint8_t letter) { return letter < 4; })) {
      const std::uint32_t wanted = code(own);
      const auto found =
          std::ranges::lower_bound(hairpins, wanted, {}, &decltype(hairpins)::value_type::first);
      if (found != hairpins.end() && found->first == wanted) return found->second;
    }
  }
  return letters == FoldScores::kShortest ? three[scores.in(i, j)] : 0;
}

double FoldSpecials::loop(const FoldScores& scores, std::size_t i, std::size_t j, std::size_t k,
                          std::size_t l) const {
  const std::size_t a = k - i - 1, b = j - l - 1, in = scores.in(i, j), out = scores.out(k, l);
  const auto one_by_two = [&](std::size_t outer, std::size_t type, std::size_t letter) {
    return one_two[(outer * kTypes + type) * 5 + letter];
  };
  if (a == 1 && b == 1) return one_one[in * kTypes + FoldScores::type(scores.in(k, l))];
  if (a == 1 && b == 2) return one_by_two(in, FoldScores::type(scores.in(k, l)), scores.letters()[l + 1]);
  if (a == 2 && b == 1)
    return one_by_two(flipped(out), FoldScores::type(scores.in(i, j)) ^ 1, scores.letters()[i + 1]);
  if (a == 2 && b == 2) return two_two[in * kClasses + out];
  return two_three_outer[in] + two_three_inner[out];
}

void FoldSpecials::measure() {
  const auto most = [](const auto& table) {
    double value = 0;
    for (const double v : table) value = std::max(value, std::abs(v));
    return value;
  };
  most_ = std::max({most(one_one), most(one_two), most(two_two), most(three),
                    most(two_three_outer) + most(two_three_inner)});
  for (const auto& [key, value] : hairpins) most_ = std::max(most_, std::abs(value));
}

double FoldSpecials::largest(std::size_t n) const {
  const double last = FoldTables::kLengths - 1;
  return std::max(most_, std::abs(long_hairpin) * std::log(std::max(1.0, static_cast<double>(n) / last)));
}

}  // namespace hinge
