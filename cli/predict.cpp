// hinge predict: labels data with a model, in the data's own format.
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/ranks.h"
#include "cli/read_data.h"
#include "cli/ruled_predictions.h"
#include "hinge/model/model.h"

namespace hinge {
namespace {

struct PredictOptions {
  std::vector<std::string> data;
  std::string output = "-";
  std::string decode;
  std::string rules;
  double rule_strength = 1;
  int threads = 1;
  bool quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files to label");
    visit("output", self.output, range::any, "file to write to");
    visit(
        "decode", self.decode, range::one_of(Decoding::names()),
        "how to predict where something is hidden (as trained: joint, marginal-map, or max-marginals where a "
        "task has no marginal-map)");
    visit("rules", self.rules, range::any,
          "file of rules that predictions keep to, the soft ones where the score allows");
    visit("rule_strength", self.rule_strength, range::not_negative,
          "score that a broken soft rule of weight 1 costs");
    visit("threads", self.threads, range::between(0, 1024), "work on so many at a time (0: every core)");
    visit("quiet", self.quiet, range::any, "print nothing but predictions and errors");
  }
};

constexpr const char* kMoreHelp = "\n`hinge predict MODEL --help` adds the flags of its task.\n";

}  // namespace

int predict(Arguments arguments) {
  const std::string path = take_subject("predict", arguments);
  PredictOptions own;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  Model model;
  if (!path.empty()) {
    model = load_model(path);
    std::vector<OptionRef> options = model.task->read_options();
    for (const OptionRef& option : model.task->predict_options()) options.push_back(option);
    flags.take(model.task->name(), options);
  }
  if (flags.help() || path.empty()) {
    print_result(help_text("predict", flags, path.empty() ? kMoreHelp : ""));
    return 0;
  }
  take_files("predict", flags, own.data);
  refuse_rest("predict", flags, "", "");
  require_same_start(flags.values());
  FilePlan files;
  files.reads("the model", path);
  plan_data(files, "predict", "the file to label", own.data, *model.task);
  files.reads(model.task->read_options());
  if (!own.rules.empty()) files.reads("--rules", own.rules);
  own.output = own_output(own.output);
  files.writes("--output", own.output);
  files.check();

  if (!own.decode.empty()) model.decode(own.decode);
  const RuledPredictions ruled(model, own.rules, own.rule_strength);
  const std::unique_ptr<Executor> executor = make_command_executor(own.threads);
  model.task->read_with(executor.get());
  std::unique_ptr<Data> data;
  read_together(files.read_files(), [&] { data = read_for(model, own.data, own.quiet); });
  ruled.guide(*data);
  OutputFile out(own.output);
  model.task->predict(*data, model.weights, *executor, out);
  out.commit();
  return 0;
}

}  // namespace hinge
