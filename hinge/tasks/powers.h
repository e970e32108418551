// What only some tasks can do: an adapter that can derives from the class beside AnyTask, and whoever wants
// it asks the task for it.
//
//     if (const auto* finder = power<SiteFinder>(task)) show(finder->profile(data, w, executor));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hinge/inference/constraints.h"
#include "hinge/oracle/guided_examples.h"
#include "hinge/tasks/any_task.h"
#include "hinge/tasks/labels.h"
#include "hinge/tasks/profile.h"
#include "hinge/tasks/token_texts.h"
#include "hinge/tasks/views.h"

namespace hinge {

// Null where the task does not have it.
template <class Power, class Task>
auto* power(Task& task) {
  using Wanted = std::conditional_t<std::is_const_v<Task>, const Power, Power>;
  return dynamic_cast<Wanted*>(&task);
}

// Options of its own name files of examples, beside or instead of `data`.
class NamesData {
 public:
  virtual ~NamesData() = default;
  virtual std::vector<OptionRef> data_options() = 0;
};

// Reads files beside those that it is given: pictures of labels.
class ReadsBeside {
 public:
  virtual ~ReadsBeside() = default;
  virtual std::vector<std::string> files_beside(const std::vector<std::string>& files) const = 0;
};

// Its options may hold several settings for `cross-validate` to compare.
class HasVariants {
 public:
  virtual ~HasVariants() = default;
  // A name for each; none where the options say one thing only.
  virtual std::vector<std::string> variants() const = 0;
  virtual void choose(std::size_t variant) = 0;  // the one that read_training is to take
};

// Its examples hold many rows, of which a Selection chooses.
class SelectsRows {
 public:
  virtual ~SelectsRows() = default;
  // How many there are to choose from; nothing where the data names its examples, and these are chosen.
  virtual std::optional<std::size_t> rows(const Data& data) const = 0;
};

// Its examples come in groups, such as pairs of one family, that folds must not split.
class HasGroups {
 public:
  virtual ~HasGroups() = default;
  virtual std::vector<std::size_t> groups(
      const Data& data) const = 0;  // the number of each example's, from 0 on
};

// Shows an example with its answer, for a picture.
class HasViews {
 public:
  virtual ~HasViews() = default;
  virtual View view(const Data& data, std::size_t example, Weights w) const = 0;
};

// Writes files of another format in the task's own, in JSON Lines.
class Converter {
 public:
  virtual ~Converter() = default;
  virtual void convert(const std::vector<std::string>& files, OutputFile& out) const = 0;
};

// Has weights that people look at all together.
class WeightMatrix {
 public:
  virtual ~WeightMatrix() = default;
  virtual std::string matrix(Weights w) const = 0;  // as text
};

// The weights find sites in data: its letters there are a profile.
class SiteFinder {
 public:
  virtual ~SiteFinder() = default;
  virtual Profile profile(const Data& data, Weights w, Executor& executor) const = 0;
};

// Labels positions, about which people have rules (hinge/rules).
class HasTokens {
 public:
  virtual ~HasTokens() = default;
  // Whether data that is read from now on keeps what rules look at; it does not at first.
  virtual void keep_tokens(bool keep) = 0;
  // Labels that there are even if training data that is read from now on has none of them.
  virtual void add_labels(std::vector<std::string> names) = 0;
  virtual std::vector<std::string> label_names() const = 0;  // after training data or a model was read
  virtual const TokenTexts& tokens(const Data& data) const = 0;
  virtual const std::vector<Labels>& labels(const Data& data) const = 0;  // as the data has them
  // From now on predictions keep to what is known of the examples of the data that is predicted: each feature
  // that a labelling lacks takes the cost of its rule from the score, an infinite one excludes. Without
  // knowledge nothing guides any more. Throws InputError where the task has no inference for it.
  virtual void guide(std::shared_ptr<const Knowledge> knowledge, std::vector<double> costs) = 0;
};

// Labels positions, and learns from unlabelled examples and prior knowledge of them too (training/transduction.h).
class Guidable : public HasTokens {
 public:
  // Training data: labelled files, then unlabelled ones, whose labels are not looked at. `labelled` becomes how
  // many examples the first have.
  virtual std::unique_ptr<Data> read_both(const std::vector<std::string>& files,
                                          const std::vector<std::string>& unlabelled,
                                          std::size_t& labelled) = 0;
  // The examples with what is known of each of them: the first `labelled` ones have labels, of the others only
  // the inputs are used. All must outlive it. Throws InputError where the task has no inference for it.
  virtual std::unique_ptr<AnyGuidedExamples> guided(const Data& data, std::size_t labelled,
                                                    const Knowledge& knowledge, bool rule_features,
                                                    const GuidedSettings& settings) const = 0;
};

// Sees when something is wrong with weights that were just learned.
class Cautious {
 public:
  virtual ~Cautious() = default;
  // A sentence about it; empty where all is well.
  virtual std::string caution(const Data& data, Weights w, Executor& executor) const = 0;
};

}  // namespace hinge
