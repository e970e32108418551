#include "hinge/core/errors.h"
#include "hinge/parallel/mpi.h"
#include "hinge/parallel/mpi_environment.h"

namespace hinge {

std::unique_ptr<MpiRanks> join_ranks() {
  if (const long processes = started_with(); processes > 1)
    fail(
        "it was started as one of {} processes, but this build of hinge has no MPI: install libopenmpi-dev "
        "and build it again, "
        "or start it alone.",
        processes);
  return nullptr;
}

}  // namespace hinge
