#include "hinge/tasks/string_kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hinge {
namespace {

std::vector<std::string_view> substrings(std::string_view s, std::size_t length) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i + length <= s.size(); ++i) found.push_back(s.substr(i, length));
  std::ranges::sort(found);
  return found;
}

double common_substrings(std::string_view s, std::string_view t, std::size_t length) {
  const auto in_s = substrings(s, length), in_t = substrings(t, length);
  double sum = 0;
  for (auto a = in_s.begin(); a != in_s.end();) {
    const auto end = std::ranges::upper_bound(a, in_s.end(), *a);
    const auto same = std::ranges::equal_range(in_t, *a);
    sum += static_cast<double>(end - a) * static_cast<double>(same.size());
    a = end;
  }
  return sum;
}

// prefix[i][j]: the same sum over subsequences of the first i and j letters, whose spans reach to i and j.
// One more letter ends in s at i and in t at j; what it lengthens decays from where it stood.
double common_subsequences(std::string_view s, std::string_view t, std::size_t length, double decay) {
  const std::size_t width = t.size() + 1;
  std::vector<double> prefix((s.size() + 1) * width, 1.0), next(prefix.size());
  const double both = decay * decay;
  for (std::size_t letters = 1; letters < length; ++letters) {
    std::ranges::fill(next, 0.0);
    for (std::size_t i = 1; i <= s.size(); ++i) {
      double row = 0;  // ends in t at any letter so far, in s at i
      for (std::size_t j = 1; j <= t.size(); ++j) {
        row = decay * row + (s[i - 1] == t[j - 1] ? both * prefix[(i - 1) * width + j - 1] : 0);
        next[i * width + j] = decay * next[(i - 1) * width + j] + row;
      }
    }
    std::swap(prefix, next);
  }
  double sum = 0;
  for (std::size_t i = 1; i <= s.size(); ++i)
    for (std::size_t j = 1; j <= t.size(); ++j)
      if (s[i - 1] == t[j - 1]) sum += both * prefix[(i - 1) * width + j - 1];
  return sum;
}

}  // namespace

double share_in_common(double common, double own, double other) {
  return common > 0 ? common / std::sqrt(own * other) : 0;
}

double SpectrumKernel::common(std::string_view s, std::string_view t) const {
  return common_substrings(s, t, length);
}

double SpectrumKernel::operator()(std::string_view s, std::string_view t) const {
  return share_in_common(common(s, t), common(s, s), common(t, t));
}

double SubsequenceKernel::common(std::string_view s, std::string_view t) const {
  return common_subsequences(s, t, length, decay);
}

double SubsequenceKernel::operator()(std::string_view s, std::string_view t) const {
  return share_in_common(common(s, t), common(s, s), common(t, t));
}

}  // namespace hinge
