#include "hinge/tasks/string_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "hinge/core/random.h"
#include "hinge/kernel_features.h"

namespace hinge {
namespace {

// Every choice of `length` letters of s, by their string, with decay^span.
std::map<std::string, double> subsequences(const std::string& s, std::size_t length, double decay) {
  std::map<std::string, double> found;
  for (std::size_t set = 1; set < std::size_t{1} << s.size(); ++set) {
    std::string u;
    std::size_t first = s.size(), last = 0;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (set >> i & 1) {
        u += s[i];
        first = std::min(first, i);
        last = i;
      }
    if (u.size() == length) found[u] += std::pow(decay, static_cast<double>(last - first + 1));
  }
  return found;
}

double product(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double sum = 0;
  for (const auto& [u, v] : a)
    if (const auto same = b.find(u); same != b.end()) sum += v * same->second;
  return sum;
}

std::string random_string(Random& random, std::size_t most) {
  std::string s(random.below(most + 1), 'a');
  for (char& letter : s) letter = static_cast<char>('a' + random.below(3));
  return s;
}

TEST(StringKernels, SubsequencesEqualEnumeration) {
  Random random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const std::string s = random_string(random, 9), t = random_string(random, 9);
    const std::size_t length = 1 + random.below(4);
    const double decay = 0.3 + 0.7 * random.uniform();
    const auto a = subsequences(s, length, decay), b = subsequences(t, length, decay);
    const double common = product(a, b);
    EXPECT_NEAR(SubsequenceKernel({length, decay})(s, t),
                common > 0 ? common / std::sqrt(product(a, a) * product(b, b)) : 0, 1e-12)
        << s << ' ' << t << ' ' << length;
  }
}

TEST(StringKernels, SpectrumCountsSubstrings) {
  // aab: aa ab; abaa: ab ba aa
  EXPECT_NEAR(SpectrumKernel{2}("aab", "abaa"), 2 / std::sqrt(2.0 * 3.0), 1e-12);
  EXPECT_NEAR(SpectrumKernel{2}("aaa", "aab"), 2 / std::sqrt(4.0 * 2.0), 1e-12);  // aa twice
  EXPECT_EQ(SpectrumKernel{3}("ab", "ab"), 0);
}

TEST(KernelFeatures, ProductsAreTheKernelOfOnesOwn) {
  Random random(2);
  std::vector<std::string> words;
  for (int i = 0; i < 15; ++i) words.push_back("a" + random_string(random, 8));
  const SubsequenceKernel kernel{.length = 2, .decay = 0.6};
  const KernelFeatures features(words, kernel);
  ASSERT_LE(features.rest(), 1e-6);
  const auto dot = [](const SparseRow& a, const SparseRow& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.value.size(); ++k)
      sum += static_cast<double>(a.value[k]) * static_cast<double>(b.value[k]);
    return sum;
  };
  for (const auto& s : words)
    for (const auto& t : words) EXPECT_NEAR(dot(features(s), features(t)), kernel(s, t), 1e-5);
}

}  // namespace
}  // namespace hinge
