// Which of many numbers are meant, a bit each; as bytes without the words that are zero.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hinge {

class SetOfNumbers {
 public:
  SetOfNumbers() = default;
  explicit SetOfNumbers(std::size_t numbers) : words_((numbers + 63) / 64) {}
  bool has(std::size_t number) const { return (words_[number / 64] >> (number % 64) & 1) != 0; }
  void add(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << (number % 64); }
  bool empty() const { return words_.empty(); }  // of no numbers
  template <class Body>
  void for_each(const Body& body) const {  // ascending
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t left = words_[k]; left != 0; left &= left - 1)
        body(64 * k + static_cast<std::size_t>(std::countr_zero(left)));
  }
  friend bool operator==(const SetOfNumbers&, const SetOfNumbers&) = default;

  std::string packed() const;
  void unpack(std::string_view bytes);  // of as many numbers; more may follow

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace hinge
