// A task of your own for the command line: with a reader and a writer it has train, predict, evaluate,
// inspect, cross-validate, check and model files like those that are built in.
//
//     hinge::register_task<EventTask>({.name = "event",
//                                      .summary = "the interval of a recording in which something happens",
//                                      .read = read_recordings, .write = write_interval});
//
// The class may add what else it has:
//
//     static void describe(self, visit)     options of its own, which become flags (core/options.h)
//     void prepare(examples)                what training data fixes, such as a dictionary
//     save(archive), load(archive)          that state, in model files
//     std::string feature_name(Index)       names of weights, for inspect
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hinge/learn.h"
#include "hinge/tasks/adapter.h"

namespace hinge {

namespace own {

// The parts that do not depend on the task's type.
JsonValue facts(std::size_t examples, Index weights);
JsonValue metrics(std::size_t examples, double sum_of_losses, double without_loss);
std::string report(const nlohmann::json& metrics);

}  // namespace own

template <class T>
struct OwnTask {
  std::string name;
  std::string summary = {};
  std::string example = {};  // a command line for --help
  // The examples of a file, which may be "-" or end in .gz: hinge::LineReader opens both.
  std::function<std::vector<Example<T>>(const std::string& file)> read = {};
  // What `predict` writes for one example; a line end is added where it has none.
  std::function<std::string(const typename T::Input& x, const typename T::Structure& s)> write = {};
};

template <class T>
struct OwnOptions {
  T settings = {};  // the task with its options as they are set

  std::vector<OptionRef> train() {
    if constexpr (Described<T>)
      return list_options(settings);
    else
      return {};
  }
  std::vector<OptionRef> predict() { return {}; }
  std::vector<OptionRef> kept() { return train(); }
};

// The task as data or a model fixed it.
template <class T>
struct OwnSchema {
  std::shared_ptr<const T> task;

  explicit OwnSchema(T made) : task(std::make_shared<const T>(std::move(made))) {}
  OwnSchema(const Archive& archive, const OwnOptions<T>& options) {
    T made = options.settings;
    if constexpr (StoredTask<T>) made.load(archive);
    task = std::make_shared<const T>(std::move(made));
  }
  void save([[maybe_unused]] Archive& archive) const {
    if constexpr (StoredTask<T>) task->save(archive);
  }
  Index dimension() const { return task->dimension(); }
  std::string feature_name(Index feature) const {
    if constexpr (requires { task->feature_name(feature); })
      return task->feature_name(feature);
    else
      return fmt::format("weight {}", feature);
  }
};

template <class T>
class OwnTaskAdapter final
    : public Adapter<std::vector<Example<T>>, RecordData<NoText, T>, OwnSchema<T>, OwnOptions<T>> {
 public:
  using Records = std::vector<Example<T>>;
  using OwnData = RecordData<NoText, T>;

  explicit OwnTaskAdapter(OwnTask<T> own) : own_(std::move(own)) {}

  std::string name() const override { return own_.name; }
  std::vector<std::string> decodings() const override {
    std::vector<std::string> served = {"joint"};
    if constexpr (HidingTask<T>) served.push_back("marginal-map");
    if constexpr (FactoredTask<T>) served.push_back("max-marginals");
    return served;
  }

  Records read_records(const std::vector<std::string>& files, const Selection& selection) const override {
    Records examples;
    std::size_t read = 0;
    for (const std::string& file : files)
      for (Example<T>& example : own_.read(file))
        if (selection(read++)) examples.push_back(std::move(example));
    if (examples.empty()) fail("there is no example in the data: give a file with at least one.");
    return examples;
  }
  std::unique_ptr<Data> train_on(Records examples) override {
    this->require_options();
    T task = this->options_.settings;
    if constexpr (requires { task.prepare(examples); }) task.prepare(examples);
    this->schema_ = std::make_shared<const OwnSchema<T>>(std::move(task));
    return examples_of(std::move(examples));
  }
  std::unique_ptr<Data> examples_of(Records examples) const override {
    JsonValue facts = own::facts(examples.size(), this->dimension());
    return std::make_unique<OwnData>(this->schema_->task, std::move(examples), std::move(facts));
  }

  std::string report(const nlohmann::json& metrics) const override { return own::report(metrics); }

 protected:
  std::string header_key() const override { return "options"; }

  JsonValue measure(const OwnData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    double sum = 0, right = 0;
    data.visit([&](const TaskData<T>& of) {
      const auto loss = [&](std::size_t i) {
        const auto& [x, y, weight] = of.examples()[i];
        return of.task().loss(y, of.oracle().predict(x, w, this->decoding_));
      };
      for_answers(examples, executor, loss, [&](std::size_t, double l) { sum += l, right += l == 0; });
    });
    return own::metrics(examples.size(), sum, right);
  }
  void write(const OwnData& data, Weights w, Executor& executor, OutputFile& out) const override {
    data.visit([&](const TaskData<T>& of) {
      write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
        const auto& x = of.examples()[i].input;
        text = own_.write(x, of.oracle().predict(x, w, this->decoding_));
        if (!text.ends_with('\n')) text.push_back('\n');
      });
    });
  }

 private:
  OwnTask<T> own_;
};

template <class T>
void register_task(OwnTask<T> own) {
  require_task<T>();
  TaskKind kind{own.name, own.summary, own.example,
                [own] { return std::make_unique<OwnTaskAdapter<T>>(own); }};
  if (kind.example.empty())
    kind.example = fmt::format("hinge train {0} --data train.txt --model {0}.model", own.name);
  register_task(std::move(kind));
}

}  // namespace hinge
