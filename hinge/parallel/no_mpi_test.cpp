// Of a build without MPI, which the tests are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "hinge/parallel/mpi.h"
#include "tests/support/complaint.h"

namespace hinge {
namespace {

using Environment = std::map<std::string, std::string>;

// What it says when it is started with these variables, and none of the others that count.
std::string said(const Environment& environment) {
  constexpr const char* kNames[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"};
  Environment before;
  for (const char* name : kNames) {
    if (const char* value = std::getenv(name)) before[name] = value;
    unsetenv(name);
  }
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  const std::string text =
      complaint([] { EXPECT_EQ(join_ranks(), nullptr); });  // started alone, it says nothing
  for (const char* name : kNames) unsetenv(name);
  for (const auto& [name, value] : before) setenv(name.c_str(), value.c_str(), 1);
  return text;
}

TEST(NoMpi, SaysSoWhenItIsOneOfSeveral) {
  for (const Environment& started :
       {Environment{{"OMPI_COMM_WORLD_SIZE", "3"}}, Environment{{"PMI_SIZE", "3"}},
        Environment{{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "3"}}})
    EXPECT_EQ(said(started),
              "it was started as one of 3 processes, but this build of hinge has no MPI: install "
              "libopenmpi-dev and build it again, or start it alone.");
}

TEST(NoMpi, IsSilentWhenItIsAlone) {
  for (const Environment& started : {Environment{}, Environment{{"OMPI_COMM_WORLD_SIZE", "1"}},
                                     Environment{{"SLURM_STEP_NUM_TASKS", "3"}}})  // srun without an MPI
    EXPECT_EQ(said(started), "no complaint");
}

}  // namespace
}  // namespace hinge
