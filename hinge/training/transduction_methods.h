// The methods of transduction.h, each in its own file.
#pragma once

#include "hinge/learning/summary.h"
#include "hinge/training/transduction.h"

namespace hinge {

using TransductionTold = std::function<void(const TransductionRound&)>;

TransductionOracle make_transduction_oracle(const TransductionData& data, const TransductionWeights& weights);

// The labelled examples alone.
Summary learn_supervised(const TransductionData& data, const Formulation& formulation, double C,
                         const Solver& solver, Executor& executor, const Observer& observer);

// Constraint-driven learning. With the rules' weights times C2 as gains ρ and γ = 1 − self_share,
//
//     y_j ← arg max <w, Φ(x_j, y)> + Σ_k ρ_k φ_jk(y),     w ← γ w_labelled + (1 − γ) what (x_j, y_j) teach.
Transduced learn_codl(const TransductionData& data, const TrainingOptions& options,
                      const TransductionOptions& transduction, double C1, const Solver& solver,
                      Executor& executor, Watch& watch, const TransductionTold& told);

// Alternating projections of a CRF: with F_r the sum of a rule's N_r features, t_r its target, β_r = its weight,
//
//     q ← arg min KL(q | p_w) + Σ_r β_r / (2 N_r) (E_q[F_r] − t_r N_r)²     q_j ∝ p_w exp(Σ_k λ_r(k) φ_k)
//     w ← arg min 1/2 |w|² + C1/n Σ_i loss_i(w) + C2/m Σ_j [log Z_j(w) − <w, E_q[Φ_j]>]
//
// where `at least` and `at most` count on one side only, and `satisfied` is at least 1.
Transduced learn_projected(const TransductionData& data, const TrainingOptions& options,
                           const TransductionOptions& transduction, double C1, Executor& executor,
                           Watch& watch, const TransductionTold& told);

// Generalised expectation of a CRF: with the mean p_r(w) = E_w[F_r] / N_r,
//
//     min 1/2 |w|² + C1/n Σ_i loss_i(w) + C2 Σ_r weight_r KL(t_r | p_r(w)),
//
// whose gradient needs Cov(F_r, Φ), the derivative of E[Φ] along gains of F_r: a central difference.
Transduced learn_expected(const TransductionData& data, const TrainingOptions& options,
                          const TransductionOptions& transduction, double C1, Executor& executor,
                          Watch& watch, const TransductionTold& told);

}  // namespace hinge
