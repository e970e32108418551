#include "hinge/inference/tree_reweighted.h"

#include <algorithm>
#include <cmath>

#include "hinge/inference/graph_settings.h"

namespace hinge {
namespace {

using Place = MessageSchedule::Place;
using Link = MessageSchedule::Link;

constexpr double kSlow = 1e-2;  // of the gap: less than this in a sweep, and the bound is at rest

}  // namespace

TreeReweighted::Result TreeReweighted::solve(const MessageSchedule& schedule, const GraphScores& scores,
                                             const Vector& unary, const GraphSettings& settings,
                                             Assignment& winner, Fusion* fusion) {
  messages_.begin(schedule, scores, unary, 0);
  terms_.resize(schedule.largest_stride);
  trial_ = winner;
  Result result{kForbidden, std::numeric_limits<double>::infinity(), false, 0};
  double before = result.bound;
  while (result.sweeps < settings.max_sweeps && !result.converged) {
    ++result.sweeps;
    back(schedule);
    const double bound = forth(schedule);
    if (fusion != nullptr && result.sweeps > 1) fusion->fuse(winner, trial_);
    if (const double value = score(schedule, trial_); value > result.value) {
      result.value = value;
      winner = trial_;
    }
    result.bound = schedule.forest ? result.value : std::min(result.bound, bound);
    const double gap = result.bound - result.value;
    // Also when both are −∞.
    result.converged = !(gap > 1e-12 * (1 + std::abs(result.bound))) ||
                       (std::isfinite(gap) && before - result.bound <= kSlow * gap);
    before = result.bound;
  }
  improve(schedule, winner);
  result.value = score(schedule, winner);
  return result;
}

double TreeReweighted::forth(const MessageSchedule& schedule) {
  double bound = 0;
  for (const Place& place : schedule.places) {
    condition(place, schedule.earlier(place), trial_);
    for (const Link& link : schedule.later(place))
      for (std::size_t k = 0; k < place.states; ++k) terms_[k] += messages_.message(link.in)[k];
    trial_[place.node] = static_cast<int>(arg_max({terms_.data(), place.states}));
    bound += tell(schedule, place, schedule.later(place));
  }
  return bound;
}

void TreeReweighted::back(const MessageSchedule& schedule) {
  for (std::size_t p = schedule.places.size(); p-- > 0;)
    tell(schedule, schedule.places[p], schedule.earlier(schedule.places[p]));
}

double TreeReweighted::tell(const MessageSchedule& schedule, const Place& place,
                            std::span<const Link> links) {
  const std::size_t chains = std::max<std::size_t>({place.earlier(), place.later(), 1});
  const double share = schedule.forest ? 1 : 1 / static_cast<double>(chains);
  const double* belief = messages_.gather(schedule, place);
  // The chains that end here, and what is taken off the messages.
  double bound = kernels::maximum(belief, place.states) * share * static_cast<double>(chains - links.size());
  for (const Link& link : links)
    bound +=
        kernels::pass_maxima(messages_.message(link.out), messages_.passing(schedule, place, link, share));
  return bound;
}

void TreeReweighted::condition(const Place& place, std::span<const Link> links, const Assignment& s) {
  std::copy_n(messages_.own(place), place.states, terms_.data());
  for (const Link& link : links) {
    const double* column =
        messages_.against(link) + static_cast<std::size_t>(s[link.neighbour]) * place.stride;
    for (std::size_t k = 0; k < place.states; ++k) terms_[k] += column[k];
  }
}

double TreeReweighted::score(const MessageSchedule& schedule, const Assignment& s) const {
  double sum = 0;
  for (const Place& place : schedule.places) {
    const auto own = static_cast<std::size_t>(s[place.node]);
    sum += messages_.own(place)[own];
    for (const Link& link : schedule.earlier(place))
      sum += messages_.against(link)[static_cast<std::size_t>(s[link.neighbour]) * place.stride + own];
  }
  return messages_.or_forbidden(sum);
}

void TreeReweighted::improve(const MessageSchedule& schedule, Assignment& s) {
  for (bool better = true; better;) {
    better = false;
    for (const Place& place : schedule.places) {
      condition(place, schedule.around(place), s);
      const std::size_t best = arg_max({terms_.data(), place.states});
      const double now = terms_[static_cast<std::size_t>(s[place.node])];
      if (!(terms_[best] > now + 1e-12 * (1 + std::abs(now)))) continue;
      s[place.node] = static_cast<int>(best);
      better = true;
    }
  }
}

}  // namespace hinge
