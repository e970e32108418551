#include "hinge/training/carry_over.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "hinge/core/options_json.h"
#include "hinge/tasks/carried_rows.h"

namespace hinge {

void take_options(const Model& model, AnyTask& task, const std::function<bool(const std::string&)>& given) {
  if (model.task->name() != task.name())
    fail("`init` is a model of task {}, not of {}.", model.task->name(), task.name());
  if (!model.options.contains("task")) return;
  for (const auto& [name, value] : model.options["task"].items())
    if (!given(name)) options_from_json({{name, value}}, task.options());
}

namespace {

// Arrays of a kernel's map, whose features have numbers for names.
std::map<std::string, Archive::Array> kernel_of(const Archive& archive) {
  std::map<std::string, Archive::Array> found;
  for (const auto& [name, array] : archive.arrays)
    if (name.starts_with("kernel")) found.emplace(name, array);
  return found;
}

}  // namespace

Vector carry_over(const Model& model, const AnyTask& task, std::size_t dimension) {
  Archive before, now;
  model.task->save(before);
  task.save(now);
  if (auto weights = weights_of_rows(before, model.weights, now)) return *std::move(weights);
  if (kernel_of(before) != kernel_of(now))
    fail(
        "`init` is a model of other features: what a `kernel` makes of rows depends on all of them, on what "
        "they are "
        "compared by, and on how. Leave out `init`, or give the model's data and options.");
  if (before.arrays == now.arrays && model.weights.size() == dimension) return model.weights;

  std::unordered_map<std::string, double> by_name;
  for (std::size_t j = 0; j < model.weights.size(); ++j)
    if (model.weights[j] != 0) by_name[model.task->feature_name(static_cast<Index>(j))] = model.weights[j];
  Vector weights(dimension, 0.0);
  for (std::size_t j = 0; j < dimension; ++j)
    if (const auto found = by_name.find(task.feature_name(static_cast<Index>(j))); found != by_name.end())
      weights[j] = found->second;
  return weights;
}

}  // namespace hinge
