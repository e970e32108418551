#include "hinge/tasks/sequence_class/any_sequence_class.h"

#include <nlohmann/json.hpp>

#include "hinge/core/workspace.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/mapped_rows.h"
#include "hinge/tasks/predictions.h"
#include "hinge/tasks/sequence_class/frames_reader.h"
#include "hinge/tasks/sequence_class/schema.h"
#include "hinge/tasks/sequence_class/told_frames.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

using FramesData = RecordData<ClassNames, SequenceClassTask>;

class AnySequenceClass final
    : public SharingAdapter<ToldFrames,
                            Adapter<FramesRecords, FramesData, SequenceClassSchema, SequenceClassOptions>>,
      public Answering {
 public:
  std::string name() const override { return "sequence-class"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }

  FramesRecords read_records(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return read_frames(files, options_.part.split, schema_ ? schema_->preparation().channels() : 0,
                       selection);
  }

  std::unique_ptr<Data> examples_of(FramesRecords records) const override {
    const std::size_t channels = schema_->preparation().channels();
    ClassNames names(schema_->classes(), records.classes);
    std::vector<Example<SequenceClassTask>> examples(records.inputs.size());
    std::size_t frames = 0, hidden = 0, unseen_labels = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      Frames& x = records.inputs[i];
      if (x.channels != channels)
        fail("sequence {} has {} channels, where training had {}.", i, x.channels, channels);
      frames += x.length();
      examples[i].label = {names[records.labels[i]], x.length()};
      schema_->prepare(x);
      examples[i].input = std::move(x);
      examples[i].weight = records.weight(i);
      hidden += examples[i].label.value == SequenceClass::kHidden;
      unseen_labels += examples[i].label.value >= static_cast<int>(schema_->classes().size());
    }
    nlohmann::json facts = {{"sequences", examples.size()},
                            {"frames", frames},
                            {"channels", channels},
                            {"classes", schema_->classes().size()}};
    tell_map(schema_->map(), facts);
    if (hidden > 0) facts["sequences_without_a_class"] = hidden;
    if (unseen_labels > 0) facts["sequences_of_a_class_unseen_in_training"] = unseen_labels;
    return std::make_unique<FramesData>(schema_->task(), std::move(examples), std::move(facts),
                                        std::move(names));
  }

  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  std::vector<std::string> answer_names() const override { return texts_of(schema_->classes()); }
  Predictions predictions(const Data& data, Weights w, const Asked& asked,
                          Executor& executor) const override {
    const std::size_t width = asked.what == Asked::labels ? 0 : schema_->classes().size();
    return predict_examples(data, executor, width, [&](std::size_t i) {
      Factored<SequenceClassTask>& factored =
          scratch<Factored<SequenceClassTask>, struct AnySequenceClassFactored2>();
      const Index label =
          factored.predict(*schema_->task(), own(data).examples()[i].input, w, decoding_).label;
      if (asked.what == Asked::marginals) factored.engine().solve(factored.scores(), 1, 1, factored.counts());
      const ClassCounts& counts = factored.counts();
      const auto& values = asked.what == Asked::marginals ? counts.amounts() : counts.values();
      ExamplePredictions one{{static_cast<int>(label)}, {}};
      if (width > 0) one.value.assign(values.begin(), values.end());
      return one;
    });
  }

 protected:
  MakeCutter cutter() const override { return cut_frames(options_.part.split); }
  void fix(const FramesRecords& all, const FramesRecords& own, Ranks* ranks) override {
    schema_ = std::make_shared<const SequenceClassSchema>(all, options_, FramesOfAll{own.inputs, ranks});
  }

  void refuse_options() const override {
    if (options_.model.states == 1 && options_.model.state_features == "shared")
      fail(
          "one state that all classes share tells them apart by nothing: use `state_features` class, or more "
          "`states`.");
  }

  JsonValue measure(const FramesData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_classes(
               data, w, examples, executor, decoding_, [](const SequenceClass& y) { return y.value; },
               [](const ClassPath& s) { return s.label; })
        .json(data.text().texts());
  }

  void write(const FramesData& data, Weights w, Executor& executor, OutputFile& out) const override {
    const ClassColumns& columns = options_.columns;
    columns.refuse_both();
    write_examples(data, executor, out, [&](std::size_t i, std::string& line) {
      Factored<SequenceClassTask>& factored =
          scratch<Factored<SequenceClassTask>, struct AnySequenceClassFactored>();
      const Index label = factored.predict(*schema_->task(), data.examples()[i].input, w, decoding_).label;
      if (columns.marginals) factored.engine().solve(factored.scores(), 1, 1, factored.counts());
      const ClassCounts& counts = factored.counts();
      columns.append(schema_->classes(), label, columns.marginals ? counts.amounts() : counts.values(), line);
    });
  }
};

}  // namespace

std::unique_ptr<RecordTask<FramesRecords>> make_sequence_class() {
  return std::make_unique<AnySequenceClass>();
}

}  // namespace hinge
