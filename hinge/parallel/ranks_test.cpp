// Several ranks as threads of one process: what they agree on, and that sums and solvers have the bits of one.
#include "hinge/core/ranks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hinge/core/errors.h"
#include "hinge/core/random.h"
#include "hinge/core/set_of_numbers.h"
#include "hinge/core/share.h"
#include "hinge/core/sum.h"
#include "hinge/oracle/rank_oracle.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/parallel/ranked_executor.h"
#include "hinge/solvers/exploration.h"
#include "hinge/training/solver_choice.h"
#include "tests/support/hidden_classes.h"
#include "tests/support/set_option.h"
#include "tests/support/thread_ranks.h"

namespace hinge {
namespace {

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

constexpr std::size_t kSizes[] = {1, 2, 3, 4, 5, 7};

TEST(Ranks, ShareItems) {
  for (const std::size_t size : kSizes)
    on_ranks(size, [&](Ranks& ranks) {
      RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, 0);
      for (const std::size_t count : {0u, 1u, 3u, 4u, 20u}) {
        std::vector<std::string> values(count);
        std::size_t made = 0;
        share(executor, std::span<std::string>(values), [&](std::size_t k) {
          values[k] = std::to_string(k * k);
          ++made;
        });
        for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(values[k], std::to_string(k * k));
        EXPECT_LE(made, (count + size - 1) / size);
      }
    });
}

TEST(Ranks, AgreeOnTroubleAndOnStopping) {
  for (const std::size_t size : {2u, 3u})
    on_ranks(size, [&](Ranks& ranks) {
      const bool last = ranks.rank() == size - 1;
      try {
        ranks.together([&] {
          if (last) fail("file:3: bad line.");
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "file:3: bad line.");
      }
      EXPECT_THROW(ranks.together([&] {
        if (last) throw Stopped();
      }),
                   Stopped);
      EXPECT_TRUE(ranks.any(last));
      EXPECT_FALSE(ranks.any(false));
      EXPECT_FALSE(ranks.stops());
      ranks.set_wish([=] { return last; });
      EXPECT_FALSE(ranks.stops());
      ranks.any(false);
      EXPECT_TRUE(ranks.stops());
    });
}

TEST(Ranks, PackSetsOfNumbers) {
  Random random(3);
  for (const std::size_t numbers : {0u, 1u, 64u, 65u, 1000u}) {
    SetOfNumbers some(numbers), read(numbers);
    for (std::size_t k = 0; k < numbers; ++k)
      if (random.uniform() < 0.02) some.add(k);
    read.unpack(some.packed() + "rest");
    EXPECT_EQ(some, read);
  }
}

// A number that one rank has is finished there: the others get its sum, and nothing of it is sent before.
TEST(Ranks, SumWhatOneHasThereAlone) {
  constexpr std::size_t kDimension = 64 * 30, kRanks = 4, kExamples = 64;
  const auto add = [](std::size_t i, std::span<double> sum) {  // every example has numbers of its own
    for (std::size_t j = i; j < kDimension; j += kExamples) sum[j] += static_cast<double>(j + 1);
    return 0.0;
  };
  on_ranks(kRanks, [&](Ranks& ranks) {
    RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, kExamples);
    DenseSum sum;
    Vector found(kDimension);
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second time it is known who has what
      const Ranks::Traffic before = ranks.traffic();
      sum(kExamples, executor, add, found);
      const std::size_t numbers = sizeof(double) * kDimension / kRanks,
                        told = repeat == 0 ? kDimension / 8 + 50 : 0;
      EXPECT_GE(ranks.traffic().received - before.received, (kRanks - 1) * numbers);
      EXPECT_LE(ranks.traffic().received - before.received, (kRanks - 1) * (numbers + told + 50));
    }
    for (std::size_t j = 0; j < kDimension; ++j) EXPECT_EQ(found[j], static_cast<double>(j + 1));
  });
}

// The tree over pieces is the same, wherever its subtrees are added.
TEST(Ranks, AddWithTheBitsOfOne) {
  constexpr std::size_t kDimension = 37;
  for (const std::size_t examples : {1u, 5u, 40u, 777u})
    for (const std::size_t shards : {1u, 5u, 16u, 64u, 100u}) {
      const auto add = [](std::size_t i, std::span<double> sum) {
        Random random(i);
        for (int k = 0; k < 5; ++k)
          sum[random.below(kDimension)] += random.uniform() < 0.1 ? -0.0 : random.normal();
        return random.normal();
      };
      RankedExecutor alone(std::make_unique<SerialExecutor>(), nullptr, shards);
      Vector expected(kDimension);
      const double value = DenseSum()(examples, alone, add, expected);
      for (const std::size_t size : kSizes)
        on_ranks(size, [&](Ranks& ranks) {
          RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, shards);
          DenseSum sum;
          for (int repeat = 0; repeat < 2; ++repeat) {
            Vector found(kDimension, 5.0);
            std::size_t own = 0;
            const double total = sum(
                examples, executor,
                [&](std::size_t i, std::span<double> to) {
                  EXPECT_EQ(DenseSum::owner(i, examples, shards, size), ranks.rank());
                  ++own;
                  return add(i, to);
                },
                found);
            EXPECT_EQ(total, value) << examples << " examples, " << shards << " shards, " << size << " ranks";
            EXPECT_TRUE(same_bits(found, expected));
          }
        });
    }
}

