// Room that loops use again from one example to the next, so that nothing is allocated inside them:
//
//     Vector& sums = scratch<Vector, struct RowSums>();
//
// is the Vector called RowSums of the worker that runs. It holds what its last user left; a name has one user
// at a time, so a function that may be called by itself keeps its room elsewhere. Every worker of an executor
// has a workspace of its own, which ends with it; threads that no executor made use one that ends with the
// thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace hinge {

class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  template <class Space, class Name>
  Space& room() {
    static const std::size_t number = next_number();
    if (number >= rooms_.size()) rooms_.resize(number + 1);
    if (!rooms_[number]) rooms_[number] = std::make_unique<Room<Space>>();
    return static_cast<Room<Space>&>(*rooms_[number]).space;
  }

  static Workspace& of_this_thread();
  // While one lives, `workspace` is that of this thread.
  class Use {
   public:
    explicit Use(Workspace& workspace);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Workspace* before_;
  };

 private:
  struct AnyRoom {
    virtual ~AnyRoom() = default;
  };
  template <class Space>
  struct Room final : AnyRoom {
    Space space;
  };
  static std::size_t next_number();

  std::vector<std::unique_ptr<AnyRoom>> rooms_;
};

template <class Space, class Name = Space>
Space& scratch() {
  return Workspace::of_this_thread().room<Space, Name>();
}

}  // namespace hinge
