// hinge train: reads data, minimises the objective along a path of C, keeps the best model. Where C is chosen
// by a tenth held out, the model is what that C alone gives on all the data, bit for bit.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/checkpoint_flags.h"
#include "cli/data_source.h"
#include "cli/learning_flags.h"
#include "cli/ranks.h"
#include "cli/read_data.h"
#include "cli/transductive.h"
#include "hinge/core/alone.h"
#include "hinge/core/json_text.h"
#include "hinge/core/options_json.h"
#include "hinge/core/sum.h"
#include "hinge/model/model.h"
#include "hinge/oracle/spread_oracle.h"
#include "hinge/tasks/powers.h"
#include "hinge/tasks/shares_data.h"
#include "hinge/training/carry_over.h"
#include "hinge/training/choose_c.h"
#include "hinge/training/metric.h"
#include "hinge/version.h"
#include "hinge/watch/monitor.h"

namespace hinge {
namespace {

struct TrainOptions {
  std::vector<std::string> data;
  TransductiveFiles transductive;
  std::string model, validation, select = "loss", summary, log;
  CheckpointFlags checkpoints;
  bool share_data = false, quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files to learn from");
    visit(
        "unlabelled", self.transductive.unlabelled, range::any,
        "files whose inputs are learned from too, by what rules say of them; their labels are not looked at");
    visit("rules", self.transductive.rules, range::any, "file of rules about the labels");
    visit("model", self.model, range::any, "file to write the model to");
    visit("validation", self.validation, range::any, "file to measure every C on");
    visit("select", self.select, range::any,
          "keep the C with the best of this metric: loss, accuracy, f1, ...");
    visit("summary", self.summary, range::any, "file for the summary of the run, in JSON");
    visit("log", self.log, range::any, "file for the run log: a JSON object a round, written as it goes");
    CheckpointFlags::describe(self.checkpoints, visit);
    visit("share_data", self.share_data, range::any,
          "on several machines, read each example on one of them only; sums then "
          "have 16 shards or more, however many the weights");
    visit("quiet", self.quiet, range::any, "print nothing but errors");
  }
};

std::string table(const std::vector<JsonValue>& rows, const std::string& select, double best) {
  std::string text =
      fmt::format("{:>12} {:>12} {:>9} {:>10} {:>10}", "C", "primal", "gap", "loss", "accuracy");
  const bool extra = select != "loss" && select != "accuracy";
  if (extra) text += fmt::format(" {:>10}", select);
  text += '\n';
  for (const nlohmann::json& row : rows) {
    const nlohmann::json& metrics = row["validation"];
    // A run that was stopped before its first pass has no objective yet.
    const auto number = [&](const char* key, const char* format) {
      return row[key].is_null() ? "-" : fmt::format(fmt::runtime(format), row[key].get<double>());
    };
    text += fmt::format("{:>12g} {:>12} {:>9} {:>10.6g} {:>10.6g}", row["C"].get<double>(),
                        number("primal", "{:.6g}"), number("relative_gap", "{:.1e}"), metric(metrics, "loss"),
                        metric(metrics, "accuracy"));
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
    if (!flags_.take("train", std::move(arguments), list_options(own_), own_.data, true)) return false;
    plan_data(files_, "train", "the file to learn from", own_.data, *flags_.task);
    check_flags();
    plan_files(files_, "--unlabelled", own_.transductive.unlabelled, *flags_.task);
    files_.reads("--rules", own_.transductive.rules);
    if (!own_.validation.empty()) plan_files(files_, "--validation", {own_.validation}, *flags_.task);
    for (std::string* output : {&own_.model, &own_.summary, &own_.log}) *output = own_output(*output);
    files_.writes("--model", own_.model);
    files_.writes("--summary", own_.summary);
    files_.writes("--log", own_.log);
    flags_.finish(files_);
    own_.checkpoints.check(files_, flags_.options.method);
    if (TransductiveTraining::wanted(own_.transductive, flags_))
      transductive_.emplace(own_.transductive, flags_);
    else if (holds_out())
      source_.emplace(*flags_.task, own_.data, files_);
    return true;
  }

  void read() {
    std::vector<std::string> files = files_.read_files();
    if (own_.share_data) {
      compare_samples(own_.data);
      std::erase_if(files, [&](const std::string& file) { return std::ranges::count(own_.data, file) > 0; });
      read_together(files,
                    [] {});  // before ranks read together, by templates or parents that must be the same
      read_share();
    }
    read_together(files, [&] { read_files(); });
    if (command_ranks() != nullptr) refuse_many_ranks(data_->size(), command_ranks()->size());
    if (validation_) require_metric(*flags_.task, *validation_, own_.select, *flags_.executor);
  }

  // Examples that stay where they were read. One process has them all, and sums of as many pieces.
  void read_share() {
    auto* const shares = power<SharesData>(*flags_.task);
    if (shares == nullptr) fail("--share-data does not serve task {}: leave it out.", flags_.task->name());
    const Init::Kind init = Init::parse(flags_.options.init).kind;
    if (transductive_ || holds_out() || init == Init::Kind::supervised || init == Init::Kind::drawn)
      fail(
          "--share-data does not serve --rules, --unlabelled, -C auto, --init supervised and --init drawn: "
          "leave one out.");
    const auto shards = static_cast<std::size_t>(flags_.options.shards);
    Ranks& ranks = command_ranks() != nullptr ? *command_ranks() : alone_;
    data_ = shares->read_share(own_.data, ranks, shards);
    set_shards(*flags_.executor, dynamic_cast<const RankOracle&>(data_->oracle()).pieces());
  }

  void read_files() {
    AnyTask& task = *flags_.task;
    task.keep_text(false);
    task.read_with(flags_.executor.get());
    if (!data_) data_ = transductive_ ? transductive_->read(own_.data) : task.read_training(own_.data);
    note(facts_line("data", *data_));
    if (!transductive_) refuse_search(flags_.options, data_->oracle());
    task.decode(task.trained_decoding(flags_.latent_temperature()));
    if (own_.validation.empty()) return;
    validation_ = task.read({own_.validation});
    note(facts_line("validation", *validation_));
  }

  void learn() {
    const auto begin = std::chrono::steady_clock::now();
    const Oracle& oracle = data_->oracle();
    const LearningFlags::Begun begun = begun_with();
    solver_ = flags_.solver_for(oracle, choice_, begun);
    if (own_.checkpoints.wanted())
      noted_.emplace();  // a signal that comes now, on any rank, finds the folder
    checkpoints_ = own_.checkpoints.make(files_, lasting_options(), own_.quiet);
    if (transductive_) return learn_transductively();
    if (!choice_.reason.empty()) note(fmt::format("solver: {}\n", solver_text()));
    if (!choice_.usual_batch)
      note(fmt::format("batch: {}, because the checkpoint was begun with it\n", *batch_of(*solver_)));
    Problem problem{
        .oracle = oracle, .options = flags_.options, .solver = *solver_, .executor = *flags_.executor};
    note_idle_ranks();
    const double limit = flags_.options.time_limit;
    values_ = path_of_C(flags_.options, oracle.size());
    if (flags_.options.C.chosen_by_data()) values_ = tried_C(flags_.options, oracle.size());
    if (holds_out()) choose(problem, limit / 2);  // half of the time limit is for choosing, at most
    if (checkpoints_ != nullptr && checkpoints_->left()) return;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;

    if (flags_.init.task) problem.init = carry_over(flags_.init, *flags_.task, oracle.dimension());
    flags_.init = {};
    monitor_.emplace(MonitorOptions{.time_limit = limit,
                                    .target_gap = target_gap(*solver_),
                                    .quiet = own_.quiet,
                                    .log = own_.log,
                                    .ranks = command_ranks(),
                                    .checkpoints = checkpoints_.get(),
                                    .spent = holds_out() ? std::min(spent.count(), 0.999 * limit) : 0});
    FitPlan plan{.task = flags_.task->name(), .values = values_, .select = own_.select};
    plan.told = [&](const Summary& run) { note(run.brief() + "\n"); };
    plan.stops_early = flags_.options.C.chosen_by_data() && validation_;
    if (validation_)
      plan.measure = [&](Weights w) { return flags_.task->evaluate(*validation_, w, {}, *flags_.executor); };
    fitted_ = fit(problem, plan, *monitor_);
    monitor_->end_line();
    if (const nlohmann::json& run = *fitted_.summary;
        run.contains("ranks") && run["ranks"].contains("not_shared"))
      note(fmt::format("{} ranks are no faster than one: {}\n", run["ranks"]["number"].get<std::size_t>(),
                       run["ranks"]["not_shared"].get<std::string>()));
    if (!monitor_->stopped().empty()) return;  // no further pass over the data
    if (const auto* cautious = power<Cautious>(*flags_.task); cautious != nullptr && !own_.share_data)
      if (const std::string caution = cautious->caution(*data_, fitted_.weights, *flags_.executor);
          !caution.empty())
        note(caution + "\n");
  }

  void write() {
    nlohmann::json options = all_options();
    if (!flags_.options.C.chosen_by_data()) options["learning"]["C"] = values_;
    nlohmann::json& best = *fitted_.summary;
    count_choice();
    if (!choice_.reason.empty()) best["solver_reason"] = choice_.reason;
    best["data"] = data_->facts();
    best["version"] = kVersion;
    monitor_->finish();
    OutputFile model(own_.model);
    save_model(model, *flags_.task, std::move(fitted_.weights), best, options);
    model.stage();
    std::optional<OutputFile> summary, result;
    if (!own_.summary.empty()) {
      summary.emplace(own_.summary);
      summary->write(json_text(summary_json(options), 2) + "\n");
      summary->stage();
    }
    std::string text = fmt::format("{} Model written to {}.\n", fitted_.end, own_.model);
    if (fitted_.path.size() > 1 || holds_out())
      text = table(fitted_.path, own_.select, best["C"].get<double>()) + text;
    const bool print = !own_.quiet && !files_.writes_standard_output();
    if (print) result.emplace("-").write(as_flags(text));
    if (monitor_->log() != nullptr) monitor_->log()->stage();
    monitor_->release();
    commit_together({&model, summary ? &*summary : nullptr, monitor_->log(), result ? &*result : nullptr});
    if (!print) note(text);
  }

  // Whether a signal to terminate ended it, and a checkpoint is there instead of a model.
  bool left() const {
    if (checkpoints_ == nullptr || !checkpoints_->left()) return false;
    note(fmt::format("stopped by a signal to terminate, after a checkpoint: go on with `resume` {}\n",
                     checkpoints_->folder()));
    return true;
  }

 private:
  nlohmann::json all_options() {
    return {{"learning", options_to_json(list_options(flags_.options))},
            {"task", options_to_json(flags_.task->options())},
            {"solver", options_to_json(solver_->options())}};
  }
  void note_idle_ranks() const {
    const std::string& solver = choice_.inner.empty() ? choice_.solver : choice_.inner;
    const bool shares_planes = solver == "frank_wolfe" || solver == "n_slack" ||
                               replicated_work(solver, data_->oracle(), flags_.options.formulation()) != "";
    if (command_ranks() == nullptr || (shares_planes && !own_.share_data)) return;
    const std::size_t ranks = command_ranks()->size(),
                      pieces = DenseSum::pieces(data_->size(), data_->oracle().dimension(), *flags_.executor);
    if (pieces < ranks)
      note(fmt::format(
          "sums over examples are cut into {} pieces, so that {} of {} ranks have nothing to add: "
          "`shards` {} gives each some\n",
          pieces, ranks - pieces, ranks, ranks));
  }
  // Whether all planes of an example are listed, which a process that does not have all examples never does.
  bool begins_otherwise_where_shared() const {
    const bool lists = lists_planes(choice_.inner.empty() ? choice_.solver : choice_.inner,
                                    own_oracle(data_->oracle()), flags_.options.formulation());
    return command_ranks() != nullptr ? command_ranks()->any(lists) : lists;
  }
  // What a run that is gone on from had chosen, which depends on the ranks it was begun on.
  LearningFlags::Begun begun_with() const {
    const JsonValue earlier = own_.checkpoints.earlier_options();
    LearningFlags::Begun begun;
    const nlohmann::json solver = earlier->value("solver", nlohmann::json::object());
    if (earlier->value("task", nlohmann::json()) != lasting_task() || !solver.contains("chosen"))
      return begun;
    begun.solver = {solver.at("chosen"), solver.at("inside"), "the checkpoint was begun with it"};
    if (solver.contains("batch")) begun.batch = solver.at("batch");
    return begun;
  }
  nlohmann::json lasting_task() const {
    nlohmann::json options = options_to_json(flags_.task->options());
    options["name"] = flags_.task->name();
    return options;
  }
  // Those that change the result.
  nlohmann::json lasting_options() {
    nlohmann::json options = all_options();
    for (const char* name : {"threads", "time_limit"}) options["learning"].erase(name);
    const std::size_t pieces = DenseSum::pieces(data_->size(), data_->oracle().dimension(), *flags_.executor);
    options["learning"]["shards"] = pieces;
    if (flags_.executor->shards() == 0)  // else lbfgs has its weights in another order
      options["learning"]["shards"] = fmt::format("{} as usual", pieces);
    options["task"] = lasting_task();
    nlohmann::json& solver = options["solver"];
    solver["name"] = solver_->name();
    solver["chosen"] = choice_.solver;
    solver["inside"] = choice_.inner;
    if (choice_.solver == "soft_dual" && !choice_.reason.empty())
      solver["then"] = "lbfgs";  // solvers/handover.h
    if (own_.share_data && begins_otherwise_where_shared()) options["share_data"] = true;
    if (!own_.validation.empty() || flags_.options.C.chosen_by_data()) options["select"] = own_.select;
    if (transductive_) options["transduction"] = options_to_json(list_options(flags_.transduction));
    return options;
  }
  void learn_transductively() {
    choice_.reason.clear();
    monitor_.emplace(MonitorOptions{flags_.options.time_limit,
                                    target_gap(*solver_),
                                    own_.quiet,
                                    own_.log,
                                    {},
                                    command_ranks(),
                                    checkpoints_.get()});
    fitted_ = transductive_->learn(*data_, *solver_, *monitor_, [&](const std::string& text) {
      monitor_->end_line();
      note(text);
    });
    monitor_->end_line();
    values_ = {transductive_->C1()};
    if (!validation_) return;
    transductive_->guide(*validation_);
    fitted_.summary["validation"] =
        flags_.task->evaluate(*validation_, fitted_.weights, {}, *flags_.executor);
    note(fmt::format("validation: {} {:.6g}\n", own_.select,
                     metric(fitted_.summary["validation"], own_.select)));
  }

  void check_flags() {
    const ValuesOfC& C = flags_.options.C;
    if (own_.model.empty()) fail("`hinge train` needs --model M: the file to write the model to.");
    if (C.ascending().size() > 1 && own_.validation.empty())
      fail("several values of C need --validation F to choose by; or use `hinge cross-validate`.");
    if (flags_.given("checkpoint_every") && own_.checkpoints.checkpoint.empty())
      fail("--checkpoint-every needs --checkpoint F, the folder to write to.");
    if (flags_.given("select") && own_.validation.empty() && !C.chosen_by_data())
      fail("--select needs --validation F, the file to measure on, or -C auto.");
    if (!TransductiveTraining::wanted(own_.transductive, flags_))
      for (const OptionRef& option : list_options(flags_.transduction))
        if (flags_.given(option.name))
          fail(
              "`{}` is of learning from unlabelled examples and rules: add --unlabelled U or --rules R, or "
              "leave it out.",
              option.name);
    for (const std::string& file : own_.transductive.unlabelled)  // an option of graph had this name
      if (flags_.task->name() == "graph" && (file == "hidden" || file == "class" || file == "drop"))
        fail(
            "--unlabelled names files to learn from: what becomes of nodes without a label is said by "
            "--unlabelled-nodes {}.",
            file);
  }

  bool holds_out() const { return flags_.options.C.chosen_by_data() && own_.validation.empty(); }

  void choose(const Problem& problem, double limit) {
    Monitor monitor({limit, target_gap(*solver_), own_.quiet, "", {}, command_ranks(), checkpoints_.get()});
    chosen_ = choose_C(
        flags_.task->name(), problem, parts_of(*flags_.task, *data_), own_.select,
        source_->hold_out({}, flags_.latent_temperature(), flags_.init, own_.select, *flags_.executor),
        monitor);
    if (monitor.left()) return;
    values_ = {chosen_.C};
    note(fmt::format("C = {:g} is best on {} examples held out\n", chosen_.C, chosen_.held_out));
    if (!chosen_.stopped.empty()) note(chosen_.stopped + "\n");
  }
  // What choosing took counts in the summary.
  void count_choice() {
    if (!holds_out()) return;
    nlohmann::json& summary = *fitted_.summary;
    summary["seconds"] = summary["seconds"].get<double>() + chosen_.seconds;
    summary["cpu_seconds"] = summary["cpu_seconds"].get<double>() + chosen_.cpu_seconds;
    summary["oracle_calls"] = summary["oracle_calls"].get<std::size_t>() + chosen_.oracle_calls;
    summary["held_out"] = chosen_.held_out;
    fitted_.path = chosen_.rows;
  }

  std::string solver_text() const {
    return fmt::format("{}{}, because {}", choice_.solver,
                       choice_.inner.empty() ? "" : " around " + choice_.inner, choice_.reason);
  }
  void note(const std::string& text) const {
    if (!own_.quiet) print_note(as_flags(text));
  }
  nlohmann::json summary_json(const nlohmann::json& options) const {
    nlohmann::json all = fitted_.summary;
    all["options"] = options;
    if (fitted_.path.size() > 1 || flags_.options.C.chosen_by_data()) all["path"] = fitted_.path;
    return all;
  }

  TrainOptions own_;
  LearningFlags flags_;
  FilePlan files_;
  std::unique_ptr<Solver> solver_;
  SolverChoice choice_;
  std::vector<double> values_;                        // of C
  std::optional<TransductiveTraining> transductive_;  // where there are rules or unlabelled files
  std::optional<DataSource> source_;                  // where a tenth is held out to choose C
  ChosenC chosen_;                                    // by that tenth
  Alone alone_;                                       // as long as the data
  std::unique_ptr<Data> data_, validation_;
  Fitted fitted_;
  std::optional<Interrupt> noted_;            // where checkpoints are kept, from before their folder is there
  std::unique_ptr<Checkpoints> checkpoints_;  // where they are written or gone on from
  std::optional<Monitor> monitor_;            // from the first step until the files are there
};

}  // namespace

int train(Arguments arguments) {
  Training training;
  if (!training.configure(std::move(arguments))) return 0;
  std::signal(SIGPIPE, SIG_IGN);  // nobody reads our progress: go on
  training.read();
  training.learn();
  if (training.left()) return 128 + SIGTERM;
  training.write();
  return 0;
}

}  // namespace hinge
