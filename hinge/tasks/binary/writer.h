// Predictions as text: a line for each row, its class and, where there are scores, its score.
#pragma once

#include "hinge/tasks/binary/schema.h"
#include "hinge/tasks/predictions.h"

namespace hinge {

inline void append_rows(const BinarySchema& schema, const ExamplePredictions& answer, std::string& text) {
  for (std::size_t k = 0; k < answer.label.size(); ++k) {
    text.append(answer.label[k] == 1 ? schema.positive() : schema.negative());
    if (!answer.value.empty()) fmt::format_to(std::back_inserter(text), " {}", answer.value[k]);
    text.push_back('\n');
  }
}

}  // namespace hinge
