// Keeps every state in memory, and goes on from one of them.
#pragma once

#include "hinge/learning/keeper.h"

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

}  // namespace hinge
