// A task of your own, learned in one call:
//
//     const hinge::Trained<Matching> model = hinge::learn(Matching{}, train, {.C = {0.1, 1, 10}, .folds = 5});
//
// The task is checked on a few examples, owned, and trained on all of them: cccp goes around the solver where
// labels are incomplete, several C are compared by cross-validation, Ctrl-C and the time limit end it with
// the best weights so far. Members of the task are called from several threads at once: keep no scratch in
// it.
#pragma once

#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "hinge/oracle/check_task.h"
#include "hinge/oracle/task_contract.h"
#include "hinge/oracle/task_oracle.h"
#include "hinge/training/learning.h"
#include "hinge/watch/monitor.h"

namespace hinge {

// A task with state has save and load.
template <class T>
concept StoredTask = requires(const T& task, T& other, Archive& archive) {
  task.save(archive);
  other.load(std::as_const(archive));
};

template <class T>
class Trained {
 public:
  using Input = typename T::Input;
  using Structure = typename T::Structure;

  T task;
  Vector weights;
  Summary summary;  // of the run that made the weights; they are not in it
  double C = 0;
  Decoding decoding;  // prediction follows training: marginal MAP where what is hidden had a temperature

  Structure predict(const Input& x) const {
    if constexpr (FactoredTask<T>)
      return Factored<T>().predict(task, x, weights, decoding);
    else
      return task.predict(x, weights);
  }

  // Mean over the examples, each by its weight.
  double loss(std::span<const Example<T>> examples) const {
    double sum = 0, total = 0;
    for (const auto& [x, y, weight] : examples) {
      sum += weight * task.loss(y, predict(x));
      total += weight;
    }
    return total > 0 ? sum / total : 0;
  }

  // How often each part is expected, at temperature 1: the engine's counts.
  auto marginals(const Input& x) const
    requires FactoredTask<T>
  {
    typename T::Engine engine;
    if constexpr (SettingTask<T>) engine.settings = task.settings();
    typename T::Engine::Scores scores;
    typename T::Engine::Counts counts;
    task.score(x, weights, scores);
    engine.solve(scores, 1, 1, counts);
    return counts;
  }

  // A model file, as the command line writes. Throws InputError when that cannot be.
  void save(const std::string& path) const;
};

namespace front {

// The parts of `learn` that do not depend on the task's type.
Learned learn_oracle(const Oracle& oracle, const HoldOut& hold_out, const TrainingOptions& options);
void require_passed(const CheckReport& report);
Decoding trained_decoding(const TrainingOptions& options, bool hides);

struct Stored {
  Archive state;  // of the task
  Vector weights;
  Summary summary;
  double C = 0, latent_temperature = 0;
};
void write_model(const std::string& path, const std::string& task, Stored model);
Stored read_model(const std::string& path, const std::string& task);

JsonValue loss_metric(double loss);

// The name that a model file of the task carries.
template <class T>
std::string name_of() {
  if constexpr (requires { std::string(T::kName); })
    return T::kName;
  else
    return "own";
}

template <class T>
class HeldOutExamples final : public HeldOut {
 public:
  HeldOutExamples(const T& task, std::span<const Example<T>> all, const Selection& rest,
                  const Selection& part, Decoding decoding)
      : task_(task), decoding_(decoding) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (rest(i)) rest_.push_back(all[i]);
      if (part(i)) part_.push_back(all[i]);
    }
    oracle_.emplace(task_, std::span<const Example<T>>(rest_));
  }

  const Oracle& oracle() const override { return *oracle_; }
  std::size_t size() const override { return part_.size(); }
  JsonValue evaluate(Weights w, Executor& executor) const override {
    Vector losses(part_.size());
    executor.run(part_.size(), [&](std::size_t i) {
      losses[i] =
          part_[i].weight * task_.loss(part_[i].label, oracle_->predict(part_[i].input, w, decoding_));
    });
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < part_.size(); ++i) sum += losses[i], total += part_[i].weight;
    return loss_metric(total > 0 ? sum / total : 0);
  }

 private:
  const T& task_;
  Decoding decoding_;
  std::vector<Example<T>> rest_, part_;
  std::optional<TaskOracle<T>> oracle_;
};

}  // namespace front

template <class T>
Trained<T> learn(T task, std::span<const Example<T>> examples, const TrainingOptions& options = {}) {
  require_task<T>();
  if constexpr (is_task<T>) {
    const TaskOracle<T> oracle(task, examples);
    if (options.check) {
      CheckOptions few;
      few.examples = 3;
      few.max_work = 1e7;
      front::require_passed(check_task(task, examples, few));
    }
    const Decoding decoding = front::trained_decoding(options, HidingTask<T>);
    const HoldOut hold_out = [&](const Selection& rest, const Selection& part) {
      return std::make_unique<front::HeldOutExamples<T>>(task, examples, rest, part, decoding);
    };
    Learned learned = front::learn_oracle(oracle, hold_out, options);
    Vector weights = std::exchange(learned.run.weights, {});
    return {std::move(task), std::move(weights), std::move(learned.run), learned.C, decoding};
  } else {
    std::abort();  // does not compile
  }
}
template <class T>
Trained<T> learn(T task, const std::vector<Example<T>>& examples, const TrainingOptions& options = {}) {
  return learn(std::move(task), std::span<const Example<T>>(examples), options);
}

template <class T>
void Trained<T>::save(const std::string& path) const {
  front::Stored model;
  if constexpr (StoredTask<T>) task.save(model.state);
  model.weights = weights;
  model.summary = summary;
  model.C = C;
  model.latent_temperature = decoding.latent_temperature;
  front::write_model(path, front::name_of<T>(), std::move(model));
}

// The model of a file that `save` wrote; `task` is what it is loaded into. Throws InputError when the file is
// missing or damaged, of another task, or of another dimension.
template <class T>
Trained<T> load(const std::string& path, T task = {}) {
  front::Stored model = front::read_model(path, front::name_of<T>());
  if constexpr (StoredTask<T>) task.load(model.state);
  if (model.weights.size() != task.dimension())
    fail("{}: has {} weights, but the task has {}: it is a model of another task.", path,
         model.weights.size(), task.dimension());
  return {std::move(task),
          std::move(model.weights),
          std::move(model.summary),
          model.C,
          {model.latent_temperature, false}};
}

}  // namespace hinge
