// What all tasks of records do alike: options are listed, checked, saved and loaded by their own description,
// data is cast back to its type, and what training fixes is kept in one schema, which loading replaces as a
// whole or not at all.
//
// Options is a struct with lists of its parts:
//
//     std::vector<OptionRef> train();     of training
//     std::vector<OptionRef> read();      how later data is read; may be left out
//     std::vector<OptionRef> predict();   what predictions are written
//     std::vector<OptionRef> kept();      those that a model file keeps
//
// Schema has dimension(), feature_name(weight), save(archive) and a constructor Schema(archive, options); how
// it is made from records is the task's own. OwnData is a RecordData.
#pragma once

#include <algorithm>
#include <cassert>
#include <utility>

#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/record_task.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

// Throws InputError about the first option whose value is outside its range.
void check_options(const std::vector<OptionRef>& options);

void save_options(const std::vector<OptionRef>& options, const std::string& key, Archive& archive);
// Sets those options that a model's header has. Models of earlier versions have some of them in groups, and
// perhaps others that are options no more.
void load_options(const nlohmann::json& header, const std::vector<OptionRef>& options);

// The schema as training data or a model fixed it. Throws InputError when it is asked before.
template <class Schema>
class FixedSchema {
 public:
  FixedSchema& operator=(std::shared_ptr<const Schema> schema) {
    schema_ = std::move(schema);
    return *this;
  }
  explicit operator bool() const { return schema_ != nullptr; }
  const Schema& operator*() const {
    if (!schema_) fail("the task knows no data yet: train on some, or load a model, before it is used.");
    return *schema_;
  }
  const Schema* operator->() const { return &**this; }

 private:
  std::shared_ptr<const Schema> schema_;
};

template <class Records, class OwnData, class Schema, class Options>
class Adapter : public RecordTask<Records> {
 public:
  std::vector<OptionRef> options() final { return options_.train(); }
  std::vector<OptionRef> read_options() final {
    if constexpr (requires { options_.read(); })
      return options_.read();
    else
      return {};
  }
  std::vector<OptionRef> predict_options() final { return options_.predict(); }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection = {}) override {
    require_options();                                                  // before files are read
    const auto before = std::exchange(schema_, FixedSchema<Schema>());  // nothing is known of this data
    try {
      return RecordTask<Records>::read_training(files, selection);
    } catch (...) {
      schema_ = before;
      throw;
    }
  }

  JsonValue evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset,
                     Executor& executor) const final {
    return measure(own(data), w, chosen(data, subset), executor);
  }
  void predict(const Data& data, Weights w, Executor& executor, OutputFile& out) const final {
    Options copy = options_;
    check_options(copy.predict());
    write(own(data), w, executor, out);
  }
  CheckReport check(const Data& data, const CheckOptions& options) const final {
    return own(data).check(options);
  }

  Index dimension() const final { return schema_->dimension(); }
  std::string feature_name(Index weight) const final { return schema_->feature_name(weight); }

  void save(Archive& archive) const final {
    Options copy = options_;
    if (const auto kept = copy.kept(); !kept.empty()) save_options(kept, header_key(), archive);
    schema_->save(archive);
  }
  void load(const Archive& archive) final {
    Options loaded = options_;  // those of reading and predicting stay
    if (const auto kept = loaded.kept(); !kept.empty()) load_options(archive.header.at(header_key()), kept);
    schema_ = std::make_shared<const Schema>(archive, loaded);
    options_ = std::move(loaded);
  }

 protected:
  // Metrics of the examples; see AnyTask::evaluate.
  virtual JsonValue measure(const OwnData& data, Weights w, const std::vector<std::size_t>& examples,
                            Executor& executor) const = 0;
  // Predictions in the input's own format.
  virtual void write(const OwnData& data, Weights w, Executor& executor, OutputFile& out) const = 0;
  // Throws InputError about options that contradict each other.
  virtual void refuse_options() const {}
  // Where a model's header keeps the options.
  virtual std::string header_key() const {
    std::string key = this->name();
    std::ranges::replace(key, '-', '_');
    return key;
  }

  void require_options() const {
    Options copy = options_;
    check_options(copy.train());
    refuse_options();
  }
  static const OwnData& own(const Data& data) {
    assert(dynamic_cast<const OwnData*>(&data) != nullptr);
    return static_cast<const OwnData&>(data);
  }

  Options options_;
  FixedSchema<Schema> schema_;
};

}  // namespace hinge
