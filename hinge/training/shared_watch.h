// A watch for runs that go on at the same time: those who watch are told by one run after the other.
#pragma once

#include <memory>
#include <mutex>

#include "hinge/training/watch.h"

namespace hinge {

class SharedWatch final : public Watch {
 public:
  explicit SharedWatch(Watch& watch) : watch_(watch) {}

  Observer observer(const std::string& label, double C) override {
    const std::lock_guard lock(mutex_);
    const auto one = std::make_shared<const Observer>(watch_.observer(label, C));
    return {[this, one](const Progress& progress) {
              const std::lock_guard telling(mutex_);
              return (*one)(progress);
            },
            [one] { return one->stops(); }};
  }
  void run_ended() override {
    const std::lock_guard lock(mutex_);
    watch_.run_ended();
  }
  std::string stopped() const override {
    const std::lock_guard lock(mutex_);
    return watch_.stopped();
  }
  bool interrupted() const override { return watch_.interrupted(); }

 private:
  Watch& watch_;
  mutable std::mutex mutex_;
};

}  // namespace hinge
