#include "hinge/tasks/sequence_class/any_sequence_class.h"

#include <nlohmann/json.hpp>

#include "hinge/tasks/answering_adapter.h"
#include "hinge/tasks/class_answers.h"
#include "hinge/tasks/class_metrics.h"
#include "hinge/tasks/sequence_class/examples.h"
#include "hinge/tasks/sequence_class/frames_reader.h"
#include "hinge/tasks/sequence_class/told_frames.h"
#include "hinge/tasks/sharing_adapter.h"

namespace hinge {
namespace {

class AnySequenceClass final
    : public SharingAdapter<ToldFrames, AnsweringAdapter<FramesRecords, FramesData, SequenceClassSchema,
                                                         SequenceClassOptions>> {
 public:
  std::string name() const override { return "sequence-class"; }
  std::vector<std::string> decodings() const override { return Decoding::names(); }
  std::vector<std::string> answer_names() const override { return texts_of(schema_->classes()); }
  std::string report(const nlohmann::json& metrics) const override { return class_report(metrics); }

  FramesRecords read_records(const std::vector<std::string>& files,
                             const Selection& selection) const override {
    return read_frames(files, options_.part.split, schema_ ? schema_->preparation().channels() : 0,
                       selection);
  }
  std::unique_ptr<Data> examples_of(FramesRecords records) const override {
    return make_examples(*schema_, std::move(records));
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

  ExamplePredictions answer(const FramesData& data, std::size_t i, Weights w,
                            const Asked& asked) const override {
    Factored<SequenceClassTask>& factored =
        scratch<Factored<SequenceClassTask>, struct AnySequenceClassFactored>();
    const Index label = factored.predict(*schema_->task(), data.examples()[i].input, w, decoding_).label;
    if (asked.what == Asked::marginals) factored.engine().solve(factored.scores(), 1, 1, factored.counts());
    const ClassCounts& counts = factored.counts();
    const auto& values = asked.what == Asked::marginals ? counts.amounts() : counts.values();
    ExamplePredictions one{{static_cast<int>(label)}, {}};
    if (asked.what != Asked::labels) one.value.assign(values.begin(), values.end());
    return one;
  }
  std::size_t values(Asked::What) const override { return schema_->classes().size(); }
  Asked written() const override { return asked_by(options_.columns); }
  void append(const FramesData&, std::size_t, const ExamplePredictions& answer,
              std::string& line) const override {
    append_class(
        answer, [&](Index c) { return schema_->classes().text(c); }, line);
  }

  JsonValue measure(const FramesData& data, Weights w, const std::vector<std::size_t>& examples,
                    Executor& executor) const override {
    return measure_classes(
               data, w, examples, executor, decoding_, [](const SequenceClass& y) { return y.value; },
               [](const ClassPath& s) { return s.label; })
        .json(data.text().texts());
  }
};

}  // namespace

std::unique_ptr<RecordTask<FramesRecords>> make_sequence_class() {
  return std::make_unique<AnySequenceClass>();
}

}  // namespace hinge
