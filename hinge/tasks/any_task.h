// A task without its types: what the command line and the bindings need of any of them. What only some tasks
// can do is in powers.h; tasks that take records from memory are in record_task.h.
//
// Life of one: options() are set, read_training() reads data and fixes dictionaries and dimension, a solver
// minimises over data.oracle(); save() puts all but the weights into an archive, load() takes it back.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hinge/core/archive.h"
#include "hinge/core/executor.h"
#include "hinge/core/options.h"
#include "hinge/core/output_file.h"
#include "hinge/oracle/check_oracle.h"
#include "hinge/oracle/decoding.h"
#include "hinge/oracle/oracle.h"
#include "hinge/tasks/selection.h"

namespace hinge {

// Examples as some task has read them.
class Data {
 public:
  virtual ~Data() = default;
  virtual const Oracle& oracle() const = 0;
  std::size_t size() const { return oracle().size(); }
  // What a person should know of the file: sizes, unknown features and labels, warnings. Keys are words,
  // values numbers or strings.
  virtual JsonValue facts() const = 0;
};

class AnyTask {
 public:
  virtual ~AnyTask() = default;

  virtual std::string name() const = 0;
  virtual std::vector<OptionRef> options() = 0;                 // of `train`
  virtual std::vector<OptionRef> read_options() { return {}; }  // of `predict` and `evaluate`: how to read
  virtual std::vector<OptionRef> predict_options() = 0;         // of `predict`: what to write

  // Reads the selected examples. Training data builds the dictionaries; later data is read with them, and
  // what they lack is counted.
  virtual std::unique_ptr<Data> read_training(const std::vector<std::string>& files,
                                              const Selection& selection = {}) = 0;
  virtual std::unique_ptr<Data> read(const std::vector<std::string>& files,
                                     const Selection& selection = {}) const = 0;

  // Metrics over the chosen examples (all when empty): "loss" (mean per example) and "accuracy" always; the
  // rest is the task's. `report` renders them for people.
  virtual JsonValue evaluate(const Data& data, Weights w, const std::vector<std::size_t>& subset,
                             Executor& executor) const = 0;
  virtual std::string report(const nlohmann::json& metrics) const = 0;

  // Predictions in the input's own format, in input order.
  virtual void predict(const Data& data, Weights w, Executor& executor, OutputFile& out) const = 0;

  // The decodings that it serves with its options as they are, by name; joint is always among them.
  virtual std::vector<std::string> decodings() const = 0;
  // How `evaluate` and `predict` decode; joint at first. The score of a labelling that they show is that of
  // the decoding: T_τ over what is hidden, at its latent temperature. Throws InputError for one that it does
  // not serve.
  void decode(const Decoding& decoding);
  // What follows training at this temperature of what is hidden: joint at 0; else marginal MAP at that
  // temperature, or max-marginals, or joint, whichever of them it serves first.
  Decoding trained_decoding(double latent_temperature) const;

  // Whether data that is read from now on keeps the text of its files, which `predict` writes beside. What
  // only learns or measures does without.
  void keep_text(bool keep) { keeps_text_ = keep; }
  // By whose threads data is read from now on, where the task can; null: by the caller's. Data is the same.
  void read_with(Executor* executor) { reading_ = executor; }

  virtual Index dimension() const = 0;  // of the weights; after read_training or load
  virtual std::string feature_name(Index feature) const = 0;
  // Runs check_task on the examples.
  virtual CheckReport check(const Data& data, const CheckOptions& options) const = 0;

  virtual void save(Archive& archive) const = 0;
  virtual void load(const Archive& archive) = 0;

 protected:
  Decoding decoding_;
  bool keeps_text_ = true;
  Executor* reading_ = nullptr;
};

// The name by which Decoding::named knows it.
std::string decoding_name(const Decoding& decoding);

struct TaskKind {
  std::string name;
  std::string summary;  // one line for --help
  std::string example;  // one command line
  std::function<std::unique_ptr<AnyTask>()> make;
};

// Every task: those that are built in, in the order of the documentation, then those that were registered.
const std::vector<TaskKind>& task_kinds();
// Adds one; before threads are made. Throws InputError when the name is taken or no word.
void register_task(TaskKind kind);
// Throws InputError that lists the names when there is none of that name.
std::unique_ptr<AnyTask> make_task(const std::string& name);

}  // namespace hinge
