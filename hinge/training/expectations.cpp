// Methods of CRFs that want expectations: alternating projections and generalised expectation.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "hinge/core/sum.h"
#include "hinge/core/workspace.h"
#include "hinge/learning/objective.h"
#include "hinge/solvers/smooth_minimum.h"
#include "hinge/training/rule_means.h"
#include "hinge/training/transduction_methods.h"

namespace hinge {
namespace {

constexpr double kTolerance = 1e-3;  // of gradients
constexpr std::size_t kSteps = 200;

// What both methods share: the labelled part of the objective, and expectations of the unlabelled examples.
class Expectations {
 public:
  Expectations(const TransductionData& data, const TrainingOptions& options, double C1, Executor& executor,
               Watch& watch)
      : data_(data),
        labelled_(*data.labelled, options.formulation(), C1, executor),
        executor_(executor),
        watch_(watch),
        means(data.unlabelled) {}

  // 1/2 |w|² + C1/n Σ_i loss_i(w)
  double labelled(Weights w, std::span<double> gradient) {
    if (!watch_.stopped().empty()) throw Stopped();
    double value = labelled_.sum_of_excesses(w, gradient);
    labelled_.regulariser().add_gradient(w, gradient);
    return value + labelled_.regulariser().value(w);
  }

  // Σ_j log Z_j(w, λ), with gains λ_r for every feature of rule r; Σ E[Φ] in `slope` unless it is empty, and Σ E[F_r].
  double sum(Weights w, std::span<const double> lambda, std::span<double> slope, Vector& rule_sums) {
    if (!watch_.stopped().empty()) throw Stopped();
    const std::size_t rules = means.size();
    Vector all(slope.size() + rules);
    const double value = sum_(
        data_.unlabelled.size(), executor_,
        [&](std::size_t j, std::span<double> into) {
          Vector& gain = scratch<Vector, struct ExpectationsGain>();
          Vector& phi = scratch<Vector, struct ExpectationsPhi>();
          SparseVector& features = scratch<SparseVector, struct ExpectationsFeatures>();
          const Constraints& own = data_.unlabelled.features(j);
          gain.assign(own.size(), 0.0);
          phi.resize(own.size());
          for_each_feature(own, [&](std::size_t k, std::size_t r) { gain[k] = lambda[r]; });
          const double log_z = data_.unlabelled.guided(j, w, gain, 1, features, phi);
          if (!slope.empty()) features.add_to(into, 1);
          for_each_feature(own, [&](std::size_t k, std::size_t r) { into[slope.size() + r] += phi[k]; });
          return log_z;
        },
        all);
    std::copy_n(all.begin(), slope.size(), slope.begin());
    rule_sums.assign(all.end() - static_cast<std::ptrdiff_t>(rules), all.end());
    return value;
  }

 private:
  const TransductionData& data_;
  Objective labelled_;
  Executor& executor_;
  Watch& watch_;
  DenseSum sum_;

