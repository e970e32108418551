// How much two strings have in common, from 0 to 1: k(s, t) / √(k(s, s) k(t, t)) of
//
//     spectrum      k(s, t) = Σ_u #(u in s) #(u in t),      over strings u of `length` letters in a row
//     subsequence   k(s, t) = Σ_u Σ_{i: s[i] = u} Σ_{j: t[j] = u} decay^(span of i + span of j),
//
// where the letters of u may stand apart in s and t (Lodhi et al. 2002).
#pragma once

#include <cstddef>
#include <string_view>

namespace hinge {

struct SpectrumKernel {
  std::size_t length = 3;
  double operator()(std::string_view s, std::string_view t) const;
  double common(std::string_view s, std::string_view t) const;  // k(s, t)
};

struct SubsequenceKernel {
  std::size_t length = 3;
  double decay = 0.5;
  double operator()(std::string_view s, std::string_view t) const;
  double common(std::string_view s, std::string_view t) const;  // k(s, t)
};

// k(s, t) / √(k(s, s) k(t, t)); 0 where nothing is in common.
double share_in_common(double common, double own, double other);

}  // namespace hinge
