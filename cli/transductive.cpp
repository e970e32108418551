#include "cli/transductive.h"

#include <nlohmann/json.hpp>

#include "hinge/rules/apply_rules.h"
#include "hinge/rules/check_rules.h"
#include "hinge/rules/compile_rules.h"

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
    : files_(std::move(files)), flags_(flags), guidable_(power<Guidable>(*flags.task)) {
  const TrainingOptions& options = flags.options;
  const bool own_labels = flags.transduction.labels_as_constraints;
  if (guidable_ == nullptr)
    fail("the task {} does not learn from unlabelled files and rules: sequence, multiclass and graph do.",
         flags.task->name());
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
  return guidable_->read_both(data, files_.unlabelled, labelled_);
}

Knowledge TransductiveTraining::knowledge_of(const Data& data, std::vector<std::string>& notes) const {
  if (files_.rules.empty()) {
    Knowledge nothing;
    nothing.examples.resize(data.size());
    return nothing;
  }
  Applied applied = apply_rules(rules_, tokens_of(*flags_.task), data);
  refuse_idle_rules(rules_, *applied.knowledge);
  notes = std::move(applied.notes);
  return *applied.knowledge;
}

Fitted TransductiveTraining::learn(const Data& data, const Solver& solver, Watch& watch,
                                   const std::function<void(const std::string&)>& note) {
  const TransductionOptions& transduction = flags_.transduction;
  std::vector<std::string> notes;
  std::optional<LabelConstraints> own;
  if (transduction.labels_as_constraints)
    own = label_constraints(guidable_->position_labels(data), guidable_->label_count());
  const Knowledge knowledge = own ? std::move(own->knowledge) : knowledge_of(data, notes);
  for (const std::string& sentence : notes) note(sentence + "\n");
  const std::unique_ptr<AnyGuidedExamples> examples = guidable_->guided(
      data, own ? 0 : labelled_, knowledge, transduction.rule_features, transduction.guided_settings());
  TransductionData problem{.labelled = own ? nullptr : &examples->labelled(),
                           .unlabelled = examples->unlabelled()};
  if (own) problem.gamma = &own->gamma, problem.start_v = own->target;
  if (!own) C1_ = labelled_weight(flags_.options, transduction, labelled_);
  C2_ = unlabelled_weight(flags_.options, transduction, examples->unlabelled().size());
  Transduced found = transduce(problem, flags_.options, transduction, solver, *flags_.executor, watch,
                               [&](const TransductionRound& round) { note(round.text() + "\n"); });
  const std::size_t dimension = flags_.task->dimension();
  rule_weights_.assign(found.weights.begin() + static_cast<std::ptrdiff_t>(dimension), found.weights.end());
  rule_names_.clear();
  for (const RulePenalty& rule : knowledge.rules) rule_names_.push_back(rule.name);
  found.weights.resize(dimension);
  note(found.run.brief() + "\n");

  Fitted fitted;
  const Problem asked{
      .oracle = data.oracle(), .options = flags_.options, .solver = solver, .executor = *flags_.executor};
  fitted.summary = run_summary(flags_.task->name(), asked, C1_, found.run);
  fitted.summary["transduction"] = told(found);
  fitted.path = {fitted.summary};
  fitted.end = watch.stopped().empty() ? found.run.message : watch.stopped();
  fitted.weights = std::move(found.weights);
  return fitted;
}

nlohmann::json TransductiveTraining::told(const Transduced& found) const {
  const auto& [round, terms, bound] = found.end;
  nlohmann::json all = {{"C1", C1_},
                        {"C2", C2_},
                        {"mu", flags_.transduction.mu},
                        {"labelled", labelled_},
                        {"labelled_loss", terms.labelled},
                        {"gamma", bound.B},
                        {"gamma_of_predictions", bound.gamma_of_predictions},
                        {"gamma_bound", bound.bound},
                        {"quadratic_distance", bound.distance},
                        {"rules", nlohmann::json::array()}};
  for (std::size_t r = 0; r < rule_names_.size(); ++r) {
    nlohmann::json rule = {{"rule", rule_names_[r]}};
    if (r < bound.broken.size()) rule["features"] = bound.features[r], rule["broken"] = bound.broken[r];
    if (!rule_weights_.empty()) rule["weight"] = rule_weights_[r];
    all["rules"].push_back(std::move(rule));
  }
  return all;
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
