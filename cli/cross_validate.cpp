// hinge cross-validate: which C, and which variant of the task, is best on data that is held out.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/data_source.h"
#include "cli/learning_flags.h"
#include "cli/ranks.h"
#include "cli/read_data.h"
#include "hinge/core/json_text.h"
#include "hinge/tasks/powers.h"
#include "hinge/training/cross_validate.h"
#include "hinge/training/metric.h"
#include "hinge/watch/monitor.h"

namespace hinge {
namespace {

struct CrossValidateOptions {
  std::vector<std::string> data;
  int folds = 5;
  std::string select = "loss", log;
  bool json = false, quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files to learn from and to measure on");
    visit("folds", self.folds, range::between(2, 1e9),
          "parts of the data; each is held out once, the rest trained with C/n as for all the data");
    visit("select", self.select, range::any,
          "the best C is that with the best mean of this metric: loss, accuracy, f1, ...");
    visit("log", self.log, range::any, "file for the run log: a JSON object a round, written as it goes");
    visit("json", self.json, range::any, "print JSON");
    visit("quiet", self.quiet, range::any, "print nothing but the result and errors");
  }
};

// What is compared: a variant of the task (0 where there is but one), and C.
struct Setting {
  std::size_t variant = 0;
  double C = 0;
  friend auto operator<=>(const Setting&, const Setting&) = default;
};
using Results = std::map<Setting, FoldMetrics>;

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

}  // namespace

int cross_validate(Arguments arguments) {
  CrossValidateOptions own;
  LearningFlags flags;
  if (!flags.take("cross-validate", std::move(arguments), list_options(own), own.data, false)) return 0;
  const TrainingOptions& options = flags.options;
  if (options.C.chosen_by_data())
    fail("--C auto is for `hinge train`: give the values of C to compare, or leave it out.");
  FilePlan files;
  plan_data(files, "cross-validate", "the file to learn from", own.data, *flags.task);
  own.log = own_output(own.log);
  files.writes("--log", own.log);
  flags.finish(files);

  Executor& executor = *flags.executor;
  const auto* varied = power<HasVariants>(*flags.task);
  const std::vector<std::string> variants = varied ? varied->variants() : std::vector<std::string>{};
  Monitor monitor({options.time_limit, flags.target_gap(), own.quiet, own.log, {}, command_ranks()});
  read_together(files.read_files(), [] {});
  const DataSource source(*flags.task, own.data, files);
  FoldPlan plan{.folds = static_cast<std::size_t>(own.folds), .values = options.C.ascending()};
  Results results;
  for (std::size_t v = 0; v < std::max<std::size_t>(variants.size(), 1) && monitor.stopped().empty(); ++v) {
    const std::optional<std::size_t> variant = variants.empty() ? std::nullopt : std::optional(v);
    {
      const DataSource::Training all = source.train({}, variant, &executor);
      const FoldPlan parts = parts_of(*all.task, *all.data);
      plan.examples = parts.examples;
      plan.groups = parts.groups;
      if (const double usual = usual_C(options, all.data->size()); plan.values.empty())
        plan.values = {usual / 10, usual, usual * 10};
      if (!own.quiet && !own.json && v == 0)
        print_note(
            facts_line("data", *all.data) +
            (plan.examples == all.data->size()
                 ? "each fold is trained at C times its share of the examples, so that C means the same on "
                   "all of them\n"
                 : ""));
      refuse_search(options, all.data->oracle());
      require_metric(*all.task, *all.data, own.select, executor);
    }
    plan.label = variants.empty() ? "" : variants[v] + "  ";
    const HoldOut hold_out =
        source.hold_out(variant, flags.latent_temperature(), flags.init, own.select, executor);
    CrossValidation measured = cross_validate(
        plan, options, hold_out, [&](const Oracle& oracle) { return flags.solver_for(oracle); }, executor,
        monitor);
    for (auto& [C, metrics] : measured.at) results[{v, C}] = std::move(metrics);
  }
  monitor.end_line();
  if (!monitor.stopped().empty())
    fail("stopped before every fold was done, so that there is nothing to compare.");

  const auto mean = [&](const auto& entry) { return estimate(entry.second.at(own.select)).mean; };
  auto best = results.begin();
  for (auto entry = results.begin(); entry != results.end(); ++entry)
    if (better(own.select, mean(*entry), mean(*best))) best = entry;
  OutputFile out("-");
  if (own.json) {
    nlohmann::json result = {{"task", flags.task->name()},
                             {"method", options.method},
                             {"solver", options.solver},
                             {"n", plan.examples},
                             {"folds", own.folds},
                             {"seed", options.seed},
                             {"threads", executor.workers()},
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