 public:
  RuleMeans means;
};

// What the labelled examples alone teach.
Vector supervised(Expectations& expectations, std::size_t dimension, std::size_t& evaluations) {
  Vector w(dimension);
  const auto f = [&](Weights at, std::span<double> gradient) { return expectations.labelled(at, gradient); };
  evaluations += minimise(f, w, kTolerance, kSteps).evaluations;
  return w;
}

// The multipliers λ of the projection of p_w: ascent of the dual
//
//     Σ_r [t_r N_r λ_r − N_r λ_r² / (2 β_r)] − Σ_j log Z_j(w, λ),     λ_r of the signs that its rule admits,
//
// by steps scaled by a bound on its curvature, which are halved where it falls.
void project(Expectations& expectations, Weights w, double C2, Vector& lambda) {
  constexpr int kProjectionSteps = 20;
  const RuleMeans& means = expectations.means;
  Vector sums, next(lambda.size()), next_sums;
  const auto dual = [&](const Vector& at, Vector& out) {
    double value = -expectations.sum(w, at, {}, out);
    for (std::size_t r = 0; r < at.size(); ++r)
      if (means.wanted(r))
        value += means.features(r) * (means.target(r) * at[r] - 0.5 * at[r] * at[r] / (C2 * means.weight(r)));
    return value;
  };
  double value = dual(lambda, sums), step = 1;
  for (int k = 0; k < kProjectionSteps && step > 1e-3; ++k) {
    double largest = 0;
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      next[r] = 0;
      if (!means.wanted(r)) continue;
      const double beta = C2 * means.weight(r), count = means.features(r);
      const double slope = means.target(r) - lambda[r] / beta - sums[r] / count;
      next[r] = lambda[r] + step * slope / (0.25 + 1 / beta);
      if (!means.may_lower(r)) next[r] = std::max(next[r], 0.0);
      if (!means.may_raise(r)) next[r] = std::min(next[r], 0.0);
      largest = std::max(largest, std::abs(next[r] - lambda[r]));
    }
    if (largest < 1e-3) return;
    const double found = dual(next, next_sums);
    if (found < value) {
      step /= 2;
      continue;
    }
    lambda.swap(next);
    sums.swap(next_sums);
    value = found;
  }
}

// KL(t | p) of two outcomes, and its derivative in p, where the rule wants it.
struct Divergence {
  double value, slope;
};
Divergence divergence(const RuleMeans& means, std::size_t r, double p) {
  constexpr double kLeast = 1e-9;
  const double t = means.target(r);
  p = std::clamp(p, kLeast, 1 - kLeast);
  if ((p > t && !means.may_lower(r)) || (p < t && !means.may_raise(r))) return {0, 0};
  double value = 0, slope = 0;
  if (t > 0) value += t * std::log(t / p), slope -= t / p;
  if (t < 1) value += (1 - t) * std::log((1 - t) / (1 - p)), slope += (1 - t) / (1 - p);
  return {value, slope};
}

class Report {
 public:
  Report(std::string solver, const TransductionData& data) : data_(data) { run_.solver = std::move(solver); }
  Transduced finish(Vector w, std::size_t evaluations, std::string message, Watch& watch) {
    Transduced result;
    run_.iterations = evaluations;
    run_.oracle_calls = evaluations * (data_.labelled->size() + data_.unlabelled.size());
    run_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    run_.cpu_seconds = static_cast<double>(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
    run_.inference = data_.unlabelled.inference();
    run_.termination = watch.stopped().empty() ? Termination::converged : Termination::stopped;
    run_.message = watch.stopped().empty() ? std::move(message) : watch.stopped();
    result.run = std::move(run_);
    result.weights = std::move(w);
    return result;
  }

 private:
  const TransductionData& data_;
  Summary run_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t cpu_start_ = std::clock();
};

void tell(const TransductionTold& told, std::size_t round, const TransductionData& data,
          const TransductionOptions& transduction, double C1, Weights w, Executor& executor) {
  if (!told) return;
  const TransductionOracle oracle =
      make_transduction_oracle(data, {C1, std::max(transduction.C2, 1e-300), transduction.mu, 0});
  const Vector all = oracle.join(w);
  told({round, oracle.terms(all, 1, executor), oracle.bound(all, executor)});
}

}  // namespace

Transduced learn_projected(const TransductionData& data, const TrainingOptions& options,
                           const TransductionOptions& transduction, double C1, Executor& executor,
                           Watch& watch, const TransductionTold& told) {
  Report report("lbfgs (alternating projections)", data);
  Expectations expectations(data, options, C1, executor, watch);
  std::size_t evaluations = 0;
  Vector w(data.unlabelled.dimension());
  int round = 0;
  try {
    w = supervised(expectations, w.size(), evaluations);
    const std::size_t rules = expectations.means.size();
    const double C2 = transduction.C2, each = C2 / static_cast<double>(data.unlabelled.size());
    Vector lambda(rules), expected(w.size()), sums;
    const Vector none(rules);
    for (; C2 > 0 && round < transduction.rule_rounds; ++round) {
      project(expectations, w, C2, lambda);
      expectations.sum(w, lambda, expected, sums);
      Vector free(w.size());
      const auto f = [&](Weights at, std::span<double> gradient) {
        double value = expectations.labelled(at, gradient);
        value += each * (expectations.sum(at, none, free, sums) - dot(expected, at));
        for (std::size_t k = 0; k < free.size(); ++k) gradient[k] += each * (free[k] - expected[k]);
        return value;
      };
      evaluations += minimise(f, w, kTolerance, kSteps).evaluations;
      tell(told, static_cast<std::size_t>(round) + 1, data, transduction, C1, w, executor);
    }
  } catch (const Stopped&) {
  }
  return report.finish(std::move(w), evaluations, fmt::format("{} rounds of projecting and learning.", round),
                       watch);
}

Transduced learn_expected(const TransductionData& data, const TrainingOptions& options,
                          const TransductionOptions& transduction, double C1, Executor& executor,
                          Watch& watch, const TransductionTold& told) {
  constexpr double kStep = 1e-4;  // of the central difference
  Report report("lbfgs (generalised expectation)", data);
  Expectations expectations(data, options, C1, executor, watch);
  const RuleMeans& means = expectations.means;
  std::size_t evaluations = 0;
  Vector w(data.unlabelled.dimension()), best = w;
  try {
    w = best = supervised(expectations, w.size(), evaluations);
    Vector sums, ignored, along(means.size()), ahead(w.size()), behind(w.size());
    const Vector none(means.size());
    const auto f = [&](Weights at, std::span<double> gradient) {
      double value = expectations.labelled(at, gradient);
      expectations.sum(at, none, {}, sums);
      double largest = 0;
      for (std::size_t r = 0; r < means.size(); ++r) {
        along[r] = 0;
        if (!means.wanted(r)) continue;
        const auto [divergent, slope] = divergence(means, r, sums[r] / means.features(r));
        value += transduction.C2 * means.weight(r) * divergent;
        along[r] = transduction.C2 * means.weight(r) * slope / means.features(r);
        largest = std::max(largest, std::abs(along[r]));
      }
      if (largest == 0) return value;
      Vector gains = along;
      for (double& g : gains) g *= kStep / largest;
      expectations.sum(at, gains, ahead, ignored);
      for (double& g : gains) g = -g;
      expectations.sum(at, gains, behind, ignored);
      for (std::size_t k = 0; k < ahead.size(); ++k)
        gradient[k] += largest * (ahead[k] - behind[k]) / (2 * kStep);
      return value;
    };
    if (transduction.C2 > 0) evaluations += minimise(f, w, kTolerance, kSteps).evaluations;
    best = w;
    tell(told, 1, data, transduction, C1, w, executor);
  } catch (const Stopped&) {
  }
  return report.finish(std::move(best), evaluations, "A local optimum, for the problem is not convex.",
                       watch);
}

}  // namespace hinge
