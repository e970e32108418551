// A task with prior knowledge of the labels of its examples: its own parts, and the features φ of each
// example's Constraints. With `rule_features` every rule r has a weight, that of how many of its features hold,
//
//     <w, Φ(x, y)> = <w_own, Φ_own(x, y)> + Σ_r w_r Σ over the features k of r of φ_k(y),
//
// and the weights of rules stand behind the task's own. Neither task, inputs nor knowledge are owned.
#pragma once

#include "hinge/inference/guided_chain.h"
#include "hinge/inference/guided_nodes.h"
#include "hinge/oracle/task.h"

namespace hinge {

// The engine that knows gains of features, for the engine of a task.
template <class E>
struct GuidedEngineOf {
  using type = GuidedNodes<E>;
  static constexpr bool positions_only = true;
};
template <>
struct GuidedEngineOf<Chain> {
  using type = GuidedChain;
  static constexpr bool positions_only = false;
};

template <class T>
concept GuidableTask = FactoredTask<T> && Engine<typename GuidedEngineOf<typename T::Engine>::type>;

template <class T>
struct GuidedInput {
  const typename T::Input* own;
  const Constraints* features;
};

template <GuidableTask T>
class GuidedTask {
 public:
  using Input = GuidedInput<T>;
  using Label = typename T::Label;
  using Structure = typename T::Structure;
  using Engine = typename GuidedEngineOf<typename T::Engine>::type;
  static constexpr bool positions_only = GuidedEngineOf<typename T::Engine>::positions_only;

  GuidedTask(const T& own, const Knowledge& knowledge, bool rule_features, GuidedSettings settings = {})
      : own_(&own),
        knowledge_(&knowledge),
        rules_(rule_features ? knowledge.rules.size() : 0),
        settings_(settings) {}

  const T& own() const { return *own_; }
  const Knowledge& knowledge() const { return *knowledge_; }
  Index dimension() const { return own_->dimension() + static_cast<Index>(rules_); }
  double loss(const Label& y, const Structure& s) const { return own_->loss(y, s); }
  bool determined(const Label& y) const { return own_->determined(y); }
  decltype(auto) structure(const Label& y) const { return own_->structure(y); }

  const GuidedSettings& settings() const
    requires std::same_as<Engine, GuidedChain>
  {
    return settings_;
  }
  decltype(auto) settings() const
    requires(positions_only && SettingTask<T>)
  {
    return own_->settings();
  }

  void score(const Input& x, Weights w, typename Engine::Scores& scores) const {
    own_->score(*x.own, w.first(own_->dimension()), scores.base);
    scores.guide(knowledge_->shared, *x.features);
    if (rules_ == 0) return;
    const double* weights = w.data() + own_->dimension();
    for_each_feature(*x.features,
                     [&](std::size_t k, std::size_t rule) { scores.gains()[k] = weights[rule]; });
  }
  // Excludes what breaks a hard rule.
  void require_hard(const Input& x, typename Engine::Scores& scores) const {
    for_each_feature(*x.features, [&](std::size_t k, std::size_t rule) {
      if (knowledge_->rules[rule].hard) scores.require(k);
    });
  }
  void add_loss(const Label& y, double weight, typename Engine::Scores& scores) const {
    own_->add_loss(y, weight, scores.base);
  }
  void forbid(const Label& y, typename Engine::Scores& scores) const { own_->forbid(y, scores.base); }

  template <class Sink>
  void features(const Input& x, const typename Engine::Counts& counts, Sink& sink) const {
    own_->features(*x.own, counts, sink);
    if (rules_ == 0) return;
    static thread_local Vector sums;
    sums.assign(rules_, 0.0);
    for_each_feature(*x.features, [&](std::size_t k, std::size_t rule) { sums[rule] += counts.phi()[k]; });
    for (std::size_t r = 0; r < rules_; ++r)
      if (sums[r] != 0) sink.add(static_cast<Index>(own_->dimension() + r), sums[r]);
  }

  double work(const Input& x) const {
    double own = 0;
    if constexpr (TimedTask<T>) own = own_->work(*x.own);
    const double each = x.features->wholes.empty() ? 10 : 10 + static_cast<double>(settings_.beam);
    return own + each * static_cast<double>(x.features->size());
  }

 private:
  const T* own_;
  const Knowledge* knowledge_;
  std::size_t rules_;  // that have a weight
  GuidedSettings settings_;
};

}  // namespace hinge
