// Who watches a training that Python asked for: the clock, Ctrl-C and a callback.
//
// The first Ctrl-C is a wish to stop and keep what there is, noted where Python does not see it; the second is
// Python's own, and raises KeyboardInterrupt, as the first one is of a training that is one of many. A training inside
// another, from its callback or its task, ends by the same Ctrl-C as that one.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>

#include "binding.h"
#include "hinge/training/watch.h"

namespace hinge::python {

class PythonWatch final : public Watch {
 public:
  // `presses` of Ctrl-C raise; 0: it is not ours to handle, as in all threads but Python's main one. `callback` is called with a
  // dict, and ends it by False.
  PythonWatch(nb::object callback, double time_limit, int presses);
  ~PythonWatch() override;
  PythonWatch(const PythonWatch&) = delete;
  PythonWatch& operator=(const PythonWatch&) = delete;

  Observer observer(const std::string& label, double C) override;
  std::string stopped() const override;
  bool interrupted() const override;
  // Raises what Python has noted meanwhile.
  static void raise_noted();

 private:
  bool stops() const;
  bool told(const Progress& progress, double C);

  nb::object callback_;
  double time_limit_;
  bool interruptible_;
  bool noting_ = false;  // ours is the handler that notes
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::atomic<bool> late_ = false;
  std::atomic<bool> ended_ = false;  // by the callback
  struct sigaction old_ {};
};

}  // namespace hinge::python
