// Ranks by MPI: the processes that one `mpirun` started.
#pragma once

#include <memory>
#include <string>

#include "hinge/core/ranks.h"

namespace hinge {

class MpiRanks : public Ranks {
 public:
  // Waits until every rank has come here, for so many seconds at most; whether they did. After trouble: where all
  // have the same, one tells it.
  virtual bool meet(double seconds) = 0;
  // Ends every rank.
  [[noreturn]] virtual void abort(int code) = 0;
  virtual std::string machine() const = 0;
};

// The ranks of this process; null where it was started alone. Throws InputError when it was started by mpirun but
// this build has no MPI.
std::unique_ptr<MpiRanks> join_ranks();

}  // namespace hinge
