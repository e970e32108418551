#include "hinge/tasks/sequence/packed_emissions.h"

#include <gtest/gtest.h>

#include <set>

#include "hinge/core/random.h"
#include "hinge/oracle/check_task.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/tasks/sequence/context_task.h"
#include "hinge/tasks/sequence/sequence_task.h"

namespace hinge {
namespace {

static_assert(WidenedTask<SequenceTask> && WidenedTask<ContextTask>);

constexpr std::size_t kLabels = 9, kAttributes = 40;

// Attributes of every frequency, so that some have one label and some have many.
struct Data {
  explicit Data(bool values, std::size_t among = kLabels) : classes(among) {
    Random random(7);
    for (std::size_t i = 0; i < 8; ++i) {
      Sequence& x = inputs.emplace_back();
      Labels& y = labels.emplace_back();
      for (std::size_t t = 0; t <= i % 4; ++t) {
        for (Index a = 0; a < kAttributes; ++a)
          if (random.uniform() < 4.0 / (4 + a)) {
            x.attribute.push_back(a);
            if (values) x.value.push_back(static_cast<float>(random.normal()));
          }
        x.start.push_back(static_cast<Index>(x.attribute.size()));
        y.push_back(static_cast<int>(random.below(classes)));
      }
    }
  }
  Emissions observed() const { return Emissions::observed(kAttributes, classes, inputs, labels); }
  template <class T>
  std::vector<Example<T>> examples() const {
    std::vector<Example<T>> made;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      made.push_back({inputs[i], labels[i], 1 + 0.5 * static_cast<double>(i)});
    return made;
  }

