#include "hinge/tasks/multilabel/answers.h"

#include "hinge/tasks/class_answers.h"
#include "hinge/tasks/graph_answers.h"

namespace hinge {

ExamplePredictions answer_set(const MultilabelTask& task, const SparseRow& x, Weights w,
                              const Decoding& decoding, Asked::What what) {
  Factored<MultilabelTask>& factored = scratch<Factored<MultilabelTask>, struct MultilabelAnswersFactored>();
  const Assignment s = factored.predict(task, x, w, decoding);
  ExamplePredictions one{{s.begin(), s.end()}, {}};
  if (what == Asked::scores) {
    Vector& best = scratch<Vector, struct MultilabelAnswersMaxima>();
    maxima_of(task, x, w, best);
    for (std::size_t l = 0; l < s.size(); ++l) one.value.push_back(best[2 * l + 1] - best[2 * l]);
  } else if (what == Asked::marginals) {
    factored.predict(task, x, w, Decoding::named("max-marginals"));
    for (std::size_t l = 0; l < s.size(); ++l) one.value.push_back(factored.counts().node(l)[1]);
  }
  return one;
}

void append_set(const StringTable& labels, const ExamplePredictions& answer, std::string& line) {
  const auto name = [&](Index l) { return labels.text(l); };
  const std::size_t begin = line.size();
  for (Index l = 0; l < answer.label.size(); ++l)
    if (answer.label[l] == 1) line.append(line.size() == begin ? "" : ",").append(name(l));
  append_values(answer, name, line);
  line.push_back('\n');
}

}  // namespace hinge
