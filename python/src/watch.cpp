#include "watch.h"

namespace hinge::python {
namespace {

std::atomic<int> signals = 0;
std::atomic<int> raising = 2;  // the signal that is Python's
std::atomic<void (*)(int)> pythons_own = nullptr;

void note(int signal) {
  if (++signals < raising) return;
  if (const auto handler = pythons_own.load()) handler(signal);
}

}  // namespace

PythonWatch::PythonWatch(nb::object callback, double time_limit, int presses)
    : callback_(std::move(callback)), time_limit_(time_limit), interruptible_(presses > 0) {
  if (!interruptible_) return;
  sigaction(SIGINT, nullptr, &old_);
  const bool plain = (old_.sa_flags & SA_SIGINFO) == 0;
  if (plain && old_.sa_handler == note) return;  // a training inside another: that one's Ctrl-C is ours too
  if (!plain || old_.sa_handler == SIG_DFL || old_.sa_handler == SIG_IGN) {
    interruptible_ = false;  // somebody else decides what Ctrl-C does
    return;
  }
  signals = 0;
  raising = presses;
  pythons_own = old_.sa_handler;
  struct sigaction action {};
  action.sa_handler = note;
  sigaction(SIGINT, &action, nullptr);
  noting_ = true;
}

PythonWatch::~PythonWatch() {
  if (noting_) sigaction(SIGINT, &old_, nullptr);
}

bool PythonWatch::interrupted() const { return interruptible_ && signals > 0; }

void PythonWatch::raise_noted() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

bool PythonWatch::stops() const {
  if (time_limit_ > 0 && !late_ &&
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >= time_limit_)
    late_ = true;
  return late_ || ended_ || interrupted();
}

std::string PythonWatch::stopped() const {
  if (interrupted()) return "Stopped by Ctrl-C; the best weights so far are kept.";
  if (ended_) return "The callback ended it; the best weights so far are kept.";
  if (late_) return "The time limit was reached; the best weights so far are kept.";
  return {};
}

bool PythonWatch::told(const Progress& progress, double C) {
  if (!callback_.is_none()) {
    const nb::gil_scoped_acquire lock;
    nb::dict d;
    d["C"] = C;
    d["iteration"] = progress.iteration;
    d["oracle_calls"] = progress.oracle_calls;
    d["passes"] = progress.passes;
    d["primal"] = progress.primal;
    d["dual"] = progress.dual;
    d["gap"] = progress.relative_gap();
    d["seconds"] = progress.seconds;
    const nb::object said = callback_(d);
    if (said.is(nb::bool_(false))) ended_ = true;
  }
  return !stops();
}

Observer PythonWatch::observer(const std::string&, double C) {
  return {[this, C](const Progress& progress) { return told(progress, C); }, [this] { return stops(); }};
}

}  // namespace hinge::python
