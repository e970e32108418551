// hinge train: reads data, minimises the objective along a path of C, keeps the best model. Where C is chosen
// by a tenth held out, the model is what that C alone gives on all the data, bit for bit.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <optional>

#include "cli/carry_over.h"
#include "cli/choose_c.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/learner.h"
#include "cli/metric.h"
#include "cli/read_data.h"
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
  if (flags.given("select") && own.validation.empty() && !learning.chooses_C())
    fail("--select needs --validation F, the file to measure on, or -C auto.");
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
    if (holds_out()) source_.emplace(*task_, own_.data, files_);
    return true;
  }

  void read() {
    task_->keep_text(false);
    data_ = task_->read_training(own_.data);
    note(facts_line("data", *data_));
    values_ = learning_.chooses_C() ? learning_.tried_C(data_->size()) : learning_.ascending_C();
    if (values_.empty()) values_ = {learning_.usual_C(data_->size())};
    refuse_search(learning_, data_->oracle());
    task_->decode(task_->trained_decoding(learning_.formulation().latent_temperature));
    if (own_.validation.empty()) return;
    validation_ = task_->read({own_.validation});
    note(facts_line("validation", *validation_));
    require_metric(*task_, *validation_, own_.select, *executor_);
  }

  void learn() {
    const auto begin = std::chrono::steady_clock::now();
    double limit = learning_.time_limit;
    if (holds_out()) choose_C(limit);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (limit > 0) limit = std::max(limit - spent.count(), limit / 1000);
    const Oracle& oracle = data_->oracle();
    Vector init = init_.task ? carry_over(init_, *task_, oracle.dimension()) : Vector{};
    init_ = {};
    monitor_.emplace(MonitorOptions{limit, target_gap(*solver_), own_.quiet, own_.log});
    const Learner learner(learning_, *solver_, *executor_);
    BestC best(own_.select, learning_.usual_C(data_->size()));
    learner.path(oracle, std::move(init), {values_}, "", *monitor_, [&](double C, Summary run) {
      note(run.brief() + "\n");
      nlohmann::json summary = learner.summary(task_->name(), oracle, C, run);
      nlohmann::json metrics;
      run.weights.resize(oracle.dimension());
      if (validation_) {
        metrics = task_->evaluate(*validation_, run.weights, {}, *executor_);
        summary["validation"] = metrics;
      }
      rows_.push_back(summary);
      const bool chooses = learning_.chooses_C() && validation_;
      const bool go_on = !chooses || best.take(C, run.termination, metrics);
      if (chooses ? best.C() == C : is_better(metrics))
        best_ = {std::move(run.weights), std::move(summary), std::move(metrics)};
      return go_on;
    });
    monitor_->end_line();
    const std::string& stopped = monitor_->stopped();
    end_ = stopped.empty() ? best_.summary["message"].get<std::string>() : stopped;
    if (!stopped.empty()) return;  // no further pass over the data
    if (const std::string caution = task_->caution(*data_, best_.weights, *executor_); !caution.empty())
      note(caution + "\n");
  }

  void write() {
    nlohmann::json options = {{"learning", options_to_json(list_options(learning_))},
                              {"task", options_to_json(task_->options())},
                              {"solver", options_to_json(solver_->options())}};
    if (!learning_.chooses_C()) options["learning"]["C"] = values_;
    count_choice();
    best_.summary["data"] = data_->facts();
    best_.summary["version"] = HINGE_VERSION;
    monitor_->finish();
    OutputFile model(own_.model);
    save_model(model, *task_, std::move(best_.weights), best_.summary, options);
    model.stage();
    std::optional<OutputFile> summary, result;
    if (!own_.summary.empty()) {
      summary.emplace(own_.summary);
      summary->write(json_text(summary_json(options), 2) + "\n");
      summary->stage();
    }
    std::string text = fmt::format("{} Model written to {}.\n", end_, own_.model);
    if (rows_.size() > 1 || holds_out())
      text = table(rows_, own_.select, best_.summary["C"].get<double>()) + text;
    const bool print = !own_.quiet && !files_.writes_standard_output();
    if (print) result.emplace("-").write(text);
    if (monitor_->log() != nullptr) monitor_->log()->stage();
    monitor_->release();
    commit_together({&model, summary ? &*summary : nullptr, monitor_->log(), result ? &*result : nullptr});
    if (!print) note(text);
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

  bool holds_out() const { return learning_.chooses_C() && own_.validation.empty(); }

  // Half of the time limit is for choosing, at most.
  void choose_C(double limit) {
    Monitor monitor({limit / 2, target_gap(*solver_), own_.quiet, ""});
    const Learner learner(learning_, *solver_, *executor_);
    chosen_ =
        hinge::choose_C(*source_, data_->size(), learning_, own_.select, init_, learner, monitor, *executor_);
    values_ = {chosen_.C};
    note(fmt::format("C = {:g} is best on {} examples held out\n", chosen_.C, chosen_.held_out));
    if (!chosen_.stopped.empty()) note(chosen_.stopped + "\n");
  }
  // What choosing took counts in the summary.
  void count_choice() {
    if (!holds_out()) return;
    nlohmann::json& summary = best_.summary;
    summary["seconds"] = summary["seconds"].get<double>() + chosen_.seconds;
    summary["cpu_seconds"] = summary["cpu_seconds"].get<double>() + chosen_.cpu_seconds;
    summary["oracle_calls"] = summary["oracle_calls"].get<std::size_t>() + chosen_.oracle_calls;
    summary["held_out"] = chosen_.held_out;
    rows_ = chosen_.rows;
  }

  bool is_better(const nlohmann::json& metrics) const {
    return best_.summary.is_null() ||
           better(own_.select, metric(metrics, own_.select), metric(best_.metrics, own_.select));
  }

  void note(const std::string& text) const {
    if (!own_.quiet) print_note(text);
  }
  nlohmann::json summary_json(const nlohmann::json& options) const {
    nlohmann::json all = best_.summary;
    all["options"] = options;
    if (rows_.size() > 1 || learning_.chooses_C()) all["path"] = rows_;
    return all;
  }

  TrainOptions own_;
  LearningOptions learning_;
  std::unique_ptr<AnyTask> task_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Executor> executor_;
  FilePlan files_;
  std::vector<double> values_;        // of C
  std::optional<DataSource> source_;  // where a tenth is held out to choose C
  ChosenC chosen_;                    // by that tenth
  Model init_;
  std::unique_ptr<Data> data_, validation_;
  Candidate best_;
  std::vector<nlohmann::json> rows_;  // summaries, one a C
  std::string end_;                   // how the training ended, a sentence
  std::optional<Monitor> monitor_;    // from the first step until the files are there
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
