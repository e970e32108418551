// Runs pieces of work on several threads, which stay alive between runs.
//
// Pieces are claimed in ascending order, a few at a time, by whichever thread is free. After a failure the
// pieces above it may be left out, those below never are, so that the exception is the same for any number of
// threads. One run at a time; a run started inside a piece is done by that piece's own thread.
//
// A run may last less than it takes to wake a thread. So a thread that has nothing to do looks for the next run
// for a while, then lets others have the core, and then sleeps; and a run ends when its pieces are done, whether
// or not every thread has seen it: a thread that the system keeps from running holds nobody up.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
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
  void run(std::size_t count, const Step& body) override;
  void run_in_order(std::size_t count, const Step& look, const Step& body, const Step& then) override;

 private:
  // What several threads write at the same time is so many bytes apart: not in one line of their caches.
  static constexpr std::size_t kApart = 64;
  void start(std::size_t count, std::size_t chunk, const Step& body);
  void serve(const std::stop_token& stop);
  void sleep(const std::stop_token& stop);
  bool work();  // does one chunk of pieces, if there is one that nobody has claimed
  void finish_chunk(std::size_t chunk);
  void attempt(std::size_t piece, const Step& step);  // keeps what it throws
  void follow();  // does last steps that can be done, unless another thread does
  bool anything_left() const;

  // Chunks of the run and the next one to claim, in one word: who changes it has claimed a chunk of the run that
  // is going on, and that run does not end before the chunk is done.
  alignas(kApart) std::atomic<std::uint64_t> ticket_ = 0;
  alignas(kApart) std::atomic<std::size_t> done_ = 0;  // chunks
  // Of the run that is going on; written while no chunk is left to claim.
  alignas(kApart) const Step* body_ = nullptr;
  std::size_t count_ = 0, chunk_ = 1;    // pieces, and how many of them are claimed at a time
  std::atomic<std::size_t> failed_ = 0;  // the lowest piece that failed so far, or count_
  std::exception_ptr exception_;         // of that piece; guarded by mutex_
  // Of a run in order:
  const Step* then_ = nullptr;                         // null: it is none
  std::unique_ptr<std::atomic<bool>[]> ready_;         // whether a piece's body is done
  std::size_t room_ = 0;                               // of ready_
  alignas(kApart) std::atomic<std::size_t> next_ = 0;  // piece to come to its last step
  std::atomic<bool> follows_ = false;                  // somebody is at that

  alignas(kApart) std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable end_;
  std::atomic<int> sleepers_ = 0;    // threads without work
  std::atomic<bool> waits_ = false;  // the caller does, for the last chunks
  std::vector<std::jthread> pool_;
};

// Threads for `threads` workers: 0 means one for each core, 1 no thread beside the caller's. Throws
// InputError when the system does not give that many.
std::unique_ptr<Executor> make_executor(std::size_t threads);

}  // namespace hinge
