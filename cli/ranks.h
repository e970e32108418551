// The processes that this command was started with by mpirun, each of which runs all of it. The first one speaks and
// writes; what the others would print or write goes nowhere.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hinge/core/executor.h"
#include "hinge/core/ranks.h"

namespace hinge {

// Null where the command runs alone.
Ranks* command_ranks();

// Threads for this process, on top of the ranks there are. `shards`: see Executor.
std::unique_ptr<Executor> make_command_executor(int threads, int shards = 0);

void set_shards(Executor& made_here, std::size_t shards);

// Where this process writes what belongs into `path`: there, or nowhere.
std::string own_output(const std::string& path);

// Runs `run` on one of the ranks; what fails there fails on all. The others have exit code 0.
int on_first_rank(const std::function<int()>& run);

// Throws InputError where ranks were started with other words: commands, or flags and what they say, but for those that
// ranks may have of their own (threads, clocks, outputs, names of data, whose contents are compared).
void require_same_start(std::map<std::string, std::string> given, const std::string& task = "");

// Runs `body` on every rank; what fails on one fails on all. Afterwards every rank must have read the same files.
void read_together(const std::vector<std::string>& files, const std::function<void()>& body);

// Throws InputError where ranks have different files under these names, as far as their sizes and samples of them show:
// of data that no rank reads all of.
void compare_samples(const std::vector<std::string>& files);

// Which of the two forms of the inner loops this processor runs (core/clones.h): their last bits may differ.
std::string processor();

// Runs the command on the ranks of this process, where it is one of several: `run` gives an exit code, or throws.
int on_ranks(const std::function<int()>& run);

}  // namespace hinge
