// A part of the data held out. What is learned from the rest and measured on the part is what `hinge train`
// on a file of the rest and `hinge evaluate` on a file of the part give, bit for bit: nothing is read of the
// part before the rest has fixed dictionaries, scales and weights.
#pragma once

#include <optional>

#include "cli/files.h"
#include "hinge/model/model.h"

namespace hinge {

// Data that is read several times, by tasks that are made anew with the same options.
class DataSource {
 public:
  // `task` has its options set. Keeps standard input where the plan reads that.
  DataSource(AnyTask& task, std::vector<std::string> files, const FilePlan& plan);

  const std::string& task() const { return task_; }

  struct Training {
    std::unique_ptr<AnyTask> task;
    std::unique_ptr<Data> data;
  };
  // `variant`: see AnyTask::variants.
  Training train(const Selection& selection, std::optional<std::size_t> variant) const;
  // As `evaluate` reads: the task as it comes out of a model file, and its flags of reading.
  Training later(const AnyTask& trained, const Selection& selection) const;

 private:
  void rewind() const;

  std::string task_;
  nlohmann::json options_;
  std::vector<std::string> files_;
  bool standard_input_;
};

// Every example is in one of `count` folds, at random; their sizes differ by one at most.
class Folds {
 public:
  Folds(std::size_t examples, std::size_t count, std::uint64_t seed);

  Selection part(std::size_t fold) const { return chosen(fold, true); }
  Selection rest(std::size_t fold) const { return chosen(fold, false); }

 private:
  Selection chosen(std::size_t fold, bool inside) const;
  std::vector<std::size_t> fold_of_;
};

class HeldOut {
 public:
  // Predictions follow training at that temperature of what is hidden.
  HeldOut(const DataSource& source, std::optional<std::size_t> variant, const Folds& folds, std::size_t fold,
          double latent_temperature);

  const Oracle& oracle() const { return training_.data->oracle(); }  // of the rest
  std::size_t size() const { return measuring_.data->size(); }       // of the part
  // rest / all: C times that weighs each loss of the rest as C does each of all the data.
  double share() const;
  Vector carried_over(const Model& model) const;  // to the features of the rest; empty without a model
  nlohmann::json evaluate(Weights w, Executor& executor) const;  // on the part
  // Throws InputError where the part has no such metric.
  void require_metric(const std::string& name, Executor& executor) const;

 private:
  DataSource::Training training_, measuring_;
};

}  // namespace hinge
