#include "hinge/training/fit_guided.h"

#include <nlohmann/json.hpp>

#include "hinge/rules/apply_rules.h"
#include "hinge/rules/compile_rules.h"

namespace hinge {
namespace {

Knowledge knowledge_of(const GuidedProblem& problem, const std::function<void(const std::string&)>& note) {
  if (problem.rules.rules.empty()) {
    Knowledge nothing;
    nothing.examples.resize(problem.data.size());
    return nothing;
  }
  const Applied applied = apply_rules(problem.rules, tokens_of(problem.task), problem.data);
  refuse_idle_rules(problem.rules, *applied.knowledge);
  for (const std::string& sentence : applied.notes) note(sentence + "\n");
  return *applied.knowledge;
}

nlohmann::json told(const GuidedProblem& problem, double C1, double C2, const Knowledge& knowledge,
                    const Vector& rule_weights, const Transduced& found) {
  const auto& [round, terms, bound] = found.end;
  nlohmann::json all = {{"C1", C1},
                        {"C2", C2},
                        {"mu", problem.transduction.mu},
                        {"labelled", problem.labelled},
                        {"labelled_loss", terms.labelled},
                        {"gamma", bound.B},
                        {"gamma_of_predictions", bound.gamma_of_predictions},
                        {"gamma_bound", bound.bound},
                        {"quadratic_distance", bound.distance},
                        {"rules", nlohmann::json::array()}};
  for (std::size_t r = 0; r < knowledge.rules.size(); ++r) {
    nlohmann::json rule = {{"rule", knowledge.rules[r].name}};
    if (r < bound.broken.size()) rule["features"] = bound.features[r], rule["broken"] = bound.broken[r];
    if (!rule_weights.empty()) rule["weight"] = rule_weights[r];
    all["rules"].push_back(std::move(rule));
  }
  return all;
}

}  // namespace

const Guidable& guidable_of(const AnyTask& task) {
  const auto* const guidable = power<Guidable>(task);
  if (guidable == nullptr)
    fail("the task {} does not learn from unlabelled examples and rules: sequence, multiclass and graph do.",
         task.name());
  return *guidable;
}

GuidedFitted fit_guided(const GuidedProblem& problem, Watch& watch,
                        const std::function<void(const std::string&)>& note) {
  const TransductionOptions& transduction = problem.transduction;
  const Guidable& guidable = guidable_of(problem.task);
  std::optional<LabelConstraints> own;
  if (transduction.labels_as_constraints)
    own = label_constraints(guidable.labels(problem.data), guidable.label_names().size());
  const Knowledge knowledge = own ? std::move(own->knowledge) : knowledge_of(problem, note);
  const std::unique_ptr<AnyGuidedExamples> examples =
      guidable.guided(problem.data, own ? 0 : problem.labelled, knowledge, transduction.rule_features,
                      transduction.guided_settings());
  TransductionData data{.labelled = own ? nullptr : &examples->labelled(),
                        .unlabelled = examples->unlabelled()};
  if (own) data.gamma = &own->gamma, data.start_v = own->target;
  GuidedFitted fitted;
  if (!own) fitted.C1 = labelled_weight(problem.options, transduction, problem.labelled);
  const double C2 = unlabelled_weight(problem.options, transduction, examples->unlabelled().size());
  Transduced found = transduce(data, problem.options, transduction, problem.solver, problem.executor, watch,
                               [&](const TransductionRound& round) { note(round.text() + "\n"); });
  const std::size_t dimension = problem.task.dimension();
  fitted.rule_weights.assign(found.weights.begin() + static_cast<std::ptrdiff_t>(dimension),
                             found.weights.end());
  found.weights.resize(dimension);
  note(found.run.brief() + "\n");

  const Problem asked{.oracle = problem.data.oracle(),
                      .options = problem.options,
                      .solver = problem.solver,
                      .executor = problem.executor};
  fitted.summary = run_summary(problem.task.name(), asked, fitted.C1, found.run);
  fitted.summary["transduction"] = told(problem, fitted.C1, C2, knowledge, fitted.rule_weights, found);
  fitted.path = {fitted.summary};
  fitted.end = watch.stopped().empty() ? found.run.message : watch.stopped();
  fitted.weights = std::move(found.weights);
  return fitted;
}

}  // namespace hinge
