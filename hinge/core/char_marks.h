// Where in a text some characters stand, 64 bytes at a time: bit k of a mark is set where byte k is one of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hinge {

// Of the 64 bytes at `text`.
template <char... wanted>
std::uint64_t char_marks(const char* text) {
  std::uint64_t marks = 0;
#if defined(__SSE2__)
  for (int k = 0; k < 64; k += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + k));
    __m128i found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted)))), ...);
    marks |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(found))} << k;
  }
#else
  for (int k = 0; k < 64; ++k) marks |= std::uint64_t{((text[k] == wanted) || ...)} << k;
#endif
  return marks;
}

// at(place) for every place of one of the characters, in order. No byte behind the text is looked at.
template <char... wanted, class At>
void for_each_char(std::string_view text, At&& at) {
  static_assert(((wanted != '\0') && ...), "the last block is filled up with zeros");
  for (std::size_t begin = 0; begin < text.size(); begin += 64) {
    char last[64] = {};
    const std::size_t left = text.size() - begin;
    if (left < 64) std::memcpy(last, text.data() + begin, left);
    for (std::uint64_t marks = char_marks<wanted...>(left < 64 ? last : text.data() + begin); marks != 0;
         marks &= marks - 1)
      at(begin + static_cast<std::size_t>(std::countr_zero(marks)));
  }
}

}  // namespace hinge
