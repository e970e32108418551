// Tell what a machine does at each moment: rest, warm up or run. A state of −1 was not observed.
#pragma once

#include <hinge/hinge.h>
#include <hinge/inference/chain.h>

#include <algorithm>

class MachineTask {
 public:
  using Engine = hinge::Chain;
  using Input = std::vector<hinge::Vector>;  // a row of measurements at each time
  using Label = hinge::Path;                 // a state at each time
  using Structure = hinge::Path;

  static constexpr int kStates = 3;
  static constexpr hinge::Index kMeasurements = 4;  // the last is always 1

  // Weights: a row of measurements for each state, then one for each pair of neighbouring states.
  hinge::Index dimension() const { return pair(kStates, 0); }

  bool determined(const Label& y) const { return std::find(y.begin(), y.end(), -1) == y.end(); }
  Structure structure(const Label& y) const { return y; }
  double loss(const Label& y, const Structure& s) const {
    double wrong = 0;
    for (std::size_t t = 0; t < y.size(); ++t) wrong += y[t] >= 0 && y[t] != s[t];
    return wrong;
  }

  void score(const Input& x, hinge::Weights w, hinge::ChainScores& scores) const {
    scores.shape(x.size(), kStates);
    for (std::size_t t = 0; t < x.size(); ++t)
      for (int k = 0; k < kStates; ++k)
        scores.node(t)[k] = hinge::dot(w.subspan(row(k), kMeasurements), x[t]);
    for (int a = 0; a < kStates; ++a)
      for (int b = 0; b < kStates; ++b) scores.edge(a)[b] = w[pair(a, b)];
  }

  void add_loss(const Label& y, double weight, hinge::ChainScores& scores) const {
    for_each_other_state(y, [&](std::size_t t, int k) { scores.node(t)[k] += weight; });
  }

  void forbid(const Label& y, hinge::ChainScores& scores) const {
    for_each_other_state(y, [&](std::size_t t, int k) { scores.node(t)[k] = hinge::kForbidden; });
  }

  template <class Sink>
  void features(const Input& x, const hinge::ChainCounts& counts, Sink& sink) const {
    counts.for_each_node([&](std::size_t t, int k, double amount) { sink.add_row(row(k), x[t], amount); });
    counts.for_each_edge([&](int a, int b, double amount) { sink.add(pair(a, b), amount); });
  }

 private:
  static hinge::Index row(int state) { return static_cast<hinge::Index>(state) * kMeasurements; }
  static hinge::Index pair(int a, int b) { return row(kStates) + static_cast<hinge::Index>(a * kStates + b); }

  template <class F>
  static void for_each_other_state(const Label& y, F&& f) {
    for (std::size_t t = 0; t < y.size(); ++t)
      for (int k = 0; k < kStates; ++k)
        if (y[t] >= 0 && k != y[t]) f(t, k);
  }
};

// The machine rests, warms up, runs, rests again; each state has its own noisy measurements.
template <class Task>
std::vector<hinge::Example<Task>> shifts(std::size_t count, std::uint64_t seed) {
  hinge::Random random(seed);
  std::vector<hinge::Example<Task>> examples;
  for (std::size_t i = 0; i < count; ++i) {
    auto& [x, y, weight] = examples.emplace_back();
    int state = 0;
    const std::size_t length = 5 + random.below(8);
    for (std::size_t t = 0; t < length; ++t) {
      if (random.uniform() < 0.3) state = (state + 1) % MachineTask::kStates;
      y.push_back(state);
      hinge::Vector& row = x.emplace_back(MachineTask::kMeasurements);
      for (double& v : row) v = random.normal();
      row.back() = 1;
      row[state] += 1;
    }
  }
  return examples;
}
