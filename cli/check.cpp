// hinge check: the properties that every task must have, tested on data.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/read_data.h"

namespace hinge {
namespace {

struct CheckFlags {
  std::vector<std::string> data;
  double time_limit = 0;
  bool quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files with the examples to check on");
    visit("time_limit", self.time_limit, range::not_negative,
          "stop after this many seconds with what was checked (0: never)");
    visit("quiet", self.quiet, range::any, "print nothing but the result and errors");
  }
};

// Says how far the check has come, at growing intervals, and ends it at the limit.
class CheckWatch {
 public:
  CheckWatch(double time_limit, bool quiet) : time_limit_(time_limit), quiet_(quiet) {}

  bool operator()(double done) {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (!quiet_ && now >= next_) {
      print_note(fmt::format("{:.0f} % checked in {:.0f} s\n", 100 * done, now));
      next_ = std::min(now + 60, 1.5 * now);
    }
    return time_limit_ == 0 || now < time_limit_;
  }

 private:
  double time_limit_, next_ = 2;  // seconds
  bool quiet_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string result(const std::string& task, const CheckReport& report) {
  std::string text = report.text();
  if (!text.empty()) text += "\n";
  if (!report.passed()) return text;
  if (report.done < 1)
    return text + fmt::format(
                      "No property of {} failed on this data, but the time limit came when {:.0f} % was "
                      "checked.\n",
                      task, 100 * report.done);
  return text + fmt::format("Every property of {} holds on this data.\n", task);
}

}  // namespace

int check(Arguments arguments) {
  const std::string name = take_subject("check", arguments);
  CheckFlags own;
  CheckOptions options;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  flags.take("check", list_options(options));
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
  if (!own.quiet) print_note(facts_line("data", *data));
  CheckWatch watch(own.time_limit, own.quiet);
  options.watch = [&watch](double done) { return watch(done); };
  const CheckReport report = task->check(*data, options);
  print_result(result(name, report));
  return report.passed() ? 0 : 1;
}

}  // namespace hinge
