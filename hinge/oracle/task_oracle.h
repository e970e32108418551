// The oracle of a task and its examples. Neither is owned; both must outlive it.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <ranges>

#include "hinge/core/errors.h"
#include "hinge/core/smooth_max.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/divided_oracle.h"
#include "hinge/oracle/factored.h"
#include "hinge/oracle/oracle.h"
#include "hinge/oracle/task.h"
#include "hinge/oracle/task_contract.h"
#include "hinge/oracle/task_parts.h"

namespace hinge {

template <class T>
class TaskOracle final : public Oracle {
  static_assert((require_task<T>(), true));

 public:
  TaskOracle(const T& task, std::span<const Example<T>> examples) : task_(task), examples_(examples) {}
  // Neither may be a temporary, which would be gone when it is asked.
  template <class Examples>
  TaskOracle(const T&&, Examples&&) = delete;
  template <class Examples>
    requires(!std::is_lvalue_reference_v<Examples> && !std::ranges::borrowed_range<Examples>)
  TaskOracle(const T&, Examples&&) = delete;

  Index dimension() const override { return task_.dimension(); }
  std::size_t size() const override { return examples_.size(); }
  double weight(std::size_t i) const override { return examples_[i].weight; }
  bool determined(std::size_t i) const override { return task_.determined(examples_[i].label); }

  std::vector<Index> nonnegative() const override {
    if constexpr (BoundedTask<T>)
      return task_.nonnegative();
    else
      return {};
  }

  Vector centre() const override {
    if constexpr (CentredTask<T>)
      return task_.centre();
    else
      return {};
  }

  double work(std::size_t i) const override {
    if constexpr (TimedTask<T>)
      return task_.work(examples_[i].input);
    else
      return 0;
  }

  std::string refusal(const Query& query) const override {
    if (query.rescaling == Rescaling::slack && !serves_slack()) {
      if constexpr (SlacklessTask<T>)
        return T::no_slack;
      else
        return "slack rescaling needs most_violating_slack(x, y, w) of the task, or an engine with "
               "solve_slack.";
    }
    if constexpr (FactoredTask<T>) {
      if constexpr (MaximumEngine<typename T::Engine>)
        if (!query.hard()) return T::Engine::no_sums;
      if constexpr (RefusingTask<T>)
        if (std::string why = task_.refusal(query); !why.empty()) return why;
      if (!HidingTask<T> && query.side == Side::free && query.output_temperature != query.latent_temperature)
        return "different temperatures of what is known and what is hidden need hide(y, scores) of the task.";
    } else {
      if (!query.hard())
        return "a positive temperature needs a factored task: add score, add_loss, forbid and features of "
               "parts.";
      if (query.loss_weight != 0 && query.loss_weight != 1)
        return "a loss weight other than 0 and 1 needs a factored task: most_violating(x, y, w) adds the "
               "loss once.";
      if (query.side == Side::clamped && !LatentTask<T>)
        return "hidden variables need complete(x, y, w) of the task: the best structure that a label admits.";
    }
    return {};
  }

  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    out.clear();
    const double value = query_into(i, w, query, SparseSink{out.slope}, out.offset);
    out.slope.compress();
    require_below(out.slope, w.size());
    if (std::isnan(out.offset)) out.offset = value - out.slope.dot(w);
  }

  bool all_planes(std::size_t i, const Query& query, ProductPlanes& out) const override {
    if constexpr (ListingTask<T>)
      return task_.all_planes(examples_[i].input, examples_[i].label, query, out);
    else
      return false;
  }

