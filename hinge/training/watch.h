// Who watches a training, which may be many runs: every fold, every C.
#pragma once

#include <string>

#include "hinge/learning/observer.h"

namespace hinge {

class Watch {
 public:
  virtual ~Watch() = default;
  // The observer of the next run, which `label` names. It must not outlive the watch.
  virtual Observer observer(const std::string& label, double C) = 0;
  virtual void run_ended() {}
  // Why the training is to end before its time, a sentence; empty when it is not. Once said, always said.
  virtual std::string stopped() const = 0;
  // Whether a person asked for that, rather than a limit.
  virtual bool interrupted() const { return false; }
};

// The same observer for every run; the training ends when it ends one.
class ObserverWatch final : public Watch {
 public:
  explicit ObserverWatch(Observer observer) : observer_(std::move(observer)) {}

  Observer observer(const std::string&, double) override {
    return {[this](const Progress& progress) {
              if (!observer_(progress)) ended_ = true;
              return !ended_;
            },
            [this] { return observer_.stops(); }};
  }
  std::string stopped() const override {
    return ended_ || observer_.stops() ? "The observer ended it; the best weights so far are kept." : "";
  }

 private:
  Observer observer_;
  bool ended_ = false;  // told by one thread alone
};

}  // namespace hinge
