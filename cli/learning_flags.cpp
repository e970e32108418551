#include "cli/learning_flags.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/ranks.h"
#include "hinge/core/options_json.h"
#include "hinge/model/model.h"
#include "hinge/oracle/spread_oracle.h"
#include "hinge/training/carry_over.h"

namespace hinge {
namespace {

// auto's usual solver, or the one that is named.
SolverChoice named_solver(const TrainingOptions& options) {
  const std::string usual = solver_candidates(options.formulation()).front();
  if (options.solver == "auto") return {usual, "", ""};
  return {options.solver, options.solver == "cccp" && options.inner.empty() ? usual : options.inner, ""};
}

// False where the solver lacks one of them, or takes other values.
bool set(Solver& solver, const nlohmann::json& settings) {
  try {
    options_from_json(settings, solver.options());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// A whole number is one whatever the option's type: solvers differ in theirs.
nlohmann::json whole(nlohmann::json value) {
  if (value.is_number_float() && std::abs(value.get<double>()) < 1e9 &&
      value.get<double>() == std::floor(value.get<double>()))
    return static_cast<long long>(value.get<double>());
  return value;
}

}  // namespace

bool LearningFlags::take(const std::string& command, Arguments arguments, const std::vector<OptionRef>& own,
                         std::vector<std::string>& data, bool with_example) {
  const std::string name = take_subject(command, arguments);
  flags_.emplace(std::move(arguments));
  flags_->take("files", own);
  flags_->take("learning", list_options(options));
  if (command == "train") flags_->take("transduction", list_options(transduction));
  if (!name.empty()) {
    task = make_task(name);
    flags_->take(name, task->options());
  }
  take_solver_flags();
  if (flags_->help() || !task) {
    print_result(help_text(command, *flags_, list_tasks() + list_solvers(), with_example ? name : ""));
    return false;
  }
  take_files(command, *flags_, data);
  refuse_rest(command, *flags_, name, named_solver(options).solver);
  require_same_start(flags_->values(), name);
  return true;
}

void LearningFlags::take_solver_flags() {
  flagged_ = make_solver(named_solver(options), options.seed);
  for (OptionGroup& group : flagged_->option_groups()) {
    std::erase_if(group.options, [](const OptionRef& option) { return option.name == "seed"; });  // --seed
    flags_->take(group.name, group.options);
    for (const OptionRef& option : group.options)
      if (flags_->given(option.name)) settings_[option.name] = whole(options_to_json({option})[option.name]);
  }
}

void LearningFlags::finish(FilePlan& files) {
  if (given("epsilon") && options.method != "epsilon")
    fail(
        "--epsilon belongs to --method epsilon, not to {}: use --output-temperature and "
        "--latent-temperature.",
        options.method);
  options.check_consistency();
  const std::string init_file = Init::parse(options.init).model;
  files.reads("--init", init_file);
  files.reads(task->options());
  files.check();
  if (!init_file.empty()) {
    init = load_model(init_file);
    take_options(init, *task, [&](const std::string& name) { return given(name); });
  }
  executor = make_command_executor(options.threads, options.shards);
}

std::unique_ptr<Solver> LearningFlags::solver_for(const Oracle& oracle, SolverChoice& choice,
                                                  const Begun& begun) const {
  const std::size_t ranks = command_ranks() == nullptr ? 1 : command_ranks()->size();
  choice = named_solver(options);
  if (options.solver == "auto" && begun.solver) {
    choice = *begun.solver;
  } else if (options.solver == "auto") {
    choice = options.method == "transductive" ? transduction_choice(options)
                                              : choose_solver(situation(oracle, options, ranks));
    if (!set(*make_solver(choice, options.seed), settings_))
      choice = named_solver(options), choice.reason = "flags of its own were given";
  }
  std::unique_ptr<Solver> solver = make_solver(choice, options.seed);
  set_usual_batch(*solver, choice, oracle, options.formulation(), ranks);
  if (int* const batch = batch_of(*solver)) {
    const int usual = *batch;
    *batch = begun.batch.value_or(usual);
    choice.usual_batch = *batch == usual || given("batch");
    options_from_json(settings_, solver->options());
    // Where each process has examples of its own there are no visits but those that are shared.
    if (*batch == 0 && spread_oracle(oracle) != nullptr) *batch = usual;
  } else {
    options_from_json(settings_, solver->options());
  }
  return solver;
}

std::unique_ptr<Solver> LearningFlags::solver_for(const Oracle& oracle) const {
  SolverChoice choice;
  return solver_for(oracle, choice, {});
}

}  // namespace hinge
