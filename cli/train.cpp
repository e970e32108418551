// hinge train: reads data, minimises the objective along a path of C, keeps the best model.
#include <fmt/format.h>

#include <csignal>

#include "cli/carry_over.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/learner.h"
#include "cli/read_data.h"
#include "cli/selection.h"
#include "hinge/core/json_text.h"
#include "hinge/core/options_json.h"
#include "hinge/model/model.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge {
namespace {

struct TrainOptions {
  std::vector<std::string> data;
  std::string model, init, validation, select = "loss", summary, log;
  bool quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, any, "files to learn from");
    visit("model", self.model, any, "file to write the model to");
    visit("init", self.init, any,
          "model to continue from: its weights, and its task's options where no flag says otherwise");
    visit("validation", self.validation, any, "file to measure every C on");
    visit("select", self.select, any, "keep the C with the best of this metric: loss, accuracy, f1, ...");
    visit("summary", self.summary, any, "file for the summary of the run, in JSON");
    visit("log", self.log, any, "file for the run log: a JSON object a round, written as it goes");
    visit("quiet", self.quiet, any, "print nothing but errors");
  }
};

// One C of the path, as it is kept while it is the best.
struct Candidate {
  Vector weights;
  nlohmann::json summary;
  nlohmann::json metrics;  // of the validation data; null without
};

void check_flags(const TrainOptions& own, const LearningOptions& learning, const Flags& flags) {
  if (own.data.empty()) fail("`hinge train` needs --data F: the file to learn from.");
  if (own.model.empty()) fail("`hinge train` needs --model M: the file to write the model to.");
  if (learning.ascending_C().size() > 1 && own.validation.empty())
    fail("several values of C need --validation F to choose by; or use `hinge cross-validate`.");
  if (flags.given("select") && own.validation.empty())
    fail("--select needs --validation F: the file to measure on.");
}

std::string table(const std::vector<nlohmann::json>& rows, const std::string& select, double best) {
  std::string text =
      fmt::format("{:>12} {:>12} {:>9} {:>10} {:>10}", "C", "primal", "gap", "loss", "accuracy");
  const bool extra = select != "loss" && select != "accuracy";
  if (extra) text += fmt::format(" {:>10}", select);
  text += '\n';
  for (const nlohmann::json& row : rows) {
    const nlohmann::json& metrics = row["validation"];
    text += fmt::format(
        "{:>12g} {:>12.6g} {:>9} {:>10.6g} {:>10.6g}", row["C"].get<double>(), row["primal"].get<double>(),
        row["relative_gap"].is_null() ? "-" : fmt::format("{:.1e}", row["relative_gap"].get<double>()),
        metric(metrics, "loss"), metric(metrics, "accuracy"));
    if (extra) text += fmt::format(" {:>10.6g}", metric(metrics, select));
    text += row["C"] == best ? "  <- best\n" : "\n";
  }
  return text;
}

}  // namespace

int train(Arguments arguments) {
  const std::string task_name = take_subject("train", arguments);
  TrainOptions own;
  LearningOptions learning;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  flags.take("learning", list_options(learning));
  const std::unique_ptr<AnyTask> task = task_name.empty() ? nullptr : make_task(task_name);
  if (task) flags.take(task_name, task->options());
  const std::unique_ptr<Solver> solver = learning.make_solver();
  flags.take(solver->name(), own_options(*solver));
  if (flags.help() || !task) {
    print_result(help_text("train", flags, list_tasks() + list_solvers()));
    return 0;
  }
  refuse_rest("train", flags, task_name, solver->name());
  check_flags(own, learning, flags);

  FilePlan files;
  files.reads("--data", own.data);
  files.reads("--validation", own.validation);
  files.reads("--init", own.init);
  files.reads(task->options());
  files.writes("--model", own.model);
  files.writes("--summary", own.summary);
  files.writes("--log", own.log);
  files.check();
  const auto say = [&](const std::string& text) {
    if (own.quiet) return;
    files.writes_standard_output() ? print_note(text) : print_result(text);
  };
  const auto note = [&](const std::string& text) {
    if (!own.quiet) print_note(text);
  };
  std::signal(SIGPIPE, SIG_IGN);  // nobody reads our progress: go on

  Model init;
  if (!own.init.empty()) {
    init = load_model(own.init);
    take_options(init, *task, flags);
  }
  const std::unique_ptr<Data> data = task->read_training(own.data);
  note(facts_line("data", *data));
  const Oracle& oracle = data->oracle();
  const std::unique_ptr<Executor> executor = make_executor(static_cast<std::size_t>(learning.threads));
  std::unique_ptr<Data> validation;
  if (!own.validation.empty()) {
    validation = task->read({own.validation});
    note(facts_line("validation", *validation));
    metric(task->evaluate(*validation, Vector(oracle.dimension()), {0}, *executor), own.select);
  }
  Vector start = init.task ? carry_over(init, *task, oracle.dimension()) : Vector{};

  const nlohmann::json options = {{"learning", options_to_json(list_options(learning))},
                                  {"task", options_to_json(task->options())},
                                  {"solver", options_to_json(solver->options())}};
  Candidate best;
  std::vector<nlohmann::json> rows;
  Monitor monitor({learning.time_limit, target_gap(*solver), own.quiet, own.log});
  const Learner learner(learning, *solver, *executor);
  learner.path(oracle, std::move(start), "", monitor, [&](double C, Summary run) {
    note(run.brief() + "\n");
    Candidate candidate{{}, learner.summary(task_name, oracle, C, run), nullptr};
    candidate.weights = std::move(run.weights);
    candidate.weights.resize(oracle.dimension());
    if (validation) {
      candidate.metrics = task->evaluate(*validation, candidate.weights, {}, *executor);
      candidate.summary["validation"] = candidate.metrics;
    }
    rows.push_back(candidate.summary);
    if (best.summary.is_null() ||
        better(own.select, metric(candidate.metrics, own.select), metric(best.metrics, own.select)))
      best = std::move(candidate);
  });
  monitor.finish();
  if (rows.size() > 1) say(table(rows, own.select, best.summary["C"].get<double>()));

  best.summary["data"] = data->facts();
  best.summary["version"] = HINGE_VERSION;
  save_model(own.model, *task, std::move(best.weights), best.summary, options);
  if (!own.summary.empty()) {
    nlohmann::json summary = best.summary;
    summary["options"] = options;
    if (rows.size() > 1) summary["path"] = rows;
    OutputFile out(own.summary);
    out.write(json_text(summary, 2) + "\n");
    out.commit();
  }
  const std::string end =
      monitor.stopped().empty() ? best.summary["message"].get<std::string>() : monitor.stopped();
  say(fmt::format("{} Model written to {}.\n", end, own.model));
  return 0;
}

}  // namespace hinge
