// The best outputs of a path of states, with the states summed out that show them:
//
//     max over y of T_τ over paths s that show y of score(s),        τ > 0
//
// which is NP-hard on chains already (Lyngsø & Pedersen 2002). Outputs are improved one position at a time;
// then a depth-first search over outputs from the first position on, cut by the bound
//
//     max over y of T_τ over s  ≤  T_τ over s_t of (path up to t) + max over y_{t+1} of T_τ over s_{t+1} of …
//
// (Park & Darwiche 2003: maxima inside of sums), proves that nothing is better, or ends at a limit of steps.
// Where all states of an output score alike, the bound is the value and the first descent is the proof.
#pragma once

#include <algorithm>
#include <cmath>

#include "hinge/core/smooth_max.h"
#include "hinge/inference/path_counts.h"

namespace hinge {

// A lattice of states offers, in rows of states that hold scores,
//
//     length(), states()
//     outputs()                          how many outputs a position has at most
//     output(t, s)                       what a state shows: 0 … outputs − 1; at a hidden position all show 0
//     node(t, s)
//     forward(before, after)             after[s'] = T_τ over s of (before[s] + step from s to s')
//     backward(after, before)            before[s] = T_τ over s' of (step from s to s' + after[s'])
//     backward_best(t, after, before)    the same, but the maximum over outputs at t of T_τ over their states
class MarginalMap {
 public:
  // Sets the outputs, from those given on, to the best found. Returns whether no other can be better.
  template <class Lattice>
  bool solve(Lattice& lattice, double temperature, Path& outputs);

 private:
  static constexpr std::size_t kSteps = 64;  // of the search, for each position
  static constexpr int kSweeps = 20;
  static double rounding(double value) { return std::isfinite(value) ? 1e-12 * (1 + std::abs(value)) : 0; }

  double* row(Vector& rows, std::size_t t) const { return rows.data() + t * states_; }
  // value[o] = T_τ over the states that show o of (alpha + beta), for each output of position t
  template <class Lattice>
  void weigh(const Lattice& lattice, std::size_t t, const double* alpha, const double* beta, double* value);
  // The row with all states forbidden that do not show the output.
  template <class Lattice>
  void restrict_to(const Lattice& lattice, std::size_t t, std::size_t output, double* row) const;
  template <class Lattice>
  void extend(Lattice& lattice, std::size_t t, std::size_t output, double* before, double* after);
  template <class Lattice>
  double improve(Lattice& lattice, Path& outputs);
  template <class Lattice>
  void bound(Lattice& lattice);
  template <class Lattice>
  bool search(Lattice& lattice, double value, Path& outputs);

