#include "hinge/inference/cycle_maxima.h"

#include <algorithm>
#include <cmath>

#include "hinge/inference/graph_settings.h"

namespace hinge {
namespace {

constexpr int kFirst = 4;               // sweeps before the first search
constexpr std::size_t kFew = 32;        // kept by a search between sweeps
constexpr std::size_t kMany = 1 << 13;  // by the last one
constexpr double kSlow = 1e-2;  // of the gap: less than this while sweeps double, and the bound is at rest

}  // namespace

CycleMaxima::Result CycleMaxima::improve(const MessageSchedule& schedule, const GraphScores& scores,
                                         const Vector& unary, const GraphSettings& settings,
                                         Assignment& winner) {
  messages_.begin(schedule, scores, unary);
  Result result{messages_.bound(), false, false};
  bool last = false;
  for (int sweeps = 0, next = kFirst; !result.converged && !last; next *= 2) {
    const double before = messages_.bound();
    while (sweeps < std::min(next, settings.max_sweeps)) messages_.sweep(), ++sweeps;
    const double bound = messages_.bound(), value = messages_.score(winner);
    const bool rests = next > kFirst && before - bound <= kSlow * (bound - value);
    last = rests || sweeps == settings.max_sweeps;
    const auto found = search_.run(messages_, bound, bound - value, last ? kMany : kFew, winner);
    result.bound = std::min(result.bound, found.bound);
    result.proven = found.proven;
    result.converged = found.proven || rests;
  }
  result.bound = messages_.or_forbidden(result.bound);
  return result;
}

}  // namespace hinge
