// hinge evaluate: compares a model's predictions with the labels of the data.
#include "cli/commands.h"

#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/ranks.h"
#include "cli/read_data.h"
#include "cli/ruled_predictions.h"
#include "hinge/core/json_text.h"
#include "hinge/model/model.h"

namespace hinge {
namespace {

struct EvaluateOptions {
  std::vector<std::string> data;
  std::string decode;
  std::string rules;
  double rule_strength = 1;
  bool json = false;
  int threads = 1;
  bool quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files with labels to compare with");
    visit("json", self.json, range::any, "print the metrics and the model's summary as JSON");
    visit(
        "decode", self.decode, range::one_of(Decoding::names()),
        "how to predict where something is hidden (as trained: joint, marginal-map, or max-marginals where a "
        "task has no marginal-map)");
    visit("rules", self.rules, range::any,
          "file of rules that predictions keep to, the soft ones where the score allows");
    visit("rule_strength", self.rule_strength, range::not_negative,
          "score that a broken soft rule of weight 1 costs");
    visit("threads", self.threads, range::between(0, 1024), "work on so many at a time (0: every core)");
    visit("quiet", self.quiet, range::any, "print nothing but metrics and errors");
  }
};

constexpr const char* kMoreHelp = "\n`hinge evaluate MODEL --help` adds the flags of its task.\n";

}  // namespace

int evaluate(Arguments arguments) {
  const std::string path = take_subject("evaluate", arguments);
  EvaluateOptions own;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  Model model;
  if (!path.empty()) {
    model = load_model(path);
    flags.take(model.task->name(), model.task->read_options());
  }
  if (flags.help() || path.empty()) {
    print_result(help_text("evaluate", flags, path.empty() ? kMoreHelp : ""));
    return 0;
  }
  take_files("evaluate", flags, own.data);
  refuse_rest("evaluate", flags, "", "");
  require_same_start(flags.values());
  FilePlan files;
  files.reads("the model", path);
  plan_data(files, "evaluate", "the file to compare with", own.data, *model.task);
  files.reads(model.task->read_options());
  if (!own.rules.empty()) files.reads("--rules", own.rules);
  files.check();

  if (!own.decode.empty()) model.decode(own.decode);
  const RuledPredictions ruled(model, own.rules, own.rule_strength);
  model.task->keep_text(false);
  const std::unique_ptr<Executor> executor = make_command_executor(own.threads);
  model.task->read_with(executor.get());
  std::unique_ptr<Data> data;
  read_together(files.read_files(), [&] { data = read_for(model, own.data, own.quiet || own.json); });
  ruled.guide(*data);
  const nlohmann::json metrics = model.task->evaluate(*data, model.weights, {}, *executor);
  if (!own.json) {
    print_result(model.task->report(metrics));
    return 0;
  }
  nlohmann::json all = model.summary;
  all["data"] = data->facts();
  all["examples"] = data->size();
  all.update(metrics);
  print_result(json_text(all, 2) + "\n");
  return 0;
}

}  // namespace hinge
