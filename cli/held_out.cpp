#include "cli/held_out.h"

#include "cli/carry_over.h"
#include "cli/metric.h"
#include "cli/standard_input.h"
#include "hinge/core/options_json.h"
#include "hinge/core/random.h"

namespace hinge {

DataSource::DataSource(AnyTask& task, std::vector<std::string> files, const FilePlan& plan)
    : task_(task.name()),
      options_(options_to_json(task.options())),
      files_(std::move(files)),
      standard_input_(plan.reads_standard_input()) {
  if (standard_input_) keep_standard_input();
}

DataSource::Training DataSource::train(const Selection& selection, std::optional<std::size_t> variant) const {
  rewind();
  Training made{make_task(task_), nullptr};
  made.task->keep_text(false);
  options_from_json(options_, made.task->options());
  if (variant) made.task->choose(*variant);
  made.data = made.task->read_training(files_, selection);
  return made;
}

DataSource::Training DataSource::later(const AnyTask& trained, const Selection& selection) const {
  rewind();
  Archive archive;
  trained.save(archive);
  Training made{make_task(task_), nullptr};
  made.task->keep_text(false);
  made.task->load(archive);
  for (const OptionRef& option : made.task->read_options())
    options_from_json({{option.name, options_.at(option.name)}}, {option});
  made.data = made.task->read(files_, selection);
  return made;
}

void DataSource::rewind() const {
  if (standard_input_) rewind_standard_input();
}

Folds::Folds(std::size_t examples, std::size_t count, std::uint64_t seed) : fold_of_(examples) {
  std::vector<std::size_t> order(examples);
  for (std::size_t i = 0; i < examples; ++i) order[i] = i;
  Random(seed).shuffle(order);
  for (std::size_t k = 0; k < examples; ++k) fold_of_[order[k]] = k % count;
}

Selection Folds::chosen(std::size_t fold, bool inside) const {
  std::vector<bool> chosen(fold_of_.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (fold_of_[i] == fold) == inside;
  return Selection(std::move(chosen));
}

HeldOut::HeldOut(const DataSource& source, std::optional<std::size_t> variant, const Folds& folds,
                 std::size_t fold, double latent_temperature)
    : training_(source.train(folds.rest(fold), variant)),
      measuring_(source.later(*training_.task, folds.part(fold))) {
  measuring_.task->decode(measuring_.task->trained_decoding(latent_temperature));
}

double HeldOut::share() const {
  const auto rest = static_cast<double>(oracle().size());
  return rest / (rest + static_cast<double>(size()));
}

Vector HeldOut::carried_over(const Model& model) const {
  return model.task ? carry_over(model, *training_.task, oracle().dimension()) : Vector{};
}

nlohmann::json HeldOut::evaluate(Weights w, Executor& executor) const {
  return measuring_.task->evaluate(*measuring_.data, w, {}, executor);
}

void HeldOut::require_metric(const std::string& name, Executor& executor) const {
  hinge::require_metric(*measuring_.task, *measuring_.data, name, executor);
}

}  // namespace hinge
