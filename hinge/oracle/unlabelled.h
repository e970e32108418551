// Inputs whose labels nobody knows, with prior knowledge of them: for input j, a gain for each feature of φ_j
// and a temperature,
//
//     guided_j(w, gain) = T_τ over y of [ <w, Φ(x_j, y)> + Σ_k gain_k φ_jk(y) ],      hard rules kept,
//
// with its gradient in both. Every const member may be called from several threads at once.
#pragma once

#include <functional>
#include <memory>

#include "hinge/core/executor.h"
#include "hinge/core/workspace.h"
#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/oracle/guided_task.h"
#include "hinge/oracle/task_oracle.h"

namespace hinge {

class Unlabelled {
 public:
  virtual ~Unlabelled() = default;

  virtual std::size_t size() const = 0;
  virtual Index dimension() const = 0;                           // of w
  virtual const Knowledge& knowledge() const = 0;                // its rules
  virtual const Constraints& features(std::size_t j) const = 0;  // φ_j
  virtual double work(std::size_t j) const = 0;

  // The value; `slope` becomes E[Φ] and `phi` E[φ].
  virtual double guided(std::size_t j, Weights w, std::span<const double> gains, double temperature,
                        SparseVector& slope, std::span<double> phi) const = 0;
  virtual InferenceReport inference() const = 0;
  virtual bool may_approximate(std::size_t j, double temperature) const = 0;

  // The same inputs as examples, each labelled by the winner of guided(j, w, gains(j), 0), or by the best so
  // many, of equal weights that add up to 1. It refers to this object.
  virtual std::unique_ptr<Oracle> labelled_by(
      Weights w, const std::function<void(std::size_t j, std::span<double> gains)>& gains, std::size_t best,
      Executor& executor) const = 0;
};

// Refers to the guided task and the inputs, which must outlive it.
template <GuidableTask T>
class UnlabelledOf final : public Unlabelled {
 public:
  UnlabelledOf(const GuidedTask<T>& task, std::vector<GuidedInput<T>> inputs)
      : task_(task), inputs_(std::move(inputs)) {}

  std::size_t size() const override { return inputs_.size(); }
  Index dimension() const override { return task_.dimension(); }
  const Knowledge& knowledge() const override { return task_.knowledge(); }
  const Constraints& features(std::size_t j) const override { return *inputs_[j].features; }
  double work(std::size_t j) const override { return task_.work(inputs_[j]); }

  double guided(std::size_t j, Weights w, std::span<const double> gains, double temperature,
                SparseVector& slope, std::span<double> phi) const override {
    Scratch& s = scratch<Scratch>();
    const double value = solve(j, w, gains, temperature, s);
    slope.clear();
    SparseSink sink{slope};
    task_.features(inputs_[j], s.counts, sink);
    slope.compress();
    std::ranges::copy(s.counts.phi(), phi.begin());
    return value;
  }

  InferenceReport inference() const override {
    InferenceReport report{{}, approximate_, unconverged_, 0};
    if constexpr (kWays > 1)
      for (std::size_t k = 0; k < kWays; ++k)
        if (ways_[k] > 0) report.ways.emplace_back(Engine::ways[k], ways_[k]);
    return report;
  }
  bool may_approximate(std::size_t j, double temperature) const override {
    Scratch& s = scratch<Scratch>();
    configure(s.engine);
    Vector& zeros = scratch<Vector, struct UnlabelledZeros>();  // never written
    if (zeros.size() < dimension()) zeros.resize(dimension());
    task_.score(inputs_[j], {zeros.data(), dimension()}, s.scores);
    return s.engine.may_approximate(s.scores, temperature, temperature);
  }

  std::unique_ptr<Oracle> labelled_by(Weights w,
                                      const std::function<void(std::size_t, std::span<double>)>& gains,
                                      std::size_t best, Executor& executor) const override {
    std::vector<std::vector<Example<GuidedTask<T>>>> found(size());
    executor.run(size(), [&](std::size_t j) {
      Vector& gain = scratch<Vector, struct UnlabelledGain>();
      gain.assign(features(j).size(), 0.0);
      gains(j, gain);
      Scratch& s = scratch<Scratch>();
      solve(j, w, gain, 0, s);
      if constexpr (requires { s.engine.top(s.scores, best); }) {
        if (best > 1) {
          for (auto& [structure, score] : s.engine.top(s.scores, best))
            found[j].push_back({inputs_[j], label_of(structure), 1});
          for (auto& example : found[j]) example.weight = 1 / static_cast<double>(found[j].size());
          return;
        }
      }
      found[j].push_back({inputs_[j], label_of(s.counts.structure()), 1});
    });
    std::vector<Example<GuidedTask<T>>> examples;
    for (auto& of_one : found) std::ranges::move(of_one, std::back_inserter(examples));
    return std::make_unique<SelfLabelled>(task_, std::move(examples));
  }

 private:
  using Engine = typename GuidedTask<T>::Engine;
  static constexpr std::size_t kWays = std::size(Engine::ways);
  struct Scratch {
    Engine engine;
    typename Engine::Scores scores;
    typename Engine::Counts counts;
  };
  // Owns its examples.
  class SelfLabelled final : public ForwardingOracle {
   public:
    SelfLabelled(const GuidedTask<T>& task, std::vector<Example<GuidedTask<T>>> examples)
        : ForwardingOracle(oracle_), examples_(std::move(examples)), oracle_(task, examples_) {}

   private:
    std::vector<Example<GuidedTask<T>>> examples_;
    TaskOracle<GuidedTask<T>> oracle_;
  };
  static typename T::Label label_of(const typename T::Structure& s) {
    return static_cast<typename T::Label>(s);
  }

  void configure(Engine& engine) const {
    if constexpr (SettingTask<GuidedTask<T>>) engine.settings = task_.settings();
  }
  double solve(std::size_t j, Weights w, std::span<const double> gains, double temperature,
               Scratch& s) const {
    configure(s.engine);
    task_.score(inputs_[j], w, s.scores);
    for (std::size_t k = 0; k < gains.size(); ++k) s.scores.gains()[k] += gains[k];
    task_.require_hard(inputs_[j], s.scores);
    const double value = s.engine.solve(s.scores, temperature, temperature, s.counts);
    if (value == kForbidden) contradict(j);
    const Answer answer = s.engine.answer();
    if constexpr (kWays > 1) ++ways_[answer.way];
    if (!answer.exact) ++approximate_;
    if (!answer.converged) ++unconverged_;
    return value;
  }
  [[noreturn]] void contradict(std::size_t j) const {
    std::vector<char> seen(knowledge().rules.size());
    std::string names;
    for_each_feature(features(j), [&](std::size_t, std::size_t rule) {
      if (!knowledge().rules[rule].hard || seen[rule]) return;
      seen[rule] = 1;
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", knowledge().rules[rule].name);
    });
    fail("no labelling of unlabelled example {} keeps all hard rules ({}): make one of them soft.", j + 1,
         names);
  }

  const GuidedTask<T>& task_;
  std::vector<GuidedInput<T>> inputs_;
  mutable std::array<std::atomic<std::size_t>, kWays> ways_ = {};
  mutable std::atomic<std::size_t> approximate_ = 0, unconverged_ = 0;
};

}  // namespace hinge
