#include "hinge/watch/interrupt.h"

#include <atomic>

namespace hinge {
namespace {

std::atomic<int> signalled = 0;  // workers look at it too
std::atomic<int> living = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may set it");

void note(int signal) { signalled = signal; }

}  // namespace

Interrupt::Interrupt() {
  if (living++ == 0) signalled = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

Interrupt::~Interrupt() {
  release();
  --living;
}

void Interrupt::release() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

void Interrupt::ignore() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
}

std::string Interrupt::by() const {
  const int signal = signalled;
  return signal == 0 ? "" : signal == SIGINT ? "Ctrl-C" : "a signal to terminate";
}

bool Interrupt::to_terminate() const { return signalled == SIGTERM; }

}  // namespace hinge
