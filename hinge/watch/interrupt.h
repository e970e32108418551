// Ctrl-C during training: the first is a wish to stop and keep what there is, the second ends the program.
#pragma once

#include <csignal>
#include <string>

namespace hinge {

// While one lives, SIGINT and SIGTERM are noted once; the next one has its usual effect. One that begins inside
// another knows of what that has noted.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::string by() const;     // what asked to stop; empty as long as nothing did
  bool to_terminate() const;  // SIGTERM, as clusters send it before they kill
  void ignore();              // from now on, so that files are written to their end
  void release();             // the effect that signals had before; the end of one does the same

 private:
  struct sigaction old_interrupt_ {
  }, old_terminate_{};
};

}  // namespace hinge
