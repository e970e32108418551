// A state as bytes, written and read by one description, so that the two cannot disagree:
//
//     void keep(Snapshot& snapshot) { snapshot(weights_, dual_, blocks_); }     of a class with these members
//
// Numbers, enumerations, plain structs, vectors, strings, pairs, optionals and whatever has `keep` go in bit by
// bit. There are no names and no versions in it: it is for the same build of the program.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hinge/core/plane.h"

namespace hinge {

class Snapshot {
 public:
  Snapshot() = default;                                                               // writes
  explicit Snapshot(std::string bytes) : bytes_(std::move(bytes)), reading_(true) {}  // reads
  bool reading() const { return reading_; }
  bool at_end() const { return at_ == bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

  // Writes the values, or overwrites them with those that were written. Throws InputError when the bytes end
  // too soon.
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }

 private:
  template <class T>
  static constexpr bool plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

  template <class T>
  void one(T& value) {
    if constexpr (requires { value.keep(*this); })
      value.keep(*this);
    else {
      static_assert(plain<T>, "give it a member keep(Snapshot&)");
      raw(&value, sizeof value);
    }
  }
  template <class T, class Allocator>
  void one(std::vector<T, Allocator>& values) {
    values.resize(count(values.size(), plain<T> ? sizeof(T) : 1));
    if constexpr (plain<T> && !requires(T& v) { v.keep(*this); })
      raw(values.data(), values.size() * sizeof(T));
    else
      for (T& value : values) one(value);
  }
  void one(std::string& text) {
    text.resize(count(text.size(), 1));
    raw(text.data(), text.size());
  }
  template <class A, class B>
  void one(std::pair<A, B>& both) {
    (*this)(both.first, both.second);
  }
  template <class T>
  void one(std::optional<T>& value) {
    bool there = value.has_value();
    raw(&there, sizeof there);
    if (reading_ && !there) value.reset();
    if (reading_ && there) value.emplace();
    if (there) one(*value);
  }
  void one(Plane& plane);
  void one(SparseVector& vector);

  void raw(void* data, std::size_t size);
  // How many items of at least `each` bytes follow.
  std::size_t count(std::size_t own, std::size_t each);

  std::string bytes_;
  std::size_t at_ = 0;
  bool reading_ = false;
};

// What comes whole to another process: no pointer and no view can be in it.
template <class T>
inline constexpr bool portable = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                 requires(T& value, Snapshot& snapshot) { value.keep(snapshot); };
template <>
inline constexpr bool portable<std::string> = true;
template <>
inline constexpr bool portable<std::vector<bool>> = false;
template <class T, class Allocator>
inline constexpr bool portable<std::vector<T, Allocator>> = portable<T>;
template <class A, class B>
inline constexpr bool portable<std::pair<A, B>> = portable<A> && portable<B>;
template <class T>
inline constexpr bool portable<std::optional<T>> = portable<T>;

}  // namespace hinge
