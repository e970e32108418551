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

#include "hinge/core/options_json.h"
#include "hinge/learn.h"
#include "hinge/tasks/task_data.h"

namespace hinge {

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
class OwnTaskAdapter final : public AnyTask {
 public:
  explicit OwnTaskAdapter(OwnTask<T> own) : own_(std::move(own)) {}

  std::string name() const override { return own_.name; }
  std::vector<OptionRef> options() override {
    if constexpr (Described<T>)
      return list_options(settings_);
    else
      return {};
  }
  std::vector<OptionRef> predict_options() override { return {}; }
  std::vector<std::string> decodings() const override {
    std::vector<std::string> served = {"joint"};
    if constexpr (HidingTask<T>) served.push_back("marginal-map");
    if constexpr (FactoredTask<T>) served.push_back("max-marginals");
    return served;
  }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    std::vector<Example<T>> examples = read_examples(files, selection);
    T task = settings_;
    if constexpr (requires { task.prepare(examples); }) task.prepare(examples);
    task_ = std::make_shared<const T>(std::move(task));
    return adopt(std::move(examples));
  }
  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return adopt(read_examples(files, selection));
  }

  nlohmann::json evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const TaskData<T>& mine = own(data);
    const auto examples = chosen(data, subset);
    const auto losses = map_examples(examples, executor, [&](std::size_t i) {
      const auto& [x, y, weight] = mine.examples()[i];
      return task_->loss(y, mine.oracle().predict(x, w, decoding_));
    });
    double sum = 0, right = 0;
    for (const double loss : losses) sum += loss, right += loss == 0;
    const auto n = static_cast<double>(std::max<std::size_t>(examples.size(), 1));
    return {{"examples", examples.size()}, {"loss", sum / n}, {"accuracy", right / n}};
  }
  std::string report(const nlohmann::json& metrics) const override {
    return fmt::format("examples  {}\nmean loss {:.6g}\nwithout loss {:.2f} %\n",
                       metrics["examples"].get<std::size_t>(), metrics["loss"].get<double>(),
                       100 * metrics["accuracy"].get<double>());
  }
  void predict(const Data& data, Weights w, Executor& executor, OutputFile& out) const override {
    const TaskData<T>& mine = own(data);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      const auto& x = mine.examples()[i].input;
      text = own_.write(x, mine.oracle().predict(x, w, decoding_));
      if (!text.ends_with('\n')) text.push_back('\n');
    });
  }

  Index dimension() const override { return task_->dimension(); }
  std::string feature_name(Index feature) const override {
    if constexpr (requires { task_->feature_name(feature); })
      return task_->feature_name(feature);
    else
      return fmt::format("weight {}", feature);
  }
  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, own(data).examples(), options);
  }

  void save(Archive& archive) const override {
    if constexpr (Described<T>) {
      T copy = *task_;
      archive.header["options"] = options_to_json(list_options(copy));
    }
    if constexpr (StoredTask<T>) task_->save(archive);
  }
  void load(const Archive& archive) override {
    T task = settings_;
    if constexpr (Described<T>) options_from_json(archive.header.at("options"), list_options(task));
    if constexpr (StoredTask<T>) task.load(archive);
    settings_ = task;
    task_ = std::make_shared<const T>(std::move(task));
  }

 private:
  static const TaskData<T>& own(const Data& data) { return dynamic_cast<const TaskData<T>&>(data); }

  std::vector<Example<T>> read_examples(const std::vector<std::string>& files,
                                        const Selection& selection) const {
    std::vector<Example<T>> examples;
    std::size_t read = 0;
    for (const std::string& file : files)
      for (Example<T>& example : own_.read(file))
        if (selection(read++)) examples.push_back(std::move(example));
    if (examples.empty()) fail("there is no example in the data: give a file with at least one.");
    return examples;
  }
  std::unique_ptr<Data> adopt(std::vector<Example<T>> examples) const {
    nlohmann::json facts = {{"examples", examples.size()}, {"weights", task_->dimension()}};
    return std::make_unique<TaskData<T>>(task_, std::move(examples), std::move(facts));
  }

  OwnTask<T> own_;
  T settings_ = {};                // with its options as they are set
  std::shared_ptr<const T> task_;  // as data or a model fixed it
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
