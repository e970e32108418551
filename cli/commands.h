// The subcommands, each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.h"

namespace hinge {

// Each takes what stands behind its name and returns the exit code.
int train(Arguments arguments);
int predict(Arguments arguments);
int evaluate(Arguments arguments);
int inspect(Arguments arguments);
int cross_validate(Arguments arguments);
int check(Arguments arguments);
int convert(Arguments arguments);
int simulate(Arguments arguments);
int plot(Arguments arguments);
int rules(Arguments arguments);

struct Command {
  std::string name;
  std::string usage;    // behind `hinge name`
  std::string summary;  // one line
  std::string example;
  int (*run)(Arguments arguments);
};
const std::vector<Command>& commands();
const Command& command(const std::string& name);

// The first argument, which says what the command is about (a task or a model file); empty when the first
// argument is a wish for help. Throws InputError when it is missing.
std::string take_subject(const std::string& command, Arguments& arguments);

// What `hinge COMMAND --help` prints: usage, summary, the flags, an example (that of the task where one is
// named), and `more`.
std::string help_text(const std::string& command, const Flags& flags, const std::string& more = "",
                      const std::string& task = "");
std::string list_tasks();
std::string list_solvers();

// Files that stand by themselves, without --data, are data too. Throws InputError when both are there. Call
// it when all options are taken.
void take_files(const std::string& command, Flags& flags, std::vector<std::string>& data);

// Throws InputError about the first argument that no option took, naming what has that option. `task` and
// `solver` may be empty.
void refuse_rest(const std::string& command, const Flags& flags, const std::string& task,
                 const std::string& solver);

}  // namespace hinge
