// Numbers that begin at a line of the cache, so that rows of whole lines stay on their own. Where there are
// many, the system is asked for large pages: weights are read here and there, and each small page that was not
// read lately costs a search of its own.
#pragma once

#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hinge {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64}, kPage{std::size_t{1} << 21};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    void* const place = ::operator new(size, alignment(size));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment(size) == kPage)
      madvise(place, size, MADV_HUGEPAGE);  // where it is refused, pages are small
#endif
    return static_cast<T*>(place);
  }
  void deallocate(T* place, std::size_t count) { ::operator delete(place, alignment(count * sizeof(T))); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }

 private:
  static std::align_val_t alignment(std::size_t size) {
    return size >= 2 * static_cast<std::size_t>(kPage) ? kPage : kLine;
  }
};

template <class T>
using AlignedVectorOf = std::vector<T, LineAllocator<T>>;
using AlignedVector = AlignedVectorOf<double>;

}  // namespace hinge
