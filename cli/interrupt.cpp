#include "cli/interrupt.h"

namespace hinge {
namespace {

volatile std::sig_atomic_t signalled = 0;

void note(int signal) { signalled = signal; }

}  // namespace

Interrupt::Interrupt() {
  signalled = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

Interrupt::~Interrupt() { release(); }

void Interrupt::release() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

void Interrupt::ignore() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
}

std::string Interrupt::by() const {
  return signalled == 0 ? "" : signalled == SIGINT ? "Ctrl-C" : "a signal to terminate";
}

}  // namespace hinge
