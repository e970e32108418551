// What the functions on arrays share: threads, lengths of examples, and a look at scores.
#pragma once

#include <cmath>
#include <limits>
#include <mutex>

#include "binding.h"
#include "hinge/core/errors.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge::python {

using Lengths = std::optional<In<std::int64_t, 1>>;
using Mask = std::optional<In<bool, 2>>;

// One pool of threads, made anew where another number is asked for.
class Pool {
 public:
  template <class Body>
  void run(std::size_t count, std::size_t threads, const Body& body) {
    if (threads == 1 || count == 1) return SerialExecutor().run(count, body);
    const std::lock_guard lock(mutex_);
    if (!executor_ || threads_ != threads) executor_ = make_executor(threads), threads_ = threads;
    executor_->run(count, body);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Executor> executor_;
  std::size_t threads_ = 0;
};
Pool& pool();

inline std::size_t length_of(const Lengths& lengths, std::size_t b, std::size_t whole) {
  if (!lengths) return whole;
  const std::int64_t length = lengths->data()[b];
  if (length < 1 || static_cast<std::size_t>(length) > whole)
    fail("the length of example {} is {}: it must be from 1 to {}.", b, length, whole);
  return static_cast<std::size_t>(length);
}

// Scores that are no number would make every answer one.
template <class F>
void require_scores(const F* from, std::size_t count, const std::string& whose) {
  for (std::size_t k = 0; k < count; ++k)
    if (std::isnan(from[k]) || from[k] == std::numeric_limits<F>::infinity())
      fail("a score of {} is {}: give finite numbers, or -inf for what is forbidden.", whose, from[k]);
}
template <class F>
void require_scores(const F* from, std::size_t count, std::size_t b) {
  require_scores(from, count, "example " + std::to_string(b));
}

void bind_chains(nb::module_& m);
void bind_graphs(nb::module_& m);
void bind_lists(nb::module_& m);
void bind_folds(nb::module_& m);
void bind_grammars(nb::module_& m);

}  // namespace hinge::python
