// How many processes this one was started with, as mpirun, srun and their like tell it; 1 where it was alone.
#pragma once

#include <cstdlib>
#include <initializer_list>

namespace hinge {

inline long started_with() {
  const auto number = [](const char* name) {
    const char* const text = std::getenv(name);
    return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  };
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (number(name) > 0) return number(name);
  // srun --mpi=pmix tells a rank, and the tasks of its step
  return std::getenv("PMIX_RANK") != nullptr && number("SLURM_STEP_NUM_TASKS") > 0
             ? number("SLURM_STEP_NUM_TASKS")
             : 1;
}

}  // namespace hinge
