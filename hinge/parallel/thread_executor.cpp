#include "hinge/parallel/thread_executor.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "hinge/core/errors.h"
#include "hinge/core/workspace.h"

namespace hinge {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds kSpin{30}, kYield{300};

thread_local bool inside_run = false;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// What a thread does that waits: it looks again at once, after a while lets others run, and in the end says that
// it has waited long enough.
class Patience {
 public:
  bool wait() {
    for (int k = 0; k < 10; ++k) pause();
    const auto waited = Clock::now() - start_;
    if (waited > kSpin) std::this_thread::yield();
    return waited < kYield;
  }

 private:
  Clock::time_point start_ = Clock::now();
};

constexpr std::uint64_t kNext = (std::uint64_t{1} << 32) - 1;
constexpr std::size_t kMostChunks = std::size_t{1} << 30;

}  // namespace

ThreadExecutor::ThreadExecutor(std::size_t threads) {
  for (std::size_t k = 1; k < threads; ++k)
    pool_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
}

ThreadExecutor::~ThreadExecutor() {
  for (std::jthread& thread : pool_) thread.request_stop();
}

bool ThreadExecutor::anything_left() const {
  const std::uint64_t ticket = ticket_.load();
  return (ticket & kNext) < ticket >> 32;
}

bool ThreadExecutor::work() {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  do
    if ((ticket & kNext) >= ticket >> 32) return false;
  while (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  finish_chunk(ticket & kNext);
  ++done_;
  if (waits_) {
    const std::lock_guard lock(mutex_);
    end_.notify_one();
  }
  return true;
}

void ThreadExecutor::attempt(std::size_t piece, const Step& step) {
  if (piece >= failed_.load()) return;
  try {
    step(piece);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (piece < failed_) {
      failed_ = piece;
      exception_ = std::current_exception();
    }
  }
}

void ThreadExecutor::finish_chunk(std::size_t chunk) {
  const std::size_t begin = chunk * chunk_, end = std::min(begin + chunk_, count_);
  inside_run = true;
  for (std::size_t piece = begin; piece < end; ++piece) attempt(piece, *body_);
  if (then_) {
    for (std::size_t piece = begin; piece < end; ++piece) ready_[piece] = true;
    follow();
  }
  inside_run = false;
}

// Who finishes a piece while another thread is here leaves its last step to that one, which looks again after it has
// said that it is done.
void ThreadExecutor::follow() {
  const auto can = [this] {
    const std::size_t next = next_;
    return next < std::min(count_, failed_.load()) && ready_[next];
  };
  while (can() && !follows_.exchange(true)) {
    for (; can(); ++next_) attempt(next_, *then_);
    follows_ = false;
  }
}

void ThreadExecutor::serve(const std::stop_token& stop) {
  Workspace workspace;
  const Workspace::Use use(workspace);
  while (!stop.stop_requested()) {
    Patience patience;
    do
      if (work()) patience = {};
    while (!stop.stop_requested() && patience.wait());
    sleep(stop);
  }
}

void ThreadExecutor::sleep(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  ++sleepers_;
  wake_.wait(lock, stop, [&] { return anything_left(); });
  --sleepers_;
}

void ThreadExecutor::run(std::size_t count, const Step& body) {
  if (pool_.empty() || count <= 1 || inside_run) return SerialExecutor().run(count, body);
  then_ = nullptr;
  const std::size_t few = std::clamp<std::size_t>(count / (32 * workers()), 1, 32);
  start(count, std::max(few, count / kMostChunks), body);
}

void ThreadExecutor::run_in_order(std::size_t count, const Step& look, const Step& body, const Step& then) {
  if (pool_.empty() || count <= 1 || inside_run)
    return SerialExecutor().run_in_order(count, look, body, then);
  if (look) run(count, look);
  if (room_ < count) {
    ready_ = std::make_unique<std::atomic<bool>[]>(count);
    room_ = count;
  }
  for (std::size_t piece = 0; piece < count; ++piece) ready_[piece] = false;
  next_ = 0;
  then_ = &then;
  start(count, count / kMostChunks + 1, body);
}

// Returns when all is done.
void ThreadExecutor::start(std::size_t count, std::size_t chunk, const Step& body) {
  body_ = &body;
  count_ = failed_ = count;
  chunk_ = chunk;
  const std::size_t chunks = (count + chunk - 1) / chunk;
  done_ = 0;
  ticket_ = std::uint64_t{chunks} << 32;
  if (sleepers_ > 0) {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
  while (work()) {
  }
  for (Patience patience; done_ < chunks && patience.wait();) {
  }
  if (done_ < chunks) {
    std::unique_lock lock(mutex_);
    waits_ = true;
    end_.wait(lock, [&] { return done_ == chunks; });
    waits_ = false;
  }
  if (exception_) std::rethrow_exception(std::exchange(exception_, {}));
}

std::unique_ptr<Executor> make_executor(std::size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  if (threads == 1) return std::make_unique<SerialExecutor>();
  try {
    return std::make_unique<ThreadExecutor>(threads);
  } catch (const std::system_error& error) {
    fail("`threads` is {}, but the system does not give that many ({}): use fewer, or 0 for all cores.",
         threads, error.code().message());
  }
}

}  // namespace hinge
