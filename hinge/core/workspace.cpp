#include "hinge/core/workspace.h"

#include <atomic>
#include <utility>

namespace hinge {
namespace {

Workspace*& current() {
  static thread_local Workspace own;
  static thread_local Workspace* workspace = &own;
  return workspace;
}

}  // namespace

Workspace& Workspace::of_this_thread() { return *current(); }

Workspace::Use::Use(Workspace& workspace) : before_(std::exchange(current(), &workspace)) {}
Workspace::Use::~Use() { current() = before_; }

std::size_t Workspace::next_number() {
  static std::atomic<std::size_t> numbers = 0;
  return numbers++;
}

}  // namespace hinge
