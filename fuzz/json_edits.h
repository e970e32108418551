// Edits of JSON that bytes choose: libFuzzer mutates the bytes, and so the structure. Flipping bytes of text
// mostly makes what is no JSON at all, which says little of the code behind the parser.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

namespace hinge {

// Numbers from bytes; zeros once they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* bytes, std::size_t size) : rest_(bytes, size) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t take() {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : take() % n; }
  std::string text() {
    std::string result(below(12), ' ');
    for (char& c : result) c = static_cast<char>(take());
    return result;
  }
  std::span<const std::uint8_t> rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
};

inline nlohmann::json made_number(Bytes& from) {
  switch (from.below(8)) {
    case 0:
      return -1;
    case 1:
      return 0.5;
    case 2:
      return 1e300;
    case 3:
      return std::numeric_limits<std::int64_t>::max();
    case 4:
      return std::uint64_t{1} << (from.take() % 64);
    case 5:
      return -static_cast<double>(from.take()) / 16;
    default:
      return from.below(6);
  }
}

// Any value, at most `depth` deep.
inline nlohmann::json made_json(Bytes& from, int depth) {
  switch (from.below(depth > 0 ? 9 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return from.take() % 2 == 0;
    case 2:
      return from.text();
    case 3:
    case 4:
    case 5:
      return made_number(from);
    case 6: {  // one within the other; sometimes about as deep as the parser allows, which is slow
      const std::size_t levels = from.take();
      nlohmann::json value = made_number(from);
      for (std::size_t k = levels < 240 ? levels % 4 : levels - 150; k > 0; --k)
        value = nlohmann::json::array({std::move(value)});
      return value;
    }
    case 7: {
      nlohmann::json list = nlohmann::json::array();
      for (std::size_t k = from.below(5); k > 0; --k) list.push_back(made_json(from, depth - 1));
      return list;
    }
    default: {
      nlohmann::json object = nlohmann::json::object();
      for (std::size_t k = from.below(4); k > 0; --k) {
        std::string key = from.text();
        object[std::move(key)] = made_json(from, depth - 1);
      }
      return object;
    }
  }
}

// One edit: bytes lead down from the root to a value, which is replaced, or gains, loses or repeats a child.
inline void edit_json(nlohmann::json& root, Bytes& from) {
  nlohmann::json* at = &root;
  while (at->is_structured() && !at->empty()) {
    const std::size_t child = from.below(at->size() + 1);
    if (child == at->size()) break;
    at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(child));
  }
  const std::size_t kind = from.below(4);
  if (kind == 0 || !at->is_structured()) {
    *at = made_json(from, 3);
    return;
  }
  const auto some = [&] {
    return std::next(at->begin(), static_cast<std::ptrdiff_t>(from.below(at->size())));
  };
  if (kind == 1 && !at->empty()) {
    at->erase(some());
  } else if (at->is_array()) {
    nlohmann::json copy = kind == 2 && !at->empty() ? nlohmann::json(*some()) : made_json(from, 3);
    at->push_back(std::move(copy));
  } else {
    std::string key = from.text();
    (*at)[std::move(key)] = made_json(from, 3);
  }
}

// The value after as many edits as the bytes hold, at most eight.
inline nlohmann::json edited_json(nlohmann::json value, Bytes& from) {
  for (int k = 0; k < 8 && !from.empty(); ++k) edit_json(value, from);
  return value;
}

}  // namespace hinge
