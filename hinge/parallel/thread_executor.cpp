#include "hinge/parallel/thread_executor.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>

#include "hinge/core/errors.h"
#include "hinge/core/workspace.h"

namespace hinge {
namespace {

thread_local bool inside_run = false;

}  // namespace

struct ThreadExecutor::Job {
  const std::function<void(std::size_t)>& body;
  const std::size_t count, chunk;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> failed = count;  // the lowest piece that failed so far
  std::mutex mutex = {};
  std::exception_ptr exception = {};  // of `failed`; guarded by mutex

  void work() {
    inside_run = true;
    for (std::size_t begin; (begin = next.fetch_add(chunk)) < std::min(count, failed.load());) {
      const std::size_t end = std::min(begin + chunk, count);
      std::size_t piece = begin;
      try {
        for (; piece < end; ++piece) body(piece);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (piece < failed) {
          failed = piece;
          exception = std::current_exception();
        }
      }
    }
    inside_run = false;
  }
};

ThreadExecutor::ThreadExecutor(std::size_t threads) {
  for (std::size_t k = 1; k < threads; ++k)
    pool_.emplace_back([this](std::stop_token stop) { serve(std::move(stop)); });
}

ThreadExecutor::~ThreadExecutor() = default;

void ThreadExecutor::serve(std::stop_token stop) {
  Workspace workspace;
  const Workspace::Use use(workspace);
  std::size_t seen = 0;
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return job_ != nullptr && runs_ != seen; })) {
    seen = runs_;
    Job& job = *job_;
    ++active_;
    lock.unlock();
    job.work();
    lock.lock();
    if (--active_ == 0) idle_.notify_one();
  }
}

void ThreadExecutor::run(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (pool_.empty() || count <= 1 || inside_run) return SerialExecutor().run(count, body);
  Job job{body, count, std::clamp<std::size_t>(count / (32 * workers()), 1, 32)};
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    ++runs_;
  }
  wake_.notify_all();
  job.work();
  std::unique_lock lock(mutex_);
  job_ = nullptr;
  idle_.wait(lock, [&] { return active_ == 0; });
  if (job.exception) std::rethrow_exception(job.exception);
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
