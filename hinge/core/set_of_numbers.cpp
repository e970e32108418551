#include "hinge/core/set_of_numbers.h"

#include <cassert>
#include <cstring>

namespace hinge {

std::string SetOfNumbers::packed() const {
  std::string there((words_.size() + 7) / 8, '\0'), words;
  for (std::size_t k = 0; k < words_.size(); ++k) {
    if (words_[k] == 0) continue;
    there[k / 8] = static_cast<char>(there[k / 8] | (1 << (k % 8)));
    words.append(reinterpret_cast<const char*>(&words_[k]), sizeof words_[k]);
  }
  return there + words;
}

void SetOfNumbers::unpack(std::string_view bytes) {
  const std::string_view there = bytes.substr(0, (words_.size() + 7) / 8);
  bytes.remove_prefix(there.size());
  for (std::size_t k = 0; k < words_.size(); ++k) {
    words_[k] = 0;
    if ((there[k / 8] >> (k % 8) & 1) == 0) continue;
    assert(bytes.size() >= sizeof words_[k]);
    std::memcpy(&words_[k], bytes.data(), sizeof words_[k]);
    bytes.remove_prefix(sizeof words_[k]);
  }
}

}  // namespace hinge
