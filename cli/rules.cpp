// hinge rules check: how often rules hold in labels and predictions, and what they are worth.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/read_data.h"
#include "hinge/core/json_text.h"
#include "hinge/model/model.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/predictions.h"

namespace hinge {
namespace {

struct RulesOptions {
  std::vector<std::string> data;
  std::string model;
  double rule_strength = 1;
  int show = 3;
  bool json = false;
  int threads = 1;
  bool quiet = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("data", self.data, range::any, "files to look at, with labels where there are some");
    visit("model", self.model, range::any, "model whose predictions to look at too");
    visit("rule_strength", self.rule_strength, range::not_negative,
          "score that a broken soft rule of weight 1 costs a prediction");
    visit("show", self.show, range::not_negative, "show so many violations of each rule");
    visit("json", self.json, range::any, "print JSON");
    visit("threads", self.threads, range::between(0, 1024), "work on so many at a time (0: every core)");
    visit("quiet", self.quiet, range::any, "print nothing but the result and errors");
  }
};

// Everything that the report tells of.
struct Checked {
  const Rules& rules;
  const Knowledge& knowledge;
  const TokenTexts& texts;
  const std::vector<std::string>& names;
  RuleCheck check;
  const std::vector<Labels>& labels;
  std::vector<Labels> predictions;
};

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string token_text(const Checked& all, std::size_t i, std::size_t t) {
  if (all.texts.kind == TokenTexts::Kind::columns)
    return std::string(all.texts.text(i, t, all.texts.word_column));
  return all.texts.texts(i, t) == 0 ? "-" : std::string(all.texts.text(i, t, 0));
}

std::string label_text(const Checked& all, int label) {
  return label < 0 ? "?" : all.names[static_cast<std::size_t>(label)];
}

// The labels of a whole example, runs of one label as "label x 3".
std::string runs(const Checked& all, const Labels& y) {
  std::vector<std::string> texts;
  for (std::size_t t = 0, end = 0; t < y.size(); t = end) {
    while (end < y.size() && y[end] == y[t]) ++end;
    texts.push_back(end - t == 1 ? label_text(all, y[t])
                                 : fmt::format("{} x {}", label_text(all, y[t]), end - t));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// The tokens around, each with its label; '>' stands in front of those that the rule is about.
std::string around(const Checked& all, const Violation& violation, const Labels& y) {
  const auto [of, rule, position, holds] = violation.feature;
  if (of == RuleFeature::Of::whole) return runs(all, y);
  const std::size_t begin = position < 3 ? 0 : position - 3,
                    end = std::min(y.size(), std::size_t{position} + 5);
  std::string text = begin > 0 ? "..." : "";
  for (std::size_t t = begin; t < end; ++t) {
    const bool meant = t == position || (of == RuleFeature::Of::pair && t == position + 1);
    text += fmt::format("{}{}{}/{}", text.empty() ? "" : " ", meant ? ">" : "",
                        token_text(all, violation.example, t), label_text(all, y[t]));
  }
  return end < y.size() ? text + " ..." : text;
}

std::string wanted(const RulePenalty& rule) {
  switch (rule.kind) {
    case RulePenalty::Kind::about:
      return fmt::format("about {:g} %", 100 * rule.target);
    case RulePenalty::Kind::at_least:
      return fmt::format("at least {:g} %", 100 * rule.target);
    case RulePenalty::Kind::at_most:
      return fmt::format("at most {:g} %", 100 * rule.target);
    case RulePenalty::Kind::satisfied:
      break;
  }
  return rule.hard ? "hard" : fmt::format("{:g}", rule.weight);
}

std::string share(const std::optional<RuleCounts>& counts, std::size_t k) {
  if (!counts) return "";
  const RuleCount& count = counts->rules[k];
  return count.applies == 0 ? "-" : percent(count.rate());
}

std::string table(const Checked& all) {
  const RuleCheck& check = all.check;
  const bool guided = check.guided.has_value();
  std::string text = fmt::format("{:>5} {:>9} {:>10}", "line", "applies", "in labels");
  if (guided) text += fmt::format(" {:>14} {:>10} {:>9}", "in predictions", "with rules", "worth");
  std::size_t width = 6;
  for (const RulePenalty& rule : all.knowledge.rules) width = std::max(width, wanted(rule).size());
  text += fmt::format("  {:<{}}  rule\n", "weight", width);
  for (std::size_t k = 0; k < all.rules.rules.size(); ++k) {
    text += fmt::format("{:>5} {:>9} {:>10}", all.rules.rules[k].place.line, check.applies[k],
                        check.labels ? share(check.labels, k) : "-");
    if (guided)
      text += fmt::format(" {:>14} {:>10} {:>9}", share(check.predictions, k), share(check.guided, k),
                          check.without.empty()
                              ? "-"
                              : fmt::format("{:+.2f} %", 100 * (*check.guided_accuracy - check.without[k])));
    text += fmt::format("  {:<{}}  {}\n", wanted(all.knowledge.rules[k]), width, all.rules.rules[k].text);
  }
  const auto kept = [&](const std::optional<RuleCounts>& counts) {
    return counts ? fmt::format("{} of {}", counts->examples.holds, counts->examples.applies) : "-";
  };
  text += fmt::format("\nexamples that keep every rule: {} in labels", kept(check.labels));
  if (guided)
    text += fmt::format(", {} in predictions, {} in predictions with rules", kept(check.predictions),
                        kept(check.guided));
  text += "\n";
  if (check.accuracy)
    text += fmt::format("accuracy: {} without rules, {} with all of them\n", percent(*check.accuracy),
                        percent(*check.guided_accuracy));
  return text;
}

std::string violations(const Checked& all, const std::string& where, const std::optional<RuleCounts>& counts,
                       const std::vector<Labels>& labels) {
  if (!counts) return "";
  std::string text;
  for (std::size_t k = 0; k < counts->violations.size(); ++k) {
    const std::size_t broken = counts->rules[k].applies - counts->rules[k].holds;
    if (counts->violations[k].empty()) continue;
    text +=
        fmt::format("\nline {}, broken {} in {}: {}\n", all.rules.rules[k].place.line,
                    broken == 1 ? "once" : fmt::format("{} times", broken), where, all.rules.rules[k].text);
    for (const Violation& violation : counts->violations[k])
      text += fmt::format("  {}: {}\n", all.texts.place(violation.example, violation.feature.position),
                          around(all, violation, labels[violation.example]));
  }
  return text;
}

nlohmann::json counts_json(const Checked& all, const std::optional<RuleCounts>& counts, std::size_t k,
                           const std::vector<Labels>& labels) {
  const RuleCount& count = counts->rules[k];
  nlohmann::json list = nlohmann::json::array();
  for (const Violation& violation : counts->violations[k])
    list.push_back({{"place", all.texts.place(violation.example, violation.feature.position)},
                    {"tokens", around(all, violation, labels[violation.example])}});
  return {{"applies", count.applies}, {"holds", count.holds}, {"violations", list}};
}

nlohmann::json report_json(const Checked& all) {
  const RuleCheck& check = all.check;
  nlohmann::json rules = nlohmann::json::array();
  for (std::size_t k = 0; k < all.rules.rules.size(); ++k) {
    const Rule& rule = all.rules.rules[k];
    nlohmann::json one = {{"line", rule.place.line},
                          {"rule", rule.text},
                          {"weight", rule.weight},
                          {"hard", rule.hard},
                          {"applies", check.applies[k]}};
    if (rule.kind == Rule::Kind::fraction || rule.kind == Rule::Kind::examples) one["target"] = rule.target;
    if (check.labels) one["labels"] = counts_json(all, check.labels, k, all.labels);
    if (check.predictions) one["predictions"] = counts_json(all, check.predictions, k, all.predictions);
    if (check.guided)
      one["with_rules"] = {{"applies", check.guided->rules[k].applies},
                           {"holds", check.guided->rules[k].holds}};
    if (!check.without.empty()) one["worth"] = *check.guided_accuracy - check.without[k];
    rules.push_back(std::move(one));
  }
  nlohmann::json json = {{"rules", rules}, {"examples", all.texts.size()}, {"tokens", all.texts.tokens()}};
  if (check.accuracy) json["accuracy"] = *check.accuracy;
  if (check.guided_accuracy) json["accuracy_with_rules"] = *check.guided_accuracy;
  return json;
}

}  // namespace

int rules(Arguments arguments) {
  std::string path = take_subject("rules", arguments);
  if (!path.empty() && path != "check")
    fail("there is no `hinge rules {}`: write `hinge rules check RULES F...`.", path);
  if (!path.empty()) {
    path.clear();
    if (!arguments.empty() && !is_flag(arguments.front())) {
      path = arguments.front();
      arguments.erase(arguments.begin());
    }
  }
  RulesOptions own;
  Flags flags(std::move(arguments));
  flags.take("files", list_options(own));
  Model model;
  if (!own.model.empty()) model = load_model(own.model);
  std::unique_ptr<AnyTask> fresh = own.model.empty() ? make_task("sequence") : nullptr;
  AnyTask& task = fresh ? *fresh : *model.task;
  flags.take(task.name(),
             fresh ? only({"format", "label", "template", "folds"}, task.options()) : task.read_options());
  if (flags.help()) {
    print_result(help_text("rules", flags));
    return 0;
  }
  if (path.empty()) fail("`hinge rules check` needs RULES as its first argument: see `hinge rules --help`.");
  take_files("rules", flags, own.data);
  refuse_rest("rules", flags, "", "");
  FilePlan files;
  files.reads("the rules", path);
  if (!own.model.empty()) files.reads("--model", own.model);
  plan_data(files, "rules check", "the file to look at", own.data, task);
  files.reads(task.read_options());
  files.check();

  HasTokens& tokens = tokens_of(task);
  tokens.keep_tokens(true);
  task.keep_text(false);
  const Rules parsed = read_rules(path);
  tokens.add_labels(declared_labels(parsed));
  const std::unique_ptr<Executor> executor = make_executor(static_cast<std::size_t>(own.threads));
  const std::unique_ptr<Data> data = fresh ? task.read_training(own.data) : task.read(own.data);
  const bool quiet = own.quiet || own.json;
  if (!quiet) print_note(facts_line("data", *data));
  const Applied applied = apply_rules(parsed, tokens, *data);
  if (!quiet)
    for (const std::string& note : applied.notes) print_note(note + "\n");
  const std::vector<std::string> names = tokens.label_names();
  Checked all{parsed, *applied.knowledge, tokens.tokens(*data), names, {}, tokens.labels(*data), {}};
  if (!own.model.empty())
    all.predictions = labels_of(power<Answering>(task)->predictions(*data, model.weights, {}, *executor));
  all.check = check_rules(task, *data, model.weights, applied.knowledge, own.rule_strength,
                          static_cast<std::size_t>(own.show), *executor);
  print_result(own.json ? json_text(report_json(all), 2) + "\n"
                        : table(all) + violations(all, "labels", all.check.labels, all.labels) +
                              violations(all, "predictions", all.check.predictions, all.predictions));
  return 0;
}

}  // namespace hinge
