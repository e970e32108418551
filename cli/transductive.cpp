#include "cli/transductive.h"

#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"

namespace hinge {
namespace {

void refuse(bool given, const char* flag, const char* why) {
  if (given) fail("{} has no place where rules are learned from: {}.", flag, why);
}

}  // namespace

bool TransductiveTraining::wanted(const TransductiveFiles& files, const LearningFlags& flags) {
  return !files.unlabelled.empty() || !files.rules.empty() || flags.transduction.labels_as_constraints ||
         Formulation::transductive(flags.options.method);
}

TransductiveTraining::TransductiveTraining(TransductiveFiles files, LearningFlags& flags)
    : files_(std::move(files)), flags_(flags) {
  const TrainingOptions& options = flags.options;
  const bool own_labels = flags.transduction.labels_as_constraints;
  guidable_of(*flags.task);
  if (own_labels && options.method != "transductive")
    fail("--labels-as-constraints belongs to --method transductive, not to {}.", options.method);
  if (own_labels && !(files_.unlabelled.empty() && files_.rules.empty()))
    fail(
        "--labels-as-constraints learns from the labels of --data alone: leave out --unlabelled and "
        "--rules.");
  if (Formulation::transductive(options.method) && !own_labels) {
    if (files_.unlabelled.empty())
      fail("--method {} learns from unlabelled examples: add --unlabelled U.", options.method);
    if (files_.rules.empty()) fail("--method {} learns from rules: add --rules R.", options.method);
  }
  if (flags.transduction.rule_features && files_.rules.empty())
    fail("--rule-features gives rules weights: add --rules R.");
  refuse(!options.init.empty(), "--init", "it begins from what labelled examples teach");
  refuse(options.restarts > 1, "--restarts", "it begins from what labelled examples teach");
  refuse(options.anneal > 0, "--anneal", "use --anneal-mu");
  refuse(options.l1 > 0, "--l1", "leave it out");
  refuse(options.C.chosen_by_data() || options.C.ascending().size() > 1, "more than one -C",
         "give one number");
  if (files_.rules.empty()) return;
  HasTokens& tokens = tokens_of(*flags.task);
  rules_ = read_rules(files_.rules);
  tokens.keep_tokens(true);
  tokens.add_labels(declared_labels(rules_));
}

std::unique_ptr<Data> TransductiveTraining::read(const std::vector<std::string>& data) {
  return power<Guidable>(*flags_.task)->read_both(data, files_.unlabelled, labelled_);
}

Fitted TransductiveTraining::learn(const Data& data, const Solver& solver, Watch& watch,
                                   const std::function<void(const std::string&)>& note) {
  GuidedFitted fitted = fit_guided(
      {*flags_.task, data, labelled_, rules_, flags_.options, flags_.transduction, solver, *flags_.executor},
      watch, note);
  C1_ = fitted.C1;
  rule_weights_ = std::move(fitted.rule_weights);
  return fitted;
}

void TransductiveTraining::guide(const Data& data) const {
  if (rule_weights_.empty()) return;
  HasTokens& tokens = tokens_of(*flags_.task);
  const Applied applied = apply_rules(rules_, tokens, data);
  std::vector<double> costs = rule_costs(*applied.knowledge, 0);
  for (std::size_t r = 0; r < costs.size(); ++r)
    if (std::isfinite(costs[r])) costs[r] = rule_weights_[r];
  tokens.guide(applied.knowledge, std::move(costs));
}

}  // namespace hinge
