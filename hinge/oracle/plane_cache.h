// The last planes of each example. A plane made at one w lies below the function at every other:
//
//     max over the remembered p of p(w) ≤ f(w),
//
// so the best of them at w may serve as a cut, and never as the function's value. Members may be called from
// several threads at once for different examples.
#pragma once

#include <cstdint>
#include <vector>

#include "hinge/core/snapshot.h"

namespace hinge {

class PlaneCache {
 public:
  PlaneCache(std::size_t examples, std::size_t capacity) : slots_(examples), capacity_(capacity) {}

  struct Below {
    const Plane* plane = nullptr;  // null when nothing is remembered
    double at_w = 0;               // a lower bound on f(w)
  };

  // Remembers a copy in place of the plane that was neither added nor found best for the longest time. One
  // that is there already is only renewed.
  void add(std::size_t example, const Plane& plane) {
    std::vector<Slot>& slots = slots_[example];
    Slot* chosen = nullptr;
    for (Slot& s : slots)
      if (s.plane.offset == plane.offset && s.plane.slope == plane.slope) {
        renew(s, slots);
        return;
      }
    if (slots.size() < capacity_)
      chosen = &slots.emplace_back();
    else
      for (Slot& s : slots)
        if (chosen == nullptr || s.age > chosen->age) chosen = &s;
    if (chosen == nullptr) return;  // a capacity of 0
    chosen->plane = plane;
    chosen->plane.slope.shrink();
    renew(*chosen, slots);
  }

  // The remembered plane that is highest at w. It is valid until the example's next `add`.
  Below best(std::size_t example, Weights w) {
    std::vector<Slot>& slots = slots_[example];
    Below below;
    Slot* top = nullptr;
    for (Slot& s : slots) {
      const double value = s.plane.at(w);
      if (top != nullptr && value <= below.at_w) continue;
      top = &s;
      below = {&s.plane, value};
    }
    if (top != nullptr) renew(*top, slots);
    return below;
  }

  void keep(Snapshot& snapshot) { snapshot(slots_); }
  void forget(std::size_t example) { slots_[example].clear(); }
  std::size_t planes(std::size_t example) const { return slots_[example].size(); }

 private:
  struct Slot {
    Plane plane;
    std::uint32_t age = 0;
    void keep(Snapshot& snapshot) { snapshot(plane, age); }
  };
  static void renew(Slot& slot, std::vector<Slot>& slots) {
    for (Slot& s : slots) ++s.age;
    slot.age = 0;
  }

  std::vector<std::vector<Slot>> slots_;
  std::size_t capacity_;
};

}  // namespace hinge
