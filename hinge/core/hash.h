// A hash of bytes, to see whether two are the same: files, weights on two machines. It is the same on every
// machine, and no protection against who wants two to be alike.
//
//     hash ← (hash ⊕ word) · odd, rotated,        for every 8 bytes, the last ones filled up with zeros and the size
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hinge {

inline std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash = 0) {
  const auto mix = [&](std::uint64_t word) {
    hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15u, 29) * 0xbf58476d1ce4e5b9u;
  };
  std::size_t at = 0;
  for (std::uint64_t word; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    mix(word);
  }
  std::uint64_t last = 0;
  if (at < bytes.size()) std::memcpy(&last, bytes.data() + at, bytes.size() - at);
  mix(last);
  mix(bytes.size());
  return hash ^ (hash >> 31);
}

inline std::uint64_t hash_numbers(std::span<const double> numbers, std::uint64_t hash = 0) {
  return hash_bytes({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()}, hash);
}

}  // namespace hinge
