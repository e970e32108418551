#include "hinge/tasks/parse/measure.h"

#include <nlohmann/json.hpp>

namespace hinge {

JsonValue measure_trees(const ParseSchema& schema, const Decoding& decoding, const ParseData& data, Weights w,
                        const std::vector<std::size_t>& examples, Executor& executor) {
  const ParseTask& task = *schema.task();
  const auto answer = [&](std::size_t i) {
    const auto& [x, y, weight] = data.examples()[i];
    ChartTree derivation;
    Parser::Found found = Parser(task, decoding).best(x, data.text()[i], w, &derivation);
    const double loss =
        derivation.empty() ? task.loss(y, schema.label_of(found.tree).brackets) : task.loss(y, derivation);
    return std::pair(std::move(found), loss);
  };
  ParseMetrics metrics;
  for_answers(examples, executor, answer, [&](std::size_t i, const auto& answered) {
    const auto& [found, loss] = answered;
    metrics.add(data.text()[i], found.tree, loss, found.fell_back(), !found.exact);
  });
  return metrics.json();
}

}  // namespace hinge
