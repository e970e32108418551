#include "hinge/tasks/sequence_class/any_sequence_class.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "hinge/oracle/check_task.h"
#include "hinge/tasks/class_data.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/option_lists.h"
#include "hinge/tasks/sequence_class/frames_reader.h"
#include "hinge/tasks/sequence_class/preparation.h"
#include "hinge/tasks/sequence_class/sequence_class.h"

namespace hinge {
namespace {

struct ReadOptions {
  std::string split;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("split", self.split, any, "read the sequences of this split only, such as train or test (all)");
  }
};

struct ModelOptions {
  int states = 4;
  std::string state_features = "shared";
  int window = 0;
  bool standardise = true;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("states", self.states, between(1, 1000), "hidden states of the chain");
    visit("state_features", self.state_features, one_of({"shared", "class"}),
          "all classes share the states and differ in how they use them, or each has its own");
    visit("window", self.window, between(0, Preparation::kMaxWindow),
          "neighbouring frames on either side that a state looks at");
    visit("standardise", self.standardise, any,
          "shift and scale each channel to mean 0 and variance 1 over the training data");
  }
};

struct PredictOptions {
  bool scores = false;
  bool marginals = false;

  template <class Self, class Visitor>
  static void describe(Self& self, Visitor&& visit) {
    visit("scores", self.scores, any, "after each prediction, the score of every class as class:score");
    visit("marginals", self.marginals, any,
          "after each prediction, the probability of every class as class:probability");
  }
};

using ClassExamples = ClassData<SequenceClassTask>;

