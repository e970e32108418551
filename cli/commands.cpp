#include "cli/commands.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "hinge/core/spelling.h"
#include "hinge/solvers/solver.h"
#include "hinge/tasks/any_task.h"
#include "hinge/training/training_options.h"

namespace hinge {
namespace {

template <class Kind>
std::string list_kinds(const std::string& title, const std::vector<Kind>& kinds) {
  std::string text = "\n" + title + ":\n";
  for (const Kind& kind : kinds) text += fmt::format("  {:<16}{}\n", kind.name, kind.summary);
  return text;
}

bool has(const std::vector<OptionRef>& options, const std::string& flag) {
  for (const OptionRef& option : options)
    if (flag == flag_of(option.name) || flag == "--no-" + flag_of(option.name).substr(2)) return true;
  return false;
}

// The kinds (tasks or solvers) that have this flag.
template <class Kind>
std::vector<std::string> owners(const std::vector<Kind>& kinds, const std::string& flag) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds)
    if (has(kind.make()->options(), flag)) names.push_back(kind.name);
  return names;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"train", "TASK F... --model M [-C 1] [--method ssvm|crf] [--solver NAME] ...",
       "learn from data and write a model", "hinge train sequence train.txt --model tagger.model -C 10",
       train},
      {"predict", "MODEL F... [--output O] ...", "label new data, in its own format",
       "hinge predict tagger.model new.txt --output labelled.txt", predict},
      {"evaluate", "MODEL F... [--json]", "compare predictions with the labels of the data",
       "hinge evaluate tagger.model test.txt", evaluate},
      {"inspect", "MODEL [--top 20] [--json]", "show what a model is and its heaviest weights",
       "hinge inspect tagger.model --top 10", inspect},
      {"cross-validate", "TASK F... --C 0.1,1,10 --folds 5 [--json]", "measure each C on held-out folds",
       "hinge cross-validate sequence train.txt --C 0.1,1,10", cross_validate},
      {"check", "TASK F...", "test a task's properties (planes, gradients, limits) on data",
       "hinge check sequence train.txt", check},
      {"convert", "TASK F... [--output O]", "write data of another format in the task's JSON Lines",
       "hinge convert cluster train.conll --output train.jsonl", convert},
      {"rules", "check RULES F... [--model M] [--json]",
       "say how often rules hold in labels and predictions, and what each is worth",
       "hinge rules check citations.rules train.txt --model tagger.model", rules},
      {"simulate", "SHAPE --train F --test F [--seed 1] ...",
       "draw data with something hidden in it, to learn from and to measure on",
       "hinge simulate chain --train train.jsonl --test test.jsonl --seed 3", simulate},
      {"plot", "LOG... [--output O] [--x passes] [--y primal,dual] ...",
       "draw run logs and tables of JSON Lines as an SVG picture",
       "hinge plot run.jsonl --x seconds --y relative_gap --log-y --output gap.svg", plot},
  };
  return list;
}

const Command& command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& candidate : commands()) {
    if (candidate.name == name) return candidate;
    names.push_back(candidate.name);
  }
  fail("there is no command '{}'{}: use one of {}.", name, did_you_mean(name, names), fmt::join(names, ", "));
}

std::string take_subject(const std::string& name, Arguments& arguments) {
  const std::string usage = command(name).usage;
  const std::string subject = usage.substr(0, usage.find(' '));
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) return "";
  if (arguments.empty() || is_flag(arguments.front()))
    fail("`hinge {}` needs {} as its first argument: see `hinge {} --help`.", name, subject, name);
  std::string first = arguments.front();
  arguments.erase(arguments.begin());
  return first;
}

std::string help_text(const std::string& name, const Flags& flags, const std::string& more,
                      const std::string& task) {
  const Command& c = command(name);
  std::string example = c.example;
  for (const TaskKind& kind : task_kinds())
    if (kind.name == task) example = kind.example;
  return fmt::format("hinge {}: {}.\n\nusage: hinge {} {}\n{}{}\nexample:\n  {}\n", c.name, c.summary, c.name,
                     c.usage, flags.text(), more, example);
}

std::string list_tasks() {
  return list_kinds("tasks (`hinge train TASK --help` lists their flags)", task_kinds());
}

std::string list_solvers() {
  return list_kinds("solvers (`--solver NAME --help` lists their flags)", solver_kinds());
}

void take_files(const std::string& name, Flags& flags, std::vector<std::string>& data) {
  const Arguments files = flags.take_files();
  if (files.empty()) return;
  if (!data.empty())
    fail("'{}' stands beside --data, and is one argument too many: see `hinge {} --help`.", files.front(),
         name);
  data = files;
}

void refuse_rest(const std::string& name, const Flags& flags, const std::string& task,
                 const std::string& solver) {
  if (flags.rest().empty()) return;
  const auto& rest = flags.rest();
  const auto found = std::ranges::find_if(rest, is_flag);
  if (found == rest.end()) fail("'{}' is one argument too many: see `hinge {} --help`.", rest.front(), name);
  const std::string& first = *found;
  const std::string flag = first.substr(0, first.find('='));
  if (!task.empty())
    if (const auto names = owners(task_kinds(), flag); !names.empty())
      fail("{} belongs to task {}, not to {}.", flag, fmt::format("{}", fmt::join(names, ", ")), task);
  if (!solver.empty())
    if (const auto names = owners(solver_kinds(), flag); !names.empty())
      fail("{} belongs to solver {}, not to {}: choose with --solver.", flag, fmt::join(names, ", "), solver);
  TrainingOptions learning;
  if (has(list_options(learning), flag) || !owners(solver_kinds(), flag).empty() ||
      !owners(task_kinds(), flag).empty())
    fail("{} belongs to `hinge train`, not to `hinge {}`.", flag, name);
  fail("there is no option {}{}: see `hinge {}{} --help`.", flag, did_you_mean(flag, flags.known()), name,
       task.empty() ? "" : " " + task);
}

}  // namespace hinge
