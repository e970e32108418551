// hinge cross-validate: each fold is held out once, a warm-started path of C is learned on the rest and
// measured on the fold. A loss weighs C/n in every fold, n being the number of all examples, so that the C
// that is best means the same for all the data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/carry_over.h"
#include "cli/commands.h"
#include "cli/held_out.h"
#include "cli/learner.h"
#include "cli/metric.h"
#include "cli/read_data.h"
#include "hinge/core/json_text.h"
#include "hinge/parallel/thread_executor.h"

namespace hinge {
namespace {

struct CrossValidateOptions {
  std::vector<std::string> data;
  int folds = 5;
  std::string select = "loss", log;
  bool json = false, quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, any, "files to learn from and to measure on");
    visit("folds", self.folds, between(2, 1e9),
          "parts of the data; each is held out once, the rest trained with C/n as for all the data");
    visit("select", self.select, any,
          "the best C is that with the best mean of this metric: loss, accuracy, f1, ...");
    visit("log", self.log, any, "file for the run log: a JSON object a round, written as it goes");
    visit("json", self.json, any, "print JSON");
    visit("quiet", self.quiet, any, "print nothing but the result and errors");
  }
};

struct Estimate {
  double mean = 0, standard_error = 0;
};

Estimate estimate(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  Estimate e;
  for (double v : values) e.mean += v / n;
  double squares = 0;
  for (double v : values) squares += (v - e.mean) * (v - e.mean);
  if (n > 1) e.standard_error = std::sqrt(squares / (n - 1) / n);
  return e;
}

using Metrics = std::map<std::string, std::vector<double>>;  // name, a value a fold

// What is compared: a variant of the task (0 where there is but one), and C.
struct Setting {
  std::size_t variant = 0;
  double C = 0;
  friend auto operator<=>(const Setting&, const Setting&) = default;
};
using Results = std::map<Setting, Metrics>;

nlohmann::json result_json(const Results& results, const std::vector<std::string>& variants) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [setting, metrics] : results) {
    nlohmann::json row = {{"C", setting.C}};
    if (!variants.empty()) row["variant"] = variants[setting.variant];
    for (const auto& [name, values] : metrics) {
      const Estimate e = estimate(values);
      row["metrics"][name] = {{"mean", e.mean}, {"standard_error", e.standard_error}, {"folds", values}};
    }
    rows.push_back(row);
  }
  return rows;
}

std::string table(const Results& results, const std::vector<std::string>& variants,
                  const std::vector<std::string>& names, const Setting& best) {
  const auto variant = [&](const std::string& text) {
    return variants.empty() ? std::string() : fmt::format("{:>12}", text);
  };
  std::string text = variant("variant") + fmt::format("{:>12}", "C");
  for (const std::string& name : names) text += fmt::format(" {:>20}", name);
  text += '\n';
  for (const auto& [setting, metrics] : results) {
    text += variant(variants.empty() ? "" : variants[setting.variant]) + fmt::format("{:>12g}", setting.C);
    for (const std::string& name : names) {
      const Estimate e = estimate(metrics.at(name));
      text += fmt::format(" {:>20}", fmt::format("{:.5g} ± {:.2g}", e.mean, e.standard_error));
    }
    text += setting == best ? "  <- best\n" : "\n";
  }
  return text;
}

// What the whole data allowed may be refused of a part: one class is left, or no label in the fold.
HeldOut hold_out(const DataSource& source, std::optional<std::size_t> variant, const Folds& folds,
                 std::size_t k, std::size_t count, const LearningOptions& learning, const std::string& select,
                 Executor& executor) {
  try {
    HeldOut fold(source, variant, folds, k, learning.formulation().latent_temperature);
    fold.require_metric(select, executor);
    return fold;
  } catch (const InputError& error) {
    fail("with fold {} of {} held out: {} Other --folds or another --seed may do.", k + 1, count,
         error.what());
  }
}

}  // namespace

