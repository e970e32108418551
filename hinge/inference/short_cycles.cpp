#include "hinge/inference/short_cycles.h"

namespace hinge {
namespace {

constexpr std::size_t kMostNew = 4;      // cycles that begin with one edge
constexpr std::size_t kMostSeen = 1000;  // nodes looked at for one edge

}  // namespace

std::vector<ShortCycle> short_cycles(const MessageSchedule& schedule) {
  std::vector<ShortCycle> cycles;
  std::vector<char> near(schedule.places.size(), false);  // to the first place
  const auto later = [&](Index p) { return schedule.later(schedule.places[p]); };
  const auto around = [&](Index p) { return schedule.around(schedule.places[p]); };
  const auto joined = [&](Index a, Index b) {
    if (around(a).size() > around(b).size()) std::swap(a, b);
    for (const auto& link : around(a))
      if (schedule.place_of[link.neighbour] == b) return true;
    return false;
  };
  for (Index first = 0; first < schedule.places.size(); ++first) {
    for (const auto& link : later(first)) near[schedule.place_of[link.neighbour]] = true;
    for (const auto& link : later(first)) {
      const Index second = schedule.place_of[link.neighbour];
      std::size_t fresh = 0, seen = 0;
      const auto enough = [&] { return fresh >= kMostNew || ++seen > kMostSeen; };
      for (const auto& on : around(second)) {
        const Index third = schedule.place_of[on.neighbour];
        if (enough()) break;
        if (third <= first) continue;
        if (near[third]) {
          if (third > second) cycles.push_back({3, {first, second, third}}), ++fresh;
          continue;
        }
        for (const auto& back : around(third)) {
          const Index fourth = schedule.place_of[back.neighbour];
          if (enough()) break;
          if (fourth <= second || !near[fourth] || joined(second, fourth)) continue;
          cycles.push_back({4, {first, second, third, fourth}});
          ++fresh;
        }
      }
    }
    for (const auto& link : later(first)) near[schedule.place_of[link.neighbour]] = false;
  }
  return cycles;
}

}  // namespace hinge