  double temperature_ = 0;
  std::size_t states_ = 0;
  Vector alpha_, beta_, work_;  // rows of positions; a row
  Vector value_, sum_;          // of the outputs of each position
  Path trial_;
};

template <class Lattice>
bool MarginalMap::solve(Lattice& lattice, double temperature, Path& outputs) {
  temperature_ = temperature;
  states_ = lattice.states();
  for (Vector* rows : {&alpha_, &beta_})
    if (rows->size() < lattice.length() * states_) rows->resize(lattice.length() * states_);
  if (value_.size() < lattice.length() * lattice.outputs())
    value_.resize(lattice.length() * lattice.outputs());
  work_.resize(states_);
  sum_.resize(lattice.outputs());
  const double value = improve(lattice, outputs);
  bound(lattice);
  if (search(lattice, value, outputs)) return true;
  improve(lattice, outputs);
  return false;
}

template <class Lattice>
void MarginalMap::weigh(const Lattice& lattice, std::size_t t, const double* alpha, const double* beta,
                        double* value) {
  const std::size_t outputs = lattice.outputs();
  std::fill_n(value, outputs, kForbidden);
  for (std::size_t s = 0; s < states_; ++s) {
    double& top = value[lattice.output(t, s)];
    top = std::max(top, alpha[s] + beta[s]);
  }
  std::ranges::fill(sum_, 0.0);
  for (std::size_t s = 0; s < states_; ++s) {
    const std::size_t o = lattice.output(t, s);
    if (value[o] != kForbidden) sum_[o] += std::exp((alpha[s] + beta[s] - value[o]) / temperature_);
  }
  for (std::size_t o = 0; o < outputs; ++o)
    if (value[o] != kForbidden) value[o] += temperature_ * std::log(sum_[o]);
}

template <class Lattice>
void MarginalMap::restrict_to(const Lattice& lattice, std::size_t t, std::size_t output, double* row) const {
  for (std::size_t s = 0; s < states_; ++s)
    if (lattice.output(t, s) != output) row[s] = kForbidden;
}

// From a position that shows the output to the next one.
template <class Lattice>
void MarginalMap::extend(Lattice& lattice, std::size_t t, std::size_t output, double* before, double* after) {
  restrict_to(lattice, t, output, before);
  lattice.forward(before, after);
  for (std::size_t s = 0; s < states_; ++s) after[s] += lattice.node(t + 1, s);
}

// Sweeps in which each position in turn shows what is best beside all others. Returns the outputs' value.
template <class Lattice>
double MarginalMap::improve(Lattice& lattice, Path& outputs) {
  const std::size_t T = lattice.length();
  double value = kForbidden;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    std::fill_n(row(beta_, T - 1), states_, 0.0);
    for (std::size_t t = T - 1; t > 0; --t) {
      for (std::size_t s = 0; s < states_; ++s) work_[s] = lattice.node(t, s) + row(beta_, t)[s];
      restrict_to(lattice, t, static_cast<std::size_t>(outputs[t]), work_.data());
      lattice.backward(work_.data(), row(beta_, t - 1));
    }
    bool changed = false;
    for (std::size_t s = 0; s < states_; ++s) row(alpha_, 0)[s] = lattice.node(0, s);
    for (std::size_t t = 0; t < T; ++t) {
      weigh(lattice, t, row(alpha_, t), row(beta_, t), value_.data());
      const auto own = static_cast<std::size_t>(outputs[t]);
      const std::size_t best = arg_max({value_.data(), lattice.outputs()});
      if (value_[best] > value_[own] + rounding(value_[best])) {
        outputs[t] = static_cast<int>(best);
        changed = true;
      }
      value = value_[static_cast<std::size_t>(outputs[t])];
      if (t + 1 < T)
        extend(lattice, t, static_cast<std::size_t>(outputs[t]), row(alpha_, t), row(alpha_, t + 1));
    }
    if (!changed) break;
  }
  return value;
}

// beta[t][s] = at least what the positions after t can add to a path that stands in s
template <class Lattice>
void MarginalMap::bound(Lattice& lattice) {
  const std::size_t T = lattice.length();
  std::fill_n(row(beta_, T - 1), states_, 0.0);
  for (std::size_t t = T - 1; t > 0; --t) {
    for (std::size_t s = 0; s < states_; ++s) work_[s] = lattice.node(t, s) + row(beta_, t)[s];
    lattice.backward_best(t, work_.data(), row(beta_, t - 1));
  }
}

// At each position the output of the highest bound comes first; one that was visited has value −∞.
template <class Lattice>
bool MarginalMap::search(Lattice& lattice, double value, Path& outputs) {
  const std::size_t T = lattice.length(), count = lattice.outputs();
  const auto arrive = [&](std::size_t t) {
    weigh(lattice, t, row(alpha_, t), row(beta_, t), value_.data() + t * count);
  };
  trial_.resize(T);
  for (std::size_t s = 0; s < states_; ++s) row(alpha_, 0)[s] = lattice.node(0, s);
  arrive(0);
  std::size_t steps = 0, t = 0;
  for (;;) {
    double* values = value_.data() + t * count;
    const std::size_t best = arg_max({values, count});
    if (!(values[best] > value + rounding(value)) || values[best] == kForbidden) {
      if (t == 0) return true;
      --t;
      continue;
    }
    if (t + 1 == T) {
      value = values[best];
      trial_[t] = static_cast<int>(best);
      outputs = trial_;
      values[best] = kForbidden;
      continue;
    }
    if (++steps > kSteps * T) return false;
    trial_[t] = static_cast<int>(best);
    values[best] = kForbidden;
    std::copy_n(row(alpha_, t), states_, work_.data());
    extend(lattice, t, best, work_.data(), row(alpha_, t + 1));
    arrive(++t);
  }
}

}  // namespace hinge