class AnySequenceClass final : public AnyTask {
 public:
  std::string name() const override { return "sequence-class"; }
  std::vector<OptionRef> options() override { return all_options(read_, model_); }
  std::vector<OptionRef> read_options() override { return list_options(read_); }
  std::vector<OptionRef> predict_options() override { return list_options(predict_); }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                      const Selection& selection) override {
    validate(model_);
    if (model_.states == 1 && model_.state_features == "shared")
      fail(
          "one state that all classes share tells them apart by nothing: use `state_features` class, or more "
          "`states`.");
    FramesCorpus corpus = read_frames(files, read_.split, 0, selection);
    classes_ = {};
    for (const std::string& name : sorted_names(corpus.names)) classes_.intern(name);
    if (classes_.empty()) fail("no sequence has a label: give some a class in place of '?'.");
    if (classes_.size() == 1)
      fail("every label is '{}', but there is nothing to learn from one class: add sequences of another.",
           classes_.text(0));
    preparation_ = Preparation(corpus.inputs, corpus.inputs.front().channels, model_.standardise,
                               static_cast<std::size_t>(model_.window));
    make_task();
    return adopt(std::move(corpus));
  }

  std::unique_ptr<Data> read(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return adopt(read_frames(files, read_.split, preparation_.channels(), selection));
  }

  nlohmann::json evaluate(const Data& any_data, Weights w, const std::vector<std::size_t>& subset,
                          Executor& executor) const override {
    const ClassExamples& data = own(any_data);
    return measure_classes(
               data, w, subset, executor, decoding_, [](const SequenceClass& y) { return y.value; },
               [](const ClassPath& s) { return s.label; })
        .json(data.names(classes_));
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  void predict(const Data& any_data, Weights w, Executor& executor, OutputFile& out) const override {
    if (predict_.scores && predict_.marginals)
      fail("`scores` and `marginals` are two columns: give one of them.");
    const ClassExamples& data = own(any_data);
    write_examples(data, executor, out, [&](std::size_t i, std::string& text) {
      static thread_local Factored<SequenceClassTask> factored;
      text.append(classes_.text(factored.predict(*task_, data.examples()[i].input, w, decoding_).label));
      if (predict_.marginals) factored.engine().solve(factored.scores(), 1, 1, factored.counts());
      const ClassCounts& counts = factored.counts();
      const Vector& shown = predict_.marginals ? counts.amounts() : counts.values();
      if (predict_.scores || predict_.marginals)
        for (Index c = 0; c < classes_.size(); ++c)
          fmt::format_to(std::back_inserter(text), " {}:{:g}", classes_.text(c), shown[c]);
      text.push_back('\n');
    });
  }

  Index dimension() const override { return task_->dimension(); }

  std::string feature_name(Index weight) const override {
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
    const std::size_t neighbour = row / preparation_.channels();
    const std::string place = preparation_.window() == 0
                                  ? ""
                                  : fmt::format("[{:+}]", static_cast<long long>(neighbour) -
                                                              static_cast<long long>(preparation_.window()));
    return fmt::format("channel {}{} -> {}", row % preparation_.channels() + 1, place,
                       shape.own_states ? state_of(column) : fmt::format("state {}", column + 1));
  }

  CheckReport check(const Data& data, const CheckOptions& options) const override {
    return check_task(*task_, own(data).examples(), options);
  }

  void save(Archive& archive) const override {
    classes_.save(archive, "classes");
    preparation_.save(archive);
    archive.header["sequence_class"] = {{"states", model_.states}, {"state_features", model_.state_features}};
  }

  void load(const Archive& archive) override {
    AnySequenceClass loaded;
    loaded.classes_.load(archive, "classes");
    if (loaded.classes_.empty()) fail("the model has no class: train it again.");
    loaded.preparation_ = Preparation::load(archive);
    const auto& header = archive.header.at("sequence_class");
    loaded.model_.states = whole_number<int>(header, "states");
    header.at("state_features").get_to(loaded.model_.state_features);
    loaded.model_.window = static_cast<int>(loaded.preparation_.window());
    validate(loaded.model_);
    loaded.make_task();
    loaded.read_ = read_;
    loaded.predict_ = predict_;
    loaded.decoding_ = decoding_;
    *this = std::move(loaded);
  }

 private:
  static const ClassExamples& own(const Data& data) {
    assert(dynamic_cast<const ClassExamples*>(&data) != nullptr);
    return static_cast<const ClassExamples&>(data);
  }

  void make_task() {
    const SequenceClassTask::Shape shape{preparation_.columns(), classes_.size(),
                                         static_cast<std::size_t>(model_.states),
                                         model_.state_features == "class"};
    const double weights =
        static_cast<double>(shape.channels) * static_cast<double>(shape.columns()) +
        static_cast<double>(shape.classes * shape.states) * static_cast<double>(shape.states + 1);
    if (weights > kMaxDimension)
      fail("{} channels, {} classes and {} states are more than {} weights: use fewer states.",
           shape.channels, shape.classes, shape.states, kMaxDimension);
    task_ = std::make_shared<SequenceClassTask>(shape);
  }

  std::unique_ptr<Data> adopt(FramesCorpus corpus) const {
    StringTable unseen;
    const std::vector<int> number = class_numbers(corpus.names, classes_, unseen);
    std::vector<Example<SequenceClassTask>> examples(corpus.inputs.size());
    std::size_t unseen_labels = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const int label = corpus.labels[i];
      examples[i].label = {label < 0 ? SequenceClass::kHidden : number[static_cast<std::size_t>(label)],
                           corpus.inputs[i].length()};
      preparation_(corpus.inputs[i]);
      examples[i].input = std::move(corpus.inputs[i]);
      unseen_labels += examples[i].label.value >= static_cast<int>(classes_.size());
    }
    nlohmann::json facts = {{"sequences", examples.size()},
                            {"frames", corpus.frames},
                            {"channels", preparation_.channels()},
                            {"classes", classes_.size()}};
    if (corpus.hidden > 0) facts["sequences without a class"] = corpus.hidden;
    if (unseen_labels > 0) facts["sequences of a class unseen in training"] = unseen_labels;
    return std::make_unique<ClassExamples>(task_, std::move(examples), std::move(facts), std::move(unseen));
  }

  ReadOptions read_;
  ModelOptions model_;
  PredictOptions predict_;
  StringTable classes_;
  Preparation preparation_;
  std::shared_ptr<const SequenceClassTask> task_;
};

}  // namespace

std::unique_ptr<AnyTask> make_sequence_class() { return std::make_unique<AnySequenceClass>(); }

}  // namespace hinge
