// A task whose data is records: what a file says, in memory, before anything is numbered or scaled by what
// other data holds. Files and programs meet here, so that both give the same bits.
//
//     MulticlassRecords records;
//     records.add({{1, 7}, {1.0f, 2.0f}}, "cat");
//     records.add({{1}, {0.5f}}, "dog");
//     auto task = make_multiclass();
//     const auto data = task->train_on(records);
//     const Model model = fit(std::move(task), *data, {.method = "crf"}, executor);
//
// A label that is not known is std::nullopt, or whatever the records say of it; the text '?' is a label like
// any other in memory.
#pragma once

#include "hinge/tasks/any_task.h"

namespace hinge {

template <class RecordsOfTask>
class RecordTask : public AnyTask {
 public:
  using Records = RecordsOfTask;

  // What the files say of the selected examples.
  virtual Records read_records(const std::vector<std::string>& files,
                               const Selection& selection = {}) const = 0;
  // Makes the schema (dictionaries, scales, sets of labels) from the records, and examples of both.
  virtual std::unique_ptr<Data> train_on(Records records) = 0;
  // Makes examples with the schema that there is.
  virtual std::unique_ptr<Data> examples_of(Records records) const = 0;

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection = {}) override {
    return train_on(read_records(files, selection));
  }
  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection = {}) const override {
    return examples_of(read_records(files, selection));
  }
};

// Records of a task that numbers names while it reads: what fills its builder, and which examples are meant.
template <class Builder>
struct RecordSource {
  std::function<void(Builder&)> fill;
  Selection selection = {};
};

}  // namespace hinge
