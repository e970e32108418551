// Keeps every state in memory, and goes on from one of them; or one state alone, when somebody has to go.
#pragma once

#include <algorithm>

#include "hinge/learning/keeper.h"
#include "hinge/learning/objective.h"

namespace hinge {

class MemoryKeeper final : public Keeper {
 public:
  MemoryKeeper() = default;
  explicit MemoryKeeper(std::string state) { resume(std::move(state)); }
  std::vector<std::string> states;

 private:
  bool due() override { return true; }
  void write(const std::string& bytes) override { states.push_back(bytes); }
};

// Somebody has to go when the oracle was called so many times.
class LeavingKeeper final : public Keeper {
 public:
  LeavingKeeper(const Objective& objective, std::size_t calls) : objective_(objective), calls_(calls) {}
  Observer observer() {
    return Observer({},
                    [this] {
                      last_ = std::max(last_, objective_.oracle_calls());
                      wishes_ = wishes_ || last_ >= calls_;
                      return left() || (wishes_ && still());
                    })
        .keeping(this);
  }
  bool left() const { return !state.empty(); }
  // Calls since there was the wish.
  std::size_t calls_too_many() const { return last_ - calls_; }
  bool leaves() override { return wishes_ && !left(); }
  std::string state;

 private:
  bool due() override { return leaves(); }
  void write(const std::string& bytes) override { state = bytes; }

  const Objective& objective_;
  std::size_t calls_, last_ = 0;
  bool wishes_ = false;
};

}  // namespace hinge