  std::size_t classes;
  std::vector<Sequence> inputs;
  std::vector<Labels> labels;
};

SequenceTask first_order(const Data& data) {
  return {data.observed(), kLabels, Transitions::observed(kLabels, data.labels), true, Hamming{}};
}

// f_i(w) = wide_i(E w) and ∇f_i = Eᵀ ∇wide_i for every query that the oracle serves.
void expect_equal(const Oracle& narrow, const Widening& widening) {
  const Oracle& wide = *widening.oracle;
  ASSERT_EQ(widening.places.size(), narrow.dimension());
  ASSERT_EQ(wide.size(), narrow.size());
  for (double scale : {0.1, 1.0, 10.0}) {
    const Vector w = checking::random_weights(narrow.dimension(), scale, 3);
    Vector spread(wide.dimension());
    for (std::size_t j = 0; j < w.size(); ++j) spread[widening.places[j]] = w[j];
    for (const Query& query : checking::served_queries(narrow))
      for (std::size_t i = 0; i < narrow.size(); ++i) {
        EXPECT_EQ(narrow.weight(i), wide.weight(i));
        Vector slope(w.size()), wide_slope(spread.size());
        const double value = narrow.add_support(i, w, query, 1, slope);
        const double size = 1e-12 * (1 + std::abs(value) + scale * static_cast<double>(kAttributes));
        EXPECT_NEAR(wide.add_support(i, spread, query, 1, wide_slope), value, size);
        for (std::size_t j = 0; j < w.size(); ++j)
          EXPECT_NEAR(wide_slope[widening.places[j]], slope[j], size) << checking::to_string(query);
      }
  }
}

TEST(PackedEmissions, HasRowsAndPairsAndAPlaceForEachWeight) {
  const Emissions observed = Data(false).observed();
  const PackedEmissions packed(observed);
  EXPECT_GT(packed.size(), observed.size());
  EXPECT_LT(packed.size(), kAttributes * kernels::padded(kLabels));
  const std::set<Index> places(packed.places().begin(), packed.places().end());
  EXPECT_EQ(places.size(), observed.size());
  EXPECT_LT(*places.rbegin(), packed.size());
}

TEST(PackedEmissions, AnswerAsTheObservedOnesDo) {
  SerialExecutor executor;
  for (bool values : {false, true}) {
    const Data data(values);
    const SequenceTask first = first_order(data);
    const auto examples = data.examples<SequenceTask>();
    const TaskOracle<SequenceTask> oracle(first, examples);
    expect_equal(oracle, *oracle.widened(executor));
    const SubsetOracle some(oracle, {5, 2, 3});
    expect_equal(some, *some.widened(executor));

    const ContextTask second(data.observed(), kLabels, ContextTask::seen_contexts(data.labels, kLabels, 2),
                             false, Hamming{});
    const auto same = data.examples<ContextTask>();
    const TaskOracle<ContextTask> contexts(second, same);
    expect_equal(contexts, *contexts.widened(executor));
  }
}

// All positions at once in single precision, of every width from one lane to several pieces.
TEST(PackedEmissions, ScoreAndMoveWholeSequencesInSinglePrecisionAsInDouble) {
  for (const std::size_t labels : {8u, 9u, 12u, 22u, 26u, 32u, 37u, 50u, 70u})
    for (const bool values : {false, true})
      for (const bool shared : {false, true}) {
        const Data data(values, labels);
        const PackedEmissions packed(data.observed());
        std::vector<float> w(packed.size(), -0.0f), share(packed.size(), 0.0f);
        Random random(labels);
        for (const Index j : packed.places()) {
          w[j] = static_cast<float>(random.normal());
          share[j] = static_cast<float>(random.uniform() + 0.5);
        }
        const Vector wide_w(w.begin(), w.end()), wide_share(share.begin(), share.end());
        for (const Sequence& input : data.inputs) {
          const PackedSequence x = packed.pack(input);
          const std::size_t width = kernels::padded(labels);
          std::vector<float> scores(x.length() * labels + width);
          packed.score(x, w, labels, scores.data());
          Vector moved = wide_w;
          MovingSink sink{moved, shared ? wide_share.data() : nullptr, 0.5};
          std::vector<float> amounts;
          for (std::size_t t = 0; t < x.length(); ++t) {
            Vector expected(width), row(width);
            packed.score(x, t, wide_w, expected.data());
            for (std::size_t k = 0; k < labels; ++k) {
              EXPECT_NEAR(static_cast<double>(scores[t * labels + k]), expected[k], 2e-5);
              row[k] = random.normal();
              amounts.push_back(static_cast<float>(row[k]));
              row[k] = amounts.back();
            }
            packed.features(x, t, row.data(), sink);
          }
          std::vector<float> single = w;
          const double growth =
              packed.move(x, amounts, labels, 0.5f, single, shared ? share.data() : nullptr);
          EXPECT_NEAR(growth, sink.growth, 1e-4 * (1 + std::abs(sink.growth)));
          for (std::size_t j = 0; j < single.size(); ++j)
            EXPECT_NEAR(static_cast<double>(single[j]), moved[j], 1e-5) << j;
        }
      }
}

TEST(PackedEmissions, CountTheFeaturesOfALabel) {
  for (const bool values : {false, true}) {
    const Data data(values);
    const Emissions observed = data.observed();
    const PackedEmissions packed(observed);
    for (std::size_t i = 0; i < data.inputs.size(); ++i) {
      const PackedSequence x = packed.pack(data.inputs[i]);
      for (std::size_t t = 0; t < x.length(); ++t) {
        const auto y = static_cast<Index>(data.labels[i][t]);
        EXPECT_NEAR(packed.squared_norm(x, t, y, nullptr),
                    observed.squared_norm(data.inputs[i], t, y, nullptr), 1e-6);
      }
    }
  }
}

TEST(PackedEmissions, MakeASoundTask) {
  const Data data(true);
  const auto wide = first_order(data).widened();
  std::vector<Example<SequenceTaskOver<PackedEmissions>>> examples;
  for (const auto& [x, y, weight] : data.examples<SequenceTask>())
    examples.push_back({wide->widen(x), y, weight});
  const CheckReport report = check_task(*wide, examples);
  EXPECT_TRUE(report.passed()) << report.text();
}

TEST(PackedEmissions, AreNotForTasksThatHaveEveryPair) {
  const SequenceTask task(Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), false,
                          Hamming{});
  EXPECT_FALSE(task.widened());
}

}  // namespace
}  // namespace hinge