  std::unique_ptr<const Oracle> divided(const Query& query) const override {
    if constexpr (DividedTask<T>)
      if (task_.has_terms(query)) return std::make_unique<DividedOracle<T>>(task_, examples_, query);
    return nullptr;
  }

  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    if constexpr (FactoredTask<T>) {
      double offset;
      return query_into(i, w, query, DenseSink{slope, factor}, offset);
    } else {
      return Oracle::add_support(i, w, query, factor, slope);
    }
  }

  Vector start(std::span<const std::size_t> examples, std::size_t attempt) const override {
    if constexpr (StartingTask<T>) {
      if (!examples.empty()) return task_.start(examples_, examples, attempt);
      std::vector<std::size_t> all(examples_.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      return task_.start(examples_, all, attempt);
    } else {
      return {};
    }
  }

  bool draw(std::size_t i, std::uint64_t seed, Plane& out) const override {
    if constexpr (DrawingTask<T>) {
      const auto& [x, y, weight] = examples_[i];
      Random random(seed + (std::uint64_t{i} << 32));
      out.clear();
      SparseSink sink{out.slope};
      task_.draw_features(x, y, random, sink);
      out.slope.compress();
      require_below(out.slope, task_.dimension());
      return true;
    } else {
      return false;
    }
  }

  std::unique_ptr<Parts> parts(const Query& query) const override {
    if constexpr (FlatTask<T>) {
      const bool soft = query.side == Side::free && query.rescaling == Rescaling::margin &&
                        query.output_temperature > 0 && query.output_temperature == query.latent_temperature;
      if (soft && refusal(query).empty())
        return std::make_unique<TaskParts<T>>(task_, examples_, query,
                                              [this](const Answer& answer) { note(answer); });
    }
    return nullptr;
  }

  std::unique_ptr<SingleParts> single_parts(const Query& query) const override {
    if constexpr (SingleTask<T>)
      if (parts(query) != nullptr)
        return task_.single_parts(examples_, query, [this](const Answer& answer) { note(answer); });
    return nullptr;
  }

  std::optional<Widening> widened([[maybe_unused]] Executor& executor) const override {
    if constexpr (WidenedTask<T>) {
      auto task = task_.widened();
      if (!task) return std::nullopt;
      const auto owned = std::make_shared<const Owned<typename decltype(task)::value_type>>(
          *std::move(task), examples_, executor);
      return Widening{{owned, &owned->oracle}, owned->task.places()};
    } else {
      return std::nullopt;
    }
  }

  // A task without parts has its own way to predict, whatever the decoding.
  typename T::Structure predict(const typename T::Input& x, Weights w, const Decoding& decoding = {}) const {
    if constexpr (FactoredTask<T>)
      return own_engine().predict(task_, x, w, decoding);
    else
      return task_.predict(x, w);
  }

  InferenceReport inference() const override {
    InferenceReport report{{}, approximate_, unconverged_, 0};
    if constexpr (kWays > 1)
      for (std::size_t k = 0; k < kWays; ++k)
        if (ways_[k] > 0) report.ways.emplace_back(T::Engine::ways[k], ways_[k]);
    return report;
  }

  bool may_approximate(std::size_t i, const Query& query) const override {
    if constexpr (!FactoredTask<T>) {
      return false;
    } else if constexpr (std::derived_from<typename T::Engine, AlwaysExact>) {
      return false;
    } else {
      const bool alike = query.output_temperature == query.latent_temperature;
      if constexpr (requires { T::Engine::exact_alike; })
        if (alike) return false;
      if constexpr (requires { T::Engine::exact_sums; })
        if (alike && query.output_temperature > 0) return false;
      Vector& zeros = scratch<Vector, struct TaskOracleZeros>();  // never written
      if (zeros.size() < dimension()) zeros.resize(dimension());
      const auto& [x, y, weight] = examples_[i];
      return own_engine().may_approximate(task_, x, y, {zeros.data(), dimension()}, query);
    }
  }

 private:
  static constexpr bool serves_slack() {
    if constexpr (FactoredTask<T>)
      return SlackEngine<typename T::Engine>;
    else
      return SlackTask<T>;
  }

  static constexpr std::size_t ways() {
    if constexpr (FactoredTask<T>)
      return std::size(T::Engine::ways);
    else
      return 0;
  }
  static constexpr std::size_t kWays = ways();

  // A widened task with its form of the examples.
  template <class Wide>
  struct Owned {
    Owned(Wide widened, std::span<const Example<T>> narrow, Executor& executor)
        : task(std::move(widened)), examples(narrow.size()) {
      executor.run(narrow.size(), [&](std::size_t i) {
        examples[i] = {task.widen(narrow[i].input), narrow[i].label, narrow[i].weight};
      });
    }
    Wide task;
    std::vector<Example<Wide>> examples;
    TaskOracle<Wide> oracle{task, examples};
  };

  static auto& own_engine() {
    Factored<T>& factored = scratch<Factored<T>, struct TaskOracleFactored>();
    return factored;
  }

  template <class Sink>
  double query_into(std::size_t i, Weights w, const Query& query, Sink&& sink, double& offset) const {
    const auto& [x, y, weight] = examples_[i];
    if constexpr (FactoredTask<T>) {
      const double value = own_engine()(task_, x, y, w, query, sink, offset);
      if (value == kForbidden)
        fail("example {}: its label admits no structure: what it says contradicts itself.", i + 1);
      note(own_engine().engine().answer());
      return value;
    } else {
      return search(x, y, w, query, sink, offset);
    }
  }

  void note(const Answer& answer) const {
    if constexpr (kWays > 1) ++ways_[answer.way];
    if (!answer.exact) ++approximate_;
    if (!answer.converged) ++unconverged_;
  }

  // The SVM-struct way: the task's own searches, then its features.
  double search(const typename T::Input& x, const typename T::Label& y, Weights w, const Query& query,
                SparseSink sink, double& offset) const {
    const auto winner = [&]() -> typename T::Structure {
      if constexpr (LatentTask<T>)
        if (query.side == Side::clamped) return task_.complete(x, y, w);
      if constexpr (SlackTask<T>)
        if (query.rescaling == Rescaling::slack) return task_.most_violating_slack(x, y, w);
      return query.loss_weight == 0 ? task_.predict(x, w) : task_.most_violating(x, y, w);
    }();
    offset = query.side == Side::clamped ? 0 : query.loss_weight * task_.loss(y, winner);
    task_.features(x, winner, sink);
    if (query.side == Side::excess) {
      SparseVector truth;
      SparseSink truth_sink{truth};
      task_.features(x, task_.structure(y), truth_sink);
      for (std::size_t k = 0; k < truth.size(); ++k) sink.add(truth.indices()[k], -truth.values()[k]);
      if (query.rescaling == Rescaling::slack) sink.vector.scale(offset);
    }
    sink.vector.compress();
    require_below(sink.vector, w.size());
    return offset + sink.vector.dot(w);
  }

  const T& task_;
  std::span<const Example<T>> examples_;
  mutable std::array<std::atomic<std::size_t>, kWays> ways_ = {};
  mutable std::atomic<std::size_t> approximate_ = 0, unconverged_ = 0;
};

// TaskOracle oracle(task, examples);
template <class T, class Examples>
TaskOracle(const T&, const Examples&) -> TaskOracle<T>;

}  // namespace hinge
