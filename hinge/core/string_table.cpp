#include "hinge/core/string_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace hinge {
namespace {

// Folds a 128-bit product: every bit of a and b reaches every bit of the result.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Word>
std::uint64_t word_at(const char* data) {
  Word word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

// Eight bytes at a time, the last ones again where the text has no multiple of eight: no call, and no loop over bytes.
// Never stored, so that it may differ between machines.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t first = 0x9e3779b97f4a7c15u, second = 0xd1b54a32d192ed03u;
  const char* data = text.data();
  std::size_t left = text.size();
  std::uint64_t state = first ^ left, word = 0;
  for (; left > 8; data += 8, left -= 8) state = mix(state ^ word_at<std::uint64_t>(data), second);
  if (text.size() >= 8)
    word = word_at<std::uint64_t>(data + left - 8);
  else if (left >= 4)
    word = word_at<std::uint32_t>(data) | word_at<std::uint32_t>(data + left - 4) << 32;
  else if (left > 0)
    word = word_at<std::uint8_t>(data) | word_at<std::uint8_t>(data + left / 2) << 8 |
           word_at<std::uint8_t>(data + left - 1) << 16;
  return mix(state ^ word, first);
}

// Texts are short: a call costs as much as the comparison.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() < 8) return a == b;
  const std::size_t last = a.size() - 8;
  for (std::size_t at = 0; at < last; at += 8)
    if (word_at<std::uint64_t>(a.data() + at) != word_at<std::uint64_t>(b.data() + at)) return false;
  return word_at<std::uint64_t>(a.data() + last) == word_at<std::uint64_t>(b.data() + last);
}

}  // namespace

std::size_t StringTable::locate(std::string_view wanted, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t at = home(tag);
  while (slots_[at].index != kNone && (slots_[at].hash != tag || !same(text(slots_[at].index), wanted)))
    at = (at + 1) & mask;
  return at;
}

template <class Take>
void StringTable::look_ahead(std::span<const std::string_view> texts, Take&& take) const {
  constexpr std::size_t kChunk = 32;
  std::array<std::uint64_t, kChunk> hash;
  for (std::size_t begin = 0; begin < texts.size(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, texts.size() - begin);
    const auto slot = [&](std::size_t k) {
      return slots_.data() + home(static_cast<std::uint32_t>(hash[k] >> 32));
    };
    const auto likely = [&](std::size_t k) {
      return !slots_.empty() && slot(k)->index != kNone && slot(k)->hash == hash[k] >> 32;
    };
    for (std::size_t k = 0; k < count; ++k) {
      hash[k] = hash_of(texts[begin + k]);
      if (!slots_.empty()) __builtin_prefetch(slot(k));
    }
    for (std::size_t k = 0; k < count; ++k)
      if (likely(k)) __builtin_prefetch(&offsets_[slot(k)->index]);
    for (std::size_t k = 0; k < count; ++k)
      if (likely(k)) __builtin_prefetch(bytes_.data() + offsets_[slot(k)->index]);
    for (std::size_t k = 0; k < count; ++k) take(begin + k, hash[k]);
  }
}

Index StringTable::find(std::string_view text) const { return find(text, hash_of(text)); }

void StringTable::find(std::span<const std::string_view> texts, std::span<Index> out) const {
  look_ahead(texts, [&](std::size_t k, std::uint64_t hash) { out[k] = find(texts[k], hash); });
}

Index StringTable::intern(std::string_view text) { return intern(text, hash_of(text)); }

void StringTable::intern(std::span<const std::string_view> texts, std::span<Index> out) {
  look_ahead(texts, [&](std::size_t k, std::uint64_t hash) { out[k] = intern(texts[k], hash); });
}

Index StringTable::find(std::string_view text, std::uint64_t hash) const {
  return slots_.empty() ? kNone : slots_[locate(text, hash)].index;
}

Index StringTable::intern(std::string_view text, std::uint64_t hash) {
  if (2 * (size() + 1) > slots_.size()) grow(slots_.empty() ? 16 : 2 * slots_.size());
  Slot& slot = slots_[locate(text, hash)];
  if (slot.index != kNone) return slot.index;
  if (size() >= kMaxDimension)
    fail("there are more than {} different names: use fewer features.", kMaxDimension);
  slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<Index>(size())};
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  return slot.index;
}

void StringTable::reserve(std::size_t texts) {
  if (2 * texts > slots_.size()) grow(std::bit_ceil(2 * texts));
  offsets_.reserve(texts + 1);
}

void StringTable::grow(std::size_t slots) {
  const auto before = std::exchange(slots_, {});
  slots_.assign(slots, {});
  for (const Slot& slot : before) {
    if (slot.index == kNone) continue;
    std::size_t at = home(slot.hash);
    while (slots_[at].index != kNone) at = (at + 1) & (slots - 1);
    slots_[at] = slot;
  }
}

bool StringTable::fill(std::size_t slots) {
  constexpr Index kChunk = 32;  // whose slots are on their way to the cache together
  slots_.assign(slots, {});
  std::array<std::uint64_t, kChunk> hash;
  bool differ = true;
  for (Index begin = 0; begin < size(); begin += kChunk) {
    const Index count = std::min(kChunk, static_cast<Index>(size()) - begin);
    for (Index k = 0; k < count; ++k) {
      hash[k] = hash_of(text(begin + k));
      __builtin_prefetch(&slots_[home(static_cast<std::uint32_t>(hash[k] >> 32))], 1);
    }
    for (Index k = 0; k < count; ++k) {
      Slot& slot = slots_[locate(text(begin + k), hash[k])];
      differ = differ && slot.index == kNone;
      slot = {static_cast<std::uint32_t>(hash[k] >> 32), begin + k};
    }
  }
  return differ;
}

void StringTable::save(Archive& archive, const std::string& name) const {
  archive.arrays[name + ".bytes"] = bytes_;
  archive.arrays[name + ".offsets"] = offsets_;
}

void StringTable::load(const Archive& archive, const std::string& name) {
  const auto& bytes = archive.get<std::uint8_t>(name + ".bytes");
  const auto& offsets = archive.get<std::int64_t>(name + ".offsets");
  const auto damaged = [&] { fail("the model's dictionary '{}' is damaged: train the model again.", name); };
  if (offsets.empty() || offsets.size() - 1 > kMaxDimension || offsets.front() != 0 ||
      offsets.back() != static_cast<std::int64_t>(bytes.size()))
    damaged();
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1]) damaged();
  StringTable table;
  table.bytes_ = bytes;
  table.offsets_ = offsets;
  if (!table.empty() && !table.fill(std::bit_ceil(2 * table.size()))) damaged();
  *this = std::move(table);
}

}  // namespace hinge
