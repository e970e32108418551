// How many processes this one was started with, as mpirun, srun and their like tell it; 1 where it was alone.
#pragma once

#include <cstdlib>
#include <string>

namespace hinge {

inline long started_with() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* text = std::getenv(name)) return std::strtol(text, nullptr, 10);
  return 1;
}

}  // namespace hinge
