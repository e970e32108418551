#include "hinge/core/packed_numbers.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hinge {
namespace {

constexpr std::size_t kOneByte = 256, kMost = std::size_t{1} << 12;

// Numbers that were seen, each with its place in the order in which they came.
class Table {
 public:
  // The place of a number, which is there from then on; kMost where there is no room for it.
  std::size_t place(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (std::size_t at = bits * 0x9e3779b97f4a7c15u >> (64 - kBits);; at = (at + 1) % slots_.size()) {
      std::uint16_t& slot = slots_[at];
      if (slot == kNone) {
        if (numbers_.size() == kMost) return kMost;
        slot = static_cast<std::uint16_t>(numbers_.size());
        numbers_.push_back(number);
      }
      if (std::bit_cast<std::uint64_t>(numbers_[slot]) == bits) return slot;
    }
  }
  const Vector& numbers() const { return numbers_; }

 private:
  static constexpr int kBits = 14;
  static constexpr std::uint16_t kNone = 0xffff;
  std::vector<std::uint16_t> slots_ = std::vector<std::uint16_t>(std::size_t{1} << kBits, kNone);
  Vector numbers_;
};

void append(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

template <class T>
T take(std::string_view& bytes) {
  assert(bytes.size() >= sizeof(T));
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

// Which of few different numbers each is; empty where they are too many to be worth it.
std::vector<std::uint16_t> places(std::span<const double> numbers, Table& table) {
  std::vector<std::uint16_t> found(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t place = table.place(numbers[k]);
    if (place == kMost || 4 * table.numbers().size() > numbers.size()) return {};
    found[k] = static_cast<std::uint16_t>(place);
  }
  return found;
}

}  // namespace

std::string packed(std::span<const double> numbers) {
  // A look at the first of many says whether they are all different.
  constexpr std::size_t kLook = 4096;
  Table table;
  std::vector<std::uint16_t> found;
  if (numbers.size() >= 64 && (numbers.size() < 4 * kLook || !places(numbers.first(kLook), table).empty()))
    found = places(numbers, table);
  const auto different = static_cast<std::uint32_t>(found.empty() ? 0 : table.numbers().size());
  std::string bytes;
  append(bytes, &different, sizeof different);
  if (found.empty()) {
    append(bytes, numbers.data(), numbers.size_bytes());
    return bytes;
  }
  append(bytes, table.numbers().data(), different * sizeof(double));
  if (different > kOneByte) {
    append(bytes, found.data(), found.size() * sizeof found[0]);
    return bytes;
  }
  for (const std::uint16_t place : found) bytes += static_cast<char>(place);
  return bytes;
}

Vector unpack_numbers(std::string_view& bytes, std::size_t count) {
  const auto different = take<std::uint32_t>(bytes);
  Vector table(different == 0 ? count : different);
  assert(bytes.size() >= table.size() * sizeof(double));
  if (!table.empty()) std::memcpy(table.data(), bytes.data(), table.size() * sizeof(double));
  bytes.remove_prefix(table.size() * sizeof(double));
  if (different == 0) return table;
  Vector numbers;
  numbers.reserve(count);
  for (std::size_t k = 0; k < count; ++k)
    numbers.push_back(table[different > kOneByte ? take<std::uint16_t>(bytes) : take<std::uint8_t>(bytes)]);
  return numbers;
}

}  // namespace hinge
