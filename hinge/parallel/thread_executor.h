// Runs pieces of work on several threads, which stay alive between runs.
//
// Pieces are claimed in ascending order, a few at a time, by whichever thread is free. After a failure the
// pieces above it may be left out, those below never are, so that the exception is the same for any number of
// threads. One run at a time; a run started inside a piece is done by that piece's own thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "hinge/core/executor.h"

namespace hinge {

class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(std::size_t threads);  // the calling thread is one of them
  ~ThreadExecutor() override;

  std::size_t workers() const override { return pool_.size() + 1; }
  void run(std::size_t count, const std::function<void(std::size_t piece)>& body) override;

 private:
  struct Job;
  void serve(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any wake_, idle_;
  Job* job_ = nullptr;      // what may be joined now
  std::size_t runs_ = 0;    // jobs so far, so that no thread joins one twice
  std::size_t active_ = 0;  // pool threads at work
  std::vector<std::jthread> pool_;
};

// Threads for `threads` workers: 0 means one for each core, 1 no thread beside the caller's. Throws
// InputError when the system does not give that many.
std::unique_ptr<Executor> make_executor(std::size_t threads);

}  // namespace hinge
