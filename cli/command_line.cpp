// hinge: learn structured predictors from data files. One catch, in ranks.cpp, turns trouble into a sentence and an
// exit code: 2 for what the user can mend, 1 for the rest.
#include <fmt/format.h>

#include <unistd.h>

#include <csignal>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/ranks.h"
#include "hinge/command_line.h"
#include "hinge/version.h"

namespace hinge {
namespace {

std::string general_help() {
  std::string text =
      "hinge: learn to predict sequences, classes and other structured outputs.\n\nusage: hinge COMMAND "
      "...\n\n"
      "commands (`hinge COMMAND --help` says more):\n";
  for (const Command& c : commands()) text += fmt::format("  {:<16}{}\n", c.name, c.summary);
  text += list_tasks();
  text += "\nevery file may be '-' (standard input or output) or end in .gz.\n\nexample:\n";
  for (const char* name : {"train", "evaluate", "predict"}) text += "  " + command(name).example + "\n";
  return text;
}

// A broken contract (assert) has said where; the exit code says that it is not the user's fault.
void end_after_abort(int) {
  constexpr std::string_view text = "hinge: a fault of hinge itself: please report it.\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  _exit(1);
}

int run(Arguments arguments) {
  if (arguments.empty()) fail("say what to do: hinge train, predict, evaluate, ... (see `hinge --help`).");
  const std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--help" || name == "-h" || name == "help") {
    print_result(general_help());
    return 0;
  }
  if (name == "--version") {
    print_result("hinge " HINGE_VERSION "\n");
    return 0;
  }
  const Command& chosen = command(name);
  require_same_start({{"the command", name}});
  const bool shared = name == "train" || name == "predict" || name == "evaluate" || name == "cross-validate";
  const auto work = [&] { return chosen.run(std::move(arguments)); };
  return shared ? work() : on_first_rank(work);  // one is enough for the others
}

}  // namespace

int command_line(int argc, char** argv) {
  std::signal(SIGABRT, end_after_abort);
  return on_ranks([&] { return run({argv + 1, argv + argc}); });
}

}  // namespace hinge
