// What solvers say when inference misses maxima.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>

#include "hinge/core/executor.h"
#include "hinge/oracle/forwarding_oracle.h"
#include "hinge/solvers/solver.h"
#include "tests/support/problems.h"

namespace hinge {
namespace {

// Answers every so often with the label's own structure, whose plane lies below and need not touch.
class MissingOracle final : public ForwardingOracle {
 public:
  MissingOracle(const Oracle& exact, std::uint64_t often) : ForwardingOracle(exact), often_(often) {}
  void support(std::size_t i, Weights w, const Query& query, Plane& out) const override {
    behind_.support(i, w, query, out);
    std::uint64_t bits = i;
    for (double v : w) bits = bits * 6364136223846793005u + std::bit_cast<std::uint64_t>(v) % 1000003;
    if ((bits >> 20) % often_ != 0) return;
    out.clear();
    ++approximate_;
  }
  double add_support(std::size_t i, Weights w, const Query& query, double factor,
                     std::span<double> slope) const override {
    return Oracle::add_support(i, w, query, factor, slope);
  }
  InferenceReport inference() const override { return {.ways = {}, .approximate = approximate_}; }

 private:
  std::uint64_t often_;
  mutable std::atomic<std::size_t> approximate_ = 0;
};

TEST(Approximate, NoGapIsNegativeAndNoneIsACertificate) {
  const problems::Classes task;
  const auto examples = task.sample(40, 5);
  const TaskOracle<problems::Classes> exact(task, examples);
  SerialExecutor executor;
  for (const char* name : {"frank_wolfe", "n_slack", "one_slack", "bundle"})
    for (const std::uint64_t often : {2u, 4u, 20u})
      for (const double C : {1.0, 30.0}) {
        const std::string where = fmt::format("{}, one in {}, C = {}", name, often, C);
        const MissingOracle oracle(exact, often);
        Objective objective(oracle, Formulation::named("ssvm"), C, executor);
        std::size_t rounds = 0;
        const Summary run = make_solver(name)->minimize(objective, {}, [&](const Progress& progress) {
          EXPECT_FALSE(progress.primal - progress.dual < -1e-9 * progress.primal) << where;
          return ++rounds < 200;
        });
        EXPECT_GT(run.inference.approximate, 0u) << where;
        EXPECT_NE(run.message.find("no certificate"), std::string::npos) << where;
        EXPECT_FALSE(run.gap() < -1e-9 * run.primal) << where;
        EXPECT_EQ(run.brief().find("gap -"), std::string::npos) << where;
        // A lower bound that is told is one: planes that lie below are all it is made of.
        Objective truth(exact, Formulation::named("ssvm"), C, executor);
        const Summary best = make_solver("frank_wolfe")->minimize(truth, {}, {});
        EXPECT_LE(run.dual, best.primal * (1 + 1e-9)) << where;
      }
}

}  // namespace
}  // namespace hinge
