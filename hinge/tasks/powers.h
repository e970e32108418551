// What only some tasks can do: an adapter that can derives from the class beside AnyTask, and whoever wants
// it asks the task for it.
//
//     if (const auto* finder = power<SiteFinder>(task)) show(finder->profile(data, w, executor));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hinge/tasks/any_task.h"
#include "hinge/tasks/profile.h"

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

// Sees when something is wrong with weights that were just learned.
class Cautious {
 public:
  virtual ~Cautious() = default;
  // A sentence about it; empty where all is well.
  virtual std::string caution(const Data& data, Weights w, Executor& executor) const = 0;
};

}  // namespace hinge
