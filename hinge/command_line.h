// The program `hinge` as a function, for programs with tasks of their own:
//
//     int main(int argc, char** argv) {
//       hinge::register_task<EventTask>({.name = "event", .summary = "…", .read = read, .write = write});
//       return hinge::command_line(argc, argv);
//     }
//
// has train, predict, evaluate, inspect, cross-validate, check and plot, model files, progress and Ctrl-C,
// for that task and for all that are built in. Link hinge::command_line.
#pragma once

namespace hinge {

// The exit code: 0, 2 for what the user can mend, 1 for the rest.
int command_line(int argc, char** argv);

}  // namespace hinge
