#include "cli/data_source.h"

#include <mutex>
#include <nlohmann/json.hpp>

#include "cli/standard_input.h"
#include "hinge/core/options_json.h"
#include "hinge/tasks/powers.h"
#include "hinge/training/carry_over.h"
#include "hinge/training/metric.h"

namespace hinge {
namespace {

// Where the data is one example of rows, how many there are.
std::optional<std::size_t> rows_of(const AnyTask& task, const Data& data) {
  const auto* selects = power<SelectsRows>(task);
  return selects != nullptr ? selects->rows(data) : std::nullopt;
}

class HeldOutFiles final : public HeldOut {
 public:
  HeldOutFiles(DataSource::Training rest, DataSource::Training part, const Model& init)
      : rest_(std::move(rest)), part_(std::move(part)), init_(init) {}

  const Oracle& oracle() const override { return rest_.data->oracle(); }
  std::size_t size() const override { return rows_of(*part_.task, *part_.data).value_or(part_.data->size()); }
  // One example of rows counts each of them as C says, however many there are.
  double share() const override { return rows_of(*rest_.task, *rest_.data) ? 1 : HeldOut::share(); }
  Vector init() const override {
    return init_.task ? carry_over(init_, *rest_.task, oracle().dimension()) : Vector{};
  }
  JsonValue evaluate(Weights w, Executor& executor) const override {
    return part_.task->evaluate(*part_.data, w, {}, executor);
  }

 private:
  DataSource::Training rest_, part_;
  const Model& init_;
};

}  // namespace

DataSource::DataSource(AnyTask& task, std::vector<std::string> files, const FilePlan& plan)
    : task_(task.name()),
      options_(options_to_json(task.options())),
      files_(std::move(files)),
      standard_input_(plan.reads_standard_input()) {
  if (standard_input_) keep_standard_input();
}

DataSource::Training DataSource::train(const Selection& selection, std::optional<std::size_t> variant,
                                       Executor* reading) const {
  rewind();
  Training made{make_task(task_), nullptr};
  made.task->keep_text(false);
  options_from_json(options_, made.task->options());
  if (variant) power<HasVariants>(*made.task)->choose(*variant);
  made.task->read_with(reading);
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

HoldOut DataSource::hold_out(std::optional<std::size_t> variant, double latent_temperature, const Model& init,
                             std::string metric, Executor& executor) const {
  const auto one_reader =
      standard_input_ ? std::make_shared<std::mutex>() : nullptr;  // folds may be read at once
  return [=, this, &init, &executor](const Selection& rest, const Selection& part) {
    std::unique_lock<std::mutex> lock;
    if (one_reader) lock = std::unique_lock(*one_reader);
    Training learned = train(rest, variant);
    Training measured = later(*learned.task, part);
    if (lock) lock.unlock();
    measured.task->decode(measured.task->trained_decoding(latent_temperature));
    require_metric(*measured.task, *measured.data, metric, executor);
    return std::make_unique<HeldOutFiles>(std::move(learned), std::move(measured), init);
  };
}

void DataSource::rewind() const {
  if (standard_input_) rewind_standard_input();
}

FoldPlan parts_of(const AnyTask& task, const Data& data) {
  FoldPlan plan{.examples = rows_of(task, data).value_or(data.size())};
  if (const auto* grouped = power<HasGroups>(task)) plan.groups = grouped->groups(data);
  return plan;
}

void require_metric(const AnyTask& task, const Data& data, const std::string& name, Executor& executor) {
  metric(task.evaluate(data, Vector(task.dimension()), {}, executor), name);
}

}  // namespace hinge