int cross_validate(Arguments arguments) {
  const std::string task_name = take_subject("cross-validate", arguments);
  CrossValidateOptions own;
  LearningOptions learning;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  flags.take("learning", list_options(learning));
  const std::unique_ptr<AnyTask> task = task_name.empty() ? nullptr : make_task(task_name);
  if (task) flags.take(task_name, task->options());
  const std::unique_ptr<Solver> solver = learning.make_solver();
  take_solver_flags(*solver, flags);
  if (flags.help() || !task) {
    print_result(help_text("cross-validate", flags, list_tasks() + list_solvers()));
    return 0;
  }
  take_files("cross-validate", flags, own.data);
  refuse_rest("cross-validate", flags, task_name, learning.solver_name());
  if (learning.chooses_C())
    fail("--C auto is for `hinge train`: give the values of C to compare, or leave it out.");
  learning.check([&](const std::string& name) { return flags.given(name); });
  const std::string init_file = Init::parse(learning.init).model;
  FilePlan files;
  plan_data(files, "cross-validate", "the file to learn from", own.data, *task);
  files.reads("--init", init_file);
  files.reads(task->options());
  files.writes("--log", own.log);
  files.check();

  Model init_model;
  if (!init_file.empty()) {
    init_model = load_model(init_file);
    take_options(init_model, *task, flags);
  }
  const std::vector<std::string> variants = task->variants();
  const std::unique_ptr<Executor> executor = make_executor(static_cast<std::size_t>(learning.threads));
  const Learner learner(learning, *solver, *executor);
  Monitor monitor({learning.time_limit, target_gap(*solver), own.quiet, own.log});
  const auto count = static_cast<std::size_t>(own.folds);
  const DataSource source(*task, own.data, files);
  std::vector<double> values = learning.ascending_C();
  Results results;
  std::size_t examples = 0;
  for (std::size_t v = 0; v < std::max<std::size_t>(variants.size(), 1) && monitor.stopped().empty(); ++v) {
    const std::optional<std::size_t> variant = variants.empty() ? std::nullopt : std::optional(v);
    {
      const DataSource::Training all = source.train({}, variant);
      examples = all.data->size();
      if (!own.quiet && !own.json && v == 0)
        print_note(facts_line("data", *all.data) +
                   "each fold is trained at C times its share of the examples, so that C means the same on "
                   "all of them\n");
      refuse_search(learning, all.data->oracle());
      require_metric(*all.task, *all.data, own.select, *executor);
    }
    if (const double usual = learning.usual_C(examples); values.empty())
      values = {usual / 10, usual, usual * 10};
    if (count > examples)
      fail("--folds is {}, but there are only {} examples: use at most that many.", count, examples);

    const Folds folds(examples, count, learning.seed);
    for (std::size_t k = 0; k < count && monitor.stopped().empty(); ++k) {
      const HeldOut fold = hold_out(source, variant, folds, k, count, learning, own.select, *executor);
      const std::string label =
          fmt::format("{}fold {} of {}  ", variants.empty() ? "" : variants[v] + "  ", k + 1, count);
      learner.path(fold.oracle(), fold.carried_over(init_model), {values, fold.share()}, label, monitor,
                   [&](double C, Summary run) {
                     if (!monitor.stopped().empty()) return false;
                     run.weights.resize(fold.oracle().dimension());
                     const nlohmann::json metrics = fold.evaluate(run.weights, *executor);
                     for (const std::string& name : metric_names(metrics))
                       results[{v, C}][name].push_back(metric(metrics, name));
                     return true;
                   });
    }
  }
  monitor.end_line();
  if (!monitor.stopped().empty())
    fail("stopped before every fold was done, so that there is nothing to compare.");

  for (auto& [setting, metrics] : results)  // what some folds lack has no mean
    std::erase_if(metrics, [&](const auto& entry) { return entry.second.size() < count; });
  const auto mean = [&](const auto& entry) { return estimate(entry.second.at(own.select)).mean; };
  auto best = results.begin();
  for (auto entry = results.begin(); entry != results.end(); ++entry)
    if (better(own.select, mean(*entry), mean(*best))) best = entry;
  OutputFile out("-");
  if (own.json) {
    nlohmann::json result = {{"task", task_name},
                             {"method", learning.method},
                             {"solver", learning.solver_name()},
                             {"n", examples},
                             {"folds", own.folds},
                             {"seed", learning.seed},
                             {"threads", executor->workers()},
                             {"select", own.select},
                             {"best_C", best->first.C},
                             {"path", result_json(results, variants)}};
    if (!variants.empty()) result["best_variant"] = variants[best->first.variant];
    out.write(json_text(result, 2) + "\n");
  } else {
    std::vector<std::string> shown = {"loss", "accuracy"};
    if (own.select != "loss" && own.select != "accuracy") shown.push_back(own.select);
    out.write(table(results, variants, shown, best->first));
  }
  commit_together({monitor.log(), &out});
  return 0;
}

}  // namespace hinge
