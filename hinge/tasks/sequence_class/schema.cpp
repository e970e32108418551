#include "hinge/tasks/sequence_class/schema.h"

#include <algorithm>

#include "hinge/tasks/mapped_rows.h"

namespace hinge {
namespace {

SparseRow row_of(const Frames& x, std::size_t t) {
  SparseRow row;
  for (std::size_t d = 0; d < x.channels; ++d) {
    if (x.frame(t)[d] == 0) continue;
    row.index.push_back(static_cast<Index>(d));
    row.value.push_back(x.frame(t)[d]);
  }
  return row;
}

}  // namespace

SequenceClassSchema::SequenceClassSchema(const FramesRecords& records, const SequenceClassOptions& all,
                                         const FramesOfAll& frames) {
  const SequenceClassModel& options = all.model;
  if (records.classes.empty()) fail("no sequence has a label: give some a class in place of '?'.");
  classes_ = training_classes(records.classes, "sequences");
  preparation_ = Preparation(frames, records.inputs.front().channels, options.standardise,
                             static_cast<std::size_t>(options.window));
  if (all.kernel.any()) make_map(records, all.kernel);
  make_task(options);
}

SequenceClassSchema::SequenceClassSchema(const Archive& archive, const SequenceClassOptions& options) {
  classes_.load(archive, "classes");
  if (classes_.empty()) fail("the model has no class: train it again.");
  preparation_ = Preparation::load(archive);
  if (archive.arrays.contains("kernel"))
    map_ = std::make_shared<const RowMap>(archive, preparation_.columns());
  make_task(options.model);
}

void SequenceClassSchema::save(Archive& archive) const {
  classes_.save(archive, "classes");
  preparation_.save(archive);
  if (map_) map_->save(archive);
}

void SequenceClassSchema::make_map(const FramesRecords& records, const KernelOptions& options) {
  std::vector<SparseRow> rows;
  for (Frames x : records.inputs) {
    preparation_(x);
    for (std::size_t t = 0; t < x.length(); ++t) rows.push_back(row_of(x, t));
  }
  map_ = make_row_map(rows, preparation_.columns(), options);
}

void SequenceClassSchema::prepare(Frames& x) const {
  preparation_(x);
  if (!map_) return;
  Frames made{map_->size(), std::vector<float>(x.length() * map_->size(), 0.0f)};
  for (std::size_t t = 0; t < x.length(); ++t) {
    const SparseRow row = mapped(*map_, row_of(x, t));
    for (std::size_t k = 0; k < row.index.size(); ++k)
      made.values[t * made.channels + row.index[k]] = row.value[k];
  }
  x = std::move(made);
}

void SequenceClassSchema::make_task(const SequenceClassModel& options) {
  const SequenceClassTask::Shape shape{map_ ? map_->size() : preparation_.columns(), classes_.size(),
                                       static_cast<std::size_t>(options.states),
                                       options.state_features == "class"};
  const double weights =
      static_cast<double>(shape.channels) * static_cast<double>(shape.columns()) +
      static_cast<double>(shape.classes * shape.states) * static_cast<double>(shape.states + 1);
  if (weights > kMaxDimension)
    fail("{} channels, {} classes and {} states are more than {} weights: use fewer states.", shape.channels,
         shape.classes, shape.states, kMaxDimension);
  task_ = std::make_shared<SequenceClassTask>(shape);
}

std::string SequenceClassSchema::feature_name(Index weight) const {
  const SequenceClassTask::Shape& shape = task_->shape();
  const std::size_t H = shape.states;
  const auto state_of = [&](std::size_t k) {  // of class k / H
    return fmt::format("{}/{}", classes_.text(static_cast<Index>(k / H)), k % H + 1);
  };
  if (weight >= task_->transitions()) {
    const std::size_t pair = weight - task_->transitions();
    return fmt::format("{} , {}", state_of(pair / H), state_of(pair / H / H * H + pair % H));
  }
  if (weight >= task_->class_states()) return state_of(weight - task_->class_states());
  const std::size_t row = weight / shape.columns(), column = weight % shape.columns();
  const std::string state = shape.own_states ? state_of(column) : fmt::format("state {}", column + 1);
  if (map_) return fmt::format("kernel {} -> {}", row + 1, state);
  const std::size_t neighbour = row / preparation_.channels();
  const std::string place = preparation_.window() == 0
                                ? ""
                                : fmt::format("[{:+}]", static_cast<long long>(neighbour) -
                                                            static_cast<long long>(preparation_.window()));
  return fmt::format("channel {}{} -> {}", row % preparation_.channels() + 1, place, state);
}

}  // namespace hinge
