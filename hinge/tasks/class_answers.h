// Answers that name one of several classes, and lines of text made of them: "class" or "class a:0.7 b:0.3".
#pragma once

#include <fmt/format.h>

#include <iterator>

#include "hinge/core/smooth_max.h"
#include "hinge/tasks/class_columns.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

// What the columns need. Throws InputError when both are asked for.
inline Asked asked_by(const ClassColumns& columns) {
  if (columns.scores && columns.marginals)
    fail("`scores` and `marginals` are two columns: give one of them.");
  return {columns.marginals ? Asked::marginals : columns.scores ? Asked::scores : Asked::labels};
}

// The best of these scores of all classes, and what is asked for of each.
inline ExamplePredictions best_class(std::span<const double> scores, const Asked& asked) {
  ExamplePredictions one{{static_cast<int>(arg_max(scores))}, {}};
  if (asked.what != Asked::labels) one.value.assign(scores.begin(), scores.end());
  if (asked.what == Asked::marginals) smooth_max(one.value, 1, one.value);
  return one;
}

// Appends " name(k):value" for each of the values.
template <class Name>
void append_values(const ExamplePredictions& answer, const Name& name, std::string& line) {
  for (std::size_t k = 0; k < answer.value.size(); ++k)
    fmt::format_to(std::back_inserter(line), " {}:{:g}", name(static_cast<Index>(k)), answer.value[k]);
}

// A line: the predicted class, and its values where there are some.
template <class Name>
void append_class(const ExamplePredictions& answer, const Name& name, std::string& line) {
  line.append(name(static_cast<Index>(answer.label[0])));
  append_values(answer, name, line);
  line.push_back('\n');
}

}  // namespace hinge