// The last bit of one weight is enough.
TEST(Ranks, SeeThatWeightsDiffer) {
  const problems::HiddenClasses complete(10, 1, 1, 5);
  on_ranks(3, [&](Ranks& ranks) {
    RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, 0);
    const Objective objective(complete, Formulation::named("crf"), 1, executor);
    Vector w(complete.dimension(), 0.5);
    EXPECT_NO_THROW(objective.agree(w));
    if (ranks.rank() == 1) w.back() = std::nextafter(0.5, 1.0);
    EXPECT_THROW(objective.agree(w), InputError);
  });
}

// Long before a primal is known, whose weights would show it.
TEST(Ranks, SeeThatASolversOwnWeightsDiffer) {
  const problems::HiddenClasses complete(40, 1, 1, 5);
  for (const auto& [name, method] : {std::pair{"frank_wolfe", "ssvm"},
                                     {"n_slack", "ssvm"},
                                     {"bundle", "ssvm"},
                                     {"one_slack", "ssvm"},
                                     {"soft_dual", "crf"},
                                     {"stochastic", "ssvm"}})
    on_ranks(2, [&, name = name, method = method](Ranks& ranks) {
      RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, 8);
      Objective objective(complete, Formulation::named(method),
                          ranks.rank() == 0 ? 1 : std::nextafter(1.0, 2.0), executor);
      const auto solver = make_solver(SolverChoice{name, "", ""}, 1);
      set_option(*solver, "gap", 1e-9);
      int rounds = 0;
      const Observer observer([&](const Progress&) { return ++rounds < 3; });
      EXPECT_THROW(solver->descend(objective, {}, observer), InputError) << name;
      EXPECT_EQ(rounds, 0) << name;
    });
}

struct Case {
  std::string solver, inner, method;
  bool hidden;
};
constexpr std::size_t kShards = 8;

// Every rank has all examples, or only those of its pieces.
void expect_the_bits_of_one(const std::vector<Case>& cases, bool shared) {
  const problems::HiddenClasses complete(40, 1, 1, 5), hidden(24, 2, 0.25, 3);
  for (const auto& [name, inner, method, is_hidden] : cases) {
    const Oracle& all = is_hidden ? hidden : complete;
    const auto run = [&](const Oracle& oracle, Executor& executor) {
      const auto solver = make_solver(SolverChoice{name, inner, ""}, 1);
      set_option(*solver, "max_passes", 30);
      set_option(*solver, "max_steps", 12);
      set_option(*solver, "cache", 3);
      Objective objective(oracle, Formulation::named(method), 20, executor);
      return explore(*solver, objective, {}, {}, {});
    };
    RankedExecutor alone(std::make_unique<SerialExecutor>(), nullptr, kShards);
    const Summary one = run(all, alone);
    for (const std::size_t size : {1u, 2u, 3u, 4u})
      on_ranks(size, [&](Ranks& ranks) {
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < all.size(); ++i)
          if (DenseSum::owner(i, all.size(), kShards, size) == ranks.rank()) own.push_back(i);
        const SubsetOracle part(all, own);
        RankedExecutor executor(std::make_unique<SerialExecutor>(), &ranks, kShards);
        const RankOracle spread(part, {all.size(), kShards, size, own.front()}, ranks);
        const Summary found = run(shared ? static_cast<const Oracle&>(spread) : all, executor);
        const std::string what = fmt::format("{} {}, {} ranks", name, method, size);
        EXPECT_TRUE(same_bits(found.weights, one.weights)) << what;
        EXPECT_EQ(found.primal, one.primal) << what;
        EXPECT_EQ(found.iterations, one.iterations) << what;
        EXPECT_EQ(found.oracle_calls, one.oracle_calls) << what;
        EXPECT_GT(ranks.traffic().exchanges, 0u) << what;
      });
  }
}

const std::vector<Case> kCases = {{"lbfgs", "", "crf", false},        {"bundle", "", "ssvm", false},
                                  {"one_slack", "", "ssvm", false},   {"n_slack", "", "ssvm", false},
                                  {"frank_wolfe", "", "ssvm", false}, {"subgradient", "", "ssvm", false},
                                  {"stochastic", "", "ssvm", false},  {"cccp", "frank_wolfe", "lssvm", true},
                                  {"cccp", "lbfgs", "hcrf", true},    {"lbfgs", "", "hcrf", true},
                                  {"descent", "", "hcrf", true}};

TEST(Ranks, SolveWithTheBitsOfOne) { expect_the_bits_of_one(kCases, false); }
TEST(Ranks, SolveWithTheBitsOfOneWhereEachHasItsExamples) { expect_the_bits_of_one(kCases, true); }

}  // namespace
}  // namespace hinge
