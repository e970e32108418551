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
  std::string model, validation, select = "loss", summary, log;
  bool quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, any, "files to learn from");
    visit("model", self.model, any, "file to write the model to");
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
  if (own.model.empty()) fail("`hinge train` needs --model M: the file to write the model to.");
  if (learning.ascending_C().size() > 1 && own.validation.empty())
    fail("several values of C need --validation F to choose by; or use `hinge cross-validate`.");
  learning.check([&](const std::string& name) { return flags.given(name); });
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

// One run of the command, step by step.
class Training {
 public:
  // Sets everything from the flags; false when they only ask for help.
  bool configure(Arguments arguments) {
    const std::string name = take_subject("train", arguments);
    Flags flags(std::move(arguments));
    flags.take("files", list_options(own_));
    flags.take("learning", list_options(learning_));
    if (!name.empty()) task_ = make_task(name);
    if (task_) flags.take(name, task_->options());
    solver_ = learning_.make_solver();
    take_solver_flags(*solver_, flags);
    if (flags.help() || !task_) {
      print_result(help_text("train", flags, list_tasks() + list_solvers(), name));
      return false;
    }
    take_files("train", flags, own_.data);
    refuse_rest("train", flags, name, learning_.solver_name());
    plan_data(files_, "train", "the file to learn from", own_.data, *task_);
    check_flags(own_, learning_, flags);
    check_files();
    if (const Init init = Init::parse(learning_.init); init.kind == Init::Kind::model) {
      init_ = load_model(init.model);
      take_options(init_, *task_, flags);
    }
    executor_ = make_executor(static_cast<std::size_t>(learning_.threads));
    return true;
  }

  void read() {
    task_->keep_text(false);
    data_ = task_->read_training(own_.data);
    note(facts_line("data", *data_));
    if (learning_.C.empty()) learning_.C = {learning_.usual_C(data_->size())};
    refuse_search(learning_, data_->oracle());
    task_->decode(task_->trained_decoding(learning_.formulation().latent_temperature));
    if (own_.validation.empty()) return;
    validation_ = task_->read({own_.validation});
    note(facts_line("validation", *validation_));
    require_metric(*task_, *validation_, own_.select, *executor_);
  }

  void learn() {
    const Oracle& oracle = data_->oracle();
    Vector init = init_.task ? carry_over(init_, *task_, oracle.dimension()) : Vector{};
    init_ = {};
    Monitor monitor({learning_.time_limit, target_gap(*solver_), own_.quiet, own_.log});
    const Learner learner(learning_, *solver_, *executor_);
    learner.path(oracle, std::move(init), "", monitor, [&](double C, Summary run) {
      note(run.brief() + "\n");
      nlohmann::json summary = learner.summary(task_->name(), oracle, C, run);
      consider({std::move(run.weights), std::move(summary), nullptr});
    });
    monitor.finish();
    if (const std::string caution = task_->caution(*data_, best_.weights, *executor_); !caution.empty())
      note(caution + "\n");
    end_ = monitor.stopped().empty() ? best_.summary["message"].get<std::string>() : monitor.stopped();
  }

  void write() {
    const nlohmann::json options = {{"learning", options_to_json(list_options(learning_))},
                                    {"task", options_to_json(task_->options())},
                                    {"solver", options_to_json(solver_->options())}};
    best_.summary["data"] = data_->facts();
    best_.summary["version"] = HINGE_VERSION;
    save_model(own_.model, *task_, std::move(best_.weights), best_.summary, options);
    if (!own_.summary.empty()) {
      nlohmann::json summary = best_.summary;
      summary["options"] = options;
      if (rows_.size() > 1) summary["path"] = rows_;
      OutputFile out(own_.summary);
      out.write(json_text(summary, 2) + "\n");
      out.commit();
    }
    if (rows_.size() > 1) say(table(rows_, own_.select, best_.summary["C"].get<double>()));
    say(fmt::format("{} Model written to {}.\n", end_, own_.model));
  }

 private:
  void check_files() {
    files_.reads("--validation", own_.validation);
    files_.reads("--init", Init::parse(learning_.init).model);
    files_.reads(task_->options());
    files_.writes("--model", own_.model);
    files_.writes("--summary", own_.summary);
    files_.writes("--log", own_.log);
    files_.check();
  }

  void consider(Candidate candidate) {
    candidate.weights.resize(data_->oracle().dimension());
    if (validation_) {
      candidate.metrics = task_->evaluate(*validation_, candidate.weights, {}, *executor_);
      candidate.summary["validation"] = candidate.metrics;
    }
    rows_.push_back(candidate.summary);
    if (best_.summary.is_null() ||
        better(own_.select, metric(candidate.metrics, own_.select), metric(best_.metrics, own_.select)))
      best_ = std::move(candidate);
  }

  void note(const std::string& text) const {
    if (!own_.quiet) print_note(text);
  }
  // Results; they make way when a file goes to standard output.
  void say(const std::string& text) const {
    if (own_.quiet || files_.writes_standard_output())
      note(text);
    else
      print_result(text);
  }

  TrainOptions own_;
  LearningOptions learning_;
  std::unique_ptr<AnyTask> task_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Executor> executor_;
  FilePlan files_;
  Model init_;
  std::unique_ptr<Data> data_, validation_;
  Candidate best_;
  std::vector<nlohmann::json> rows_;  // summaries, one a C
  std::string end_;                   // how the training ended, a sentence
};

}  // namespace

int train(Arguments arguments) {
  Training training;
  if (!training.configure(std::move(arguments))) return 0;
  std::signal(SIGPIPE, SIG_IGN);  // nobody reads our progress: go on
  training.read();
  training.learn();
  training.write();
  return 0;
}

}  // namespace hinge
