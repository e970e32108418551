#include "hinge/tasks/graph/labeller.h"

#include "hinge/core/workspace.h"
#include "hinge/inference/graph_maxima.h"
#include "hinge/oracle/factored.h"

namespace hinge {
namespace {

Factored<GraphTask>& own_engine() {
  Factored<GraphTask>& factored = scratch<Factored<GraphTask>, struct LabellerFactored>();
  return factored;
}

}  // namespace

GraphAnswer GraphLabeller::answer(const Example<GraphTask>& example, Weights w,
                                  const GraphOutput& asked) const {
  Factored<GraphTask>& factored = own_engine();
  GraphScores& scores = factored.scores();
  factored.engine().settings = task_.settings();
  const auto solve = [&](double output_temperature, double latent_temperature) {
    task_.score(example.input, w, scores);
    if (asked.fill) task_.forbid(example.label, scores);
    factored.engine().solve(scores, output_temperature, latent_temperature, factored.counts());
  };
  GraphAnswer answer;
  if (asked.marginals || decoding_.max_marginals) solve(1, 1);
  if (asked.marginals)
    for (std::size_t i = 0; i < example.label.size(); ++i)
      answer.marginals.emplace_back(factored.counts().node(i),
                                    factored.counts().node(i) + scores.graph().states(i));
  if (!decoding_.max_marginals) solve(0, decoding_.latent_temperature);
  const Assignment s =
      decoding_.max_marginals ? factored.counts().most_probable() : factored.counts().structure();
  answer.scored = asked.scores;
  if (asked.scores) answer.score = score_of(example.input, s, w);
  for (std::size_t i = 0; i < s.size(); ++i)
    answer.labels.push_back(schema_.node_kinds[example.input.node_kind[i]].hidden
                                ? std::string_view{}
                                : schema_.labels.text(static_cast<Index>(s[i])));
  return answer;
}

void GraphLabeller::maxima(const GraphInput& x, Weights w, Vector& out, const Labels* given) const {
  Factored<GraphTask>& factored = own_engine();
  factored.engine().settings = task_.settings();
  task_.score(x, w, factored.scores());
  if (given != nullptr) task_.forbid(*given, factored.scores());
  graph_maxima(factored.engine(), factored.scores(), out);
}

BestAssignments GraphLabeller::best(const GraphInput& x, Weights w, std::size_t k,
                                    const Labels* given) const {
  Factored<GraphTask>& factored = own_engine();
  factored.engine().settings = task_.settings();
  task_.score(x, w, factored.scores());
  if (given != nullptr) task_.forbid(*given, factored.scores());
  return best_assignments(factored.engine(), factored.scores(), k);
}

// Of the labels in s: T_τ over the nodes that are hidden for good.
double GraphLabeller::score_of(const GraphInput& x, const Assignment& s, Weights w) const {
  Factored<GraphTask>& factored = own_engine();
  task_.score(x, w, factored.scores());
  Labels outputs(s.begin(), s.end());
  for (std::size_t i = 0; i < s.size(); ++i)
    if (schema_.node_kinds[x.node_kind[i]].hidden) outputs[i] = kUnknown;
  const double temperature = decoding_.latent_temperature;
  if (temperature == 0 || fully_known(outputs)) return factored.scores().of(s);
  task_.forbid(outputs, factored.scores());
  return factored.engine().solve(factored.scores(), temperature, temperature, factored.counts());
}

}  // namespace hinge
