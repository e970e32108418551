// The threads of one of several ranks, and the way to the others.
#pragma once

#include <memory>
#include <utility>

#include "hinge/core/executor.h"

namespace hinge {

class RankedExecutor final : public Executor {
 public:
  // `ranks` may be null: this process is alone. It is not owned.
  RankedExecutor(std::unique_ptr<Executor> threads, Ranks* ranks, std::size_t shards)
      : threads_(std::move(threads)), ranks_(ranks), shards_(shards) {}

  std::size_t workers() const override { return threads_->workers(); }
  void run(std::size_t count, const std::function<void(std::size_t piece)>& body) override {
    threads_->run(count, body);
  }
  void run_in_order(std::size_t count, const Step& look, const Step& body, const Step& then) override {
    threads_->run_in_order(count, look, body, then);
  }
  Ranks* ranks() const override { return ranks_; }
  std::size_t shards() const override { return shards_; }
  void set_shards(std::size_t shards) { shards_ = shards; }

 private:
  std::unique_ptr<Executor> threads_;
  Ranks* ranks_;
  std::size_t shards_;
};

}  // namespace hinge
