// The parts of a factored task's examples (see parts.h). Task and examples must outlive it.
#pragma once

#include <algorithm>
#include <functional>

#include "hinge/oracle/parts.h"
#include "hinge/oracle/query.h"
#include "hinge/oracle/task.h"

namespace hinge {

template <class T>
concept FlatTask = FactoredTask<T> && FlatEngine<typename T::Engine>;

template <FlatTask T>
class TaskParts final : public Parts {
 public:
  using Note = std::function<void(const Answer&)>;  // told how each solve was answered

  // `query` is one of side free at one positive temperature.
  TaskParts(const T& task, std::span<const Example<T>> examples, const Query& query, Note note)
      : task_(task), examples_(examples), query_(query), note_(std::move(note)) {
    if constexpr (SettingTask<T>) engine_.settings = task.settings();
  }

  std::span<const double> look(std::size_t i, Weights w) override {
    example_ = &examples_[i];
    const auto& [x, y, weight] = *example_;
    task_.score(x, w, scores_);
    if constexpr (HidingTask<T>) task_.hide(y, scores_);
    if (query_.loss_weight != 0) {
      read(plain_);
      task_.add_loss(y, query_.loss_weight, scores_);
    }
    read(row_);
    return row_;
  }

  std::size_t turn(std::size_t i, Weights w) override {
    if constexpr (ShapingTask<T>)
      if (query_.loss_weight == 0) {
        example_ = &examples_[i];
        task_.shape(example_->input, scores_);
        if constexpr (HidingTask<T>) task_.hide(example_->label, scores_);
        return scores_.parts();
      }
    return look(i, w).size();
  }

  SoftValue solve(std::span<const double> theta, std::span<double> counts) override {
    scores_.set(theta);
    const double value =
        engine_.solve(scores_, query_.output_temperature, query_.output_temperature, counts_);
    note_(engine_.answer());
    counts_.get(counts);
    return {value, value - dot(theta, counts)};
  }

  double loss(std::span<const double> counts) const override {
    if (query_.loss_weight == 0) return 0;
    double sum = 0;
    for (std::size_t p = 0; p < counts.size(); ++p) sum += (row_[p] - plain_[p]) * counts[p];
    return sum;
  }

  double clamped(Weights w, std::span<double> counts) override {
    const auto& [x, y, weight] = *example_;
    if (task_.determined(y)) {
      std::ranges::fill(counts, 0.0);
      counts_.set(scores_, counts);
      counts_.subtract(task_.structure(y));
      counts_.get(counts);
      for (double& v : counts) v = -v;
      return dot(counts, query_.loss_weight == 0 ? row_ : plain_);
    }
    task_.score(x, w, scores_);
    task_.forbid(y, scores_);
    const double value =
        engine_.solve(scores_, query_.output_temperature, query_.output_temperature, counts_);
    note_(engine_.answer());
    counts_.get(counts);
    task_.score(x, w, scores_);  // nothing is forbidden any more
    if constexpr (HidingTask<T>) task_.hide(y, scores_);
    return value;
  }

  void place(std::span<const double>, double factor, std::span<double> w, const double* share) override {
    counts_.subtract(task_.structure(example_->label));
    MovingSink sink{w, share, -factor};
    task_.features(example_->input, counts_, sink);
  }

  double excess(std::size_t i, Weights w) override {
    const auto& [x, y, weight] = examples_[i];
    task_.score(x, w, scores_);
    if constexpr (HidingTask<T>) task_.hide(y, scores_);
    const double clamped = scores_.of(task_.structure(y));
    if (query_.loss_weight != 0) task_.add_loss(y, query_.loss_weight, scores_);
    double free;
    if constexpr (ValuingEngine<typename T::Engine>)
      free = engine_.value(scores_, query_.output_temperature);
    else
      free = engine_.solve(scores_, query_.output_temperature, query_.output_temperature, counts_);
    note_(engine_.answer());
    return free - clamped;
  }

  double pour(std::span<const double> counts, double factor, std::span<double> w,
              const double* share) override {
    counts_.set(scores_, counts);
    MovingSink sink{w, share, factor};
    task_.features(example_->input, counts_, sink);
    return sink.growth;
  }

 private:
  void read(Vector& row) const {
    row.resize(scores_.parts());
    scores_.get(row);
    for (double& v : row) v = std::max(v, kOut);
  }

  const T& task_;
  std::span<const Example<T>> examples_;
  Query query_;
  Note note_;
  const Example<T>* example_ = nullptr;
  typename T::Engine engine_;
  typename T::Engine::Scores scores_;
  typename T::Engine::Counts counts_;
  Vector row_, plain_;  // of the last look, with the loss and without
};

}  // namespace hinge
