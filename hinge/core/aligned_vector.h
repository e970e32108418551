// Numbers that begin at a line of the cache, so that rows of whole lines stay on their own.
#pragma once

#include <new>
#include <vector>

namespace hinge {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* place, std::size_t) { ::operator delete(place, kLine); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

using AlignedVector = std::vector<double, LineAllocator<double>>;

}  // namespace hinge
