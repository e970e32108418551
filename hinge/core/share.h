// Work on items of which each rank does its own, in turn, after which all ranks have all of them:
//
//     values[k] by fill(k), done by rank k mod R
//
// Where there are no ranks, the executor does them all.
#pragma once

#include <span>

#include "hinge/core/executor.h"
#include "hinge/core/ranks.h"
#include "hinge/core/snapshot.h"
#include "hinge/core/stopped.h"

namespace hinge {

template <class T, class Fill>
void share(Executor& executor, std::span<T> values, const Fill& fill) {
  Ranks* const ranks = executor.ranks();
  if (ranks == nullptr) return executor.run(values.size(), fill);
  const std::size_t size = ranks->size();
  // The items of rank r are r, r + size, …
  const auto count = [&](std::size_t r) { return (values.size() + size - 1 - r) / size; };
  const std::vector<std::string> all = ranks->gather([&] {
    const std::size_t own = ranks->rank();
    executor.run(count(own), [&](std::size_t j) {
      if (ranks->wishes()) throw Stopped();
      fill(own + j * size);
    });
    Snapshot made;
    for (std::size_t j = 0; j < count(own); ++j) made(values[own + j * size]);
    return made.bytes();
  });
  for (std::size_t r = 0; r < size; ++r) {
    if (r == ranks->rank()) continue;
    Snapshot theirs(all[r]);
    for (std::size_t j = 0; j < count(r); ++j) theirs(values[r + j * size]);
  }
}

}  // namespace hinge
