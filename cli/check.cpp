// hinge check: the properties that every task must have, tested on data.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/read_data.h"

namespace hinge {
namespace {

struct CheckFlags {
  std::vector<std::string> data;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, any, "files with the examples to check on");
  }
};

}  // namespace

int check(Arguments arguments) {
  const std::string name = take_subject("check", arguments);
  CheckFlags own;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  const std::unique_ptr<AnyTask> task = name.empty() ? nullptr : make_task(name);
  if (task) flags.take(name, task->options());
  if (flags.help() || !task) {
    print_result(help_text("check", flags, list_tasks()));
    return 0;
  }
  take_files("check", flags, own.data);
  refuse_rest("check", flags, name, "");
  FilePlan files;
  plan_data(files, "check", "the examples to check on", own.data, *task);
  files.reads(task->options());
  files.check();

  task->keep_text(false);
  const std::unique_ptr<Data> data = task->read_training(own.data);
  print_note(facts_line("data", *data));
  const std::string failures = task->check(*data);
  print_result(failures.empty() ? fmt::format("Every property of {} holds on this data.\n", name) : failures);
  return failures.empty() ? 0 : 1;
}

}  // namespace hinge
