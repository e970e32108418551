// What a task learns from besides labels: labelled examples and unlabelled inputs, with what is known of both.
#pragma once

#include <optional>

#include "hinge/oracle/unlabelled.h"

namespace hinge {

// The same without the task's types.
class AnyGuidedExamples {
 public:
  virtual ~AnyGuidedExamples() = default;
  virtual const Oracle& labelled() const = 0;
  virtual const Unlabelled& unlabelled() const = 0;
};

// Refers to all it is made of.
template <GuidableTask T>
class GuidedExamples final : public AnyGuidedExamples {
 public:
  // knowledge.examples: those of the labelled, then those of the unlabelled.
  GuidedExamples(const T& task, std::span<const Example<T>> labelled,
                 std::span<const typename T::Input* const> unlabelled, const Knowledge& knowledge,
                 bool rule_features, GuidedSettings settings = {})
      : task_(task, knowledge, rule_features, settings),
        unlabelled_(task_, inputs(labelled.size(), unlabelled, knowledge)) {
    for (std::size_t i = 0; i < labelled.size(); ++i)
      labelled_.push_back(
          {{&labelled[i].input, &knowledge.examples[i]}, labelled[i].label, labelled[i].weight});
    oracle_.emplace(task_, std::span<const Example<GuidedTask<T>>>(labelled_));
  }
  // The first so many of the examples are labelled; of the others only the inputs are used.
  GuidedExamples(const T& task, std::span<const Example<T>> examples, std::size_t labelled,
                 const Knowledge& knowledge, bool rule_features, const GuidedSettings& settings)
      : GuidedExamples(task, examples.first(labelled), inputs_of(examples.subspan(labelled)), knowledge,
                       rule_features, settings) {}
  GuidedExamples(const GuidedExamples&) = delete;
  GuidedExamples& operator=(const GuidedExamples&) = delete;

  const GuidedTask<T>& task() const { return task_; }
  const Oracle& labelled() const override { return *oracle_; }
  const Unlabelled& unlabelled() const override { return unlabelled_; }

 private:
  static std::vector<const typename T::Input*> inputs_of(std::span<const Example<T>> examples) {
    std::vector<const typename T::Input*> inputs;
    for (const auto& example : examples) inputs.push_back(&example.input);
    return inputs;
  }
  static std::vector<GuidedInput<T>> inputs(std::size_t first,
                                            std::span<const typename T::Input* const> unlabelled,
                                            const Knowledge& knowledge) {
    if (knowledge.examples.size() != first + unlabelled.size())
      fail("prior knowledge is about {} examples, but there are {} labelled and {} unlabelled ones.",
           knowledge.examples.size(), first, unlabelled.size());
    std::vector<GuidedInput<T>> made;
    for (std::size_t j = 0; j < unlabelled.size(); ++j) {
      const Constraints& features = knowledge.examples[first + j];
      if (GuidedTask<T>::positions_only && (!features.pairs.empty() || !features.wholes.empty()))
        fail("this task serves rules about single positions, not about neighbours or whole examples.");
      made.push_back({unlabelled[j], &features});
    }
    return made;
  }

  GuidedTask<T> task_;
  std::vector<Example<GuidedTask<T>>> labelled_;
  UnlabelledOf<T> unlabelled_;
  std::optional<TaskOracle<GuidedTask<T>>> oracle_;
};

}  // namespace hinge
