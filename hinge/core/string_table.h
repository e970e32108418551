// A dictionary of texts: each is numbered 0, 1, 2, ... when it is first interned.
//
// The texts stand one after the other in one blob: text i is bytes [offset[i], offset[i + 1]). Looking up is
// one hash and, nearly always, one comparison.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hinge/core/aligned_vector.h"
#include "hinge/core/archive.h"
#include "hinge/core/vector.h"

namespace hinge {

class StringTable {
 public:
  static constexpr Index kNone = 0xffffffff;

  std::size_t size() const { return offsets_.size() - 1; }
  bool empty() const { return size() == 0; }
  // Valid until the next intern.
  std::string_view text(Index i) const {
    const auto begin = static_cast<std::size_t>(offsets_[i]), end = static_cast<std::size_t>(offsets_[i + 1]);
    return {reinterpret_cast<const char*>(bytes_.data()) + begin, end - begin};
  }
  Index find(std::string_view text) const;  // kNone when it is not here
  Index intern(std::string_view text);      // its number, new or old
  // The same for several texts, whose look-ups wait for memory together: out[k] is the number of texts[k].
  void find(std::span<const std::string_view> texts, std::span<Index> out) const;
  void intern(std::span<const std::string_view> texts, std::span<Index> out);
  void reserve(std::size_t texts);

  // As the arrays `name`.bytes and `name`.offsets. load throws InputError when they make no dictionary.
  void save(Archive& archive, const std::string& name) const;
  void load(const Archive& archive, const std::string& name);

 private:
  struct Slot {
    std::uint32_t hash = 0;  // its upper half
    Index index = kNone;
  };
  // Where the search for a text begins. Slots are in the order of hashes, but for what had to go on to the next free one,
  // so that more slots are filled from fewer in one sweep.
  std::size_t home(std::uint32_t hash) const { return std::size_t{hash} * slots_.size() >> 32; }
  // The slot that holds the text, or the free one where it belongs.
  std::size_t locate(std::string_view text, std::uint64_t hash) const;
  Index find(std::string_view text, std::uint64_t hash) const;
  Index intern(std::string_view text, std::uint64_t hash);
  // take(k, hash of texts[k]) in order, while what the look-ups read is on its way to the cache.
  template <class Take>
  void look_ahead(std::span<const std::string_view> texts, Take&& take) const;
  // Makes so many slots for the texts that are here; whether no two are alike.
  bool fill(std::size_t slots);
  // The same where they have slots already.
  void grow(std::size_t slots);

  std::vector<std::uint8_t> bytes_;
  std::vector<std::int64_t> offsets_ = {0};
  std::vector<Slot, LineAllocator<Slot>> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace hinge
