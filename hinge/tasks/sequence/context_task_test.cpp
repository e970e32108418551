#include "hinge/tasks/sequence/context_task.h"

#include <gtest/gtest.h>

#include "hinge/core/random.h"
#include "hinge/learning/objective.h"
#include "hinge/oracle/check_task.h"
#include "hinge/oracle/subset_oracle.h"
#include "hinge/tasks/sequence/letter_reader.h"
#include "hinge/tasks/sequence/sequence_task.h"
#include "tests/support/data.h"

namespace hinge {
namespace {

static_assert(FactoredTask<ContextTask>);

constexpr std::size_t kAttributes = 6, kLabels = 3;

// Sequences with a few random attributes each; some labels are missing when `partial`.
std::vector<Example<ContextTask>> random_examples(std::size_t count, bool partial, Random& random) {
  std::vector<Example<ContextTask>> examples(count);
  for (auto& [x, y, weight] : examples) {
    const std::size_t length = 1 + random.below(5);
    for (std::size_t t = 0; t < length; ++t) {
      for (Index a = 0; a < kAttributes; ++a)
        if (random.uniform() < 0.4) {
          x.attribute.push_back(a);
          x.value.push_back(static_cast<float>(random.normal()));
        }
      x.start.push_back(static_cast<Index>(x.attribute.size()));
      y.push_back(partial && random.uniform() < 0.3 ? kUnknown : static_cast<int>(random.below(kLabels)));
    }
  }
  return examples;
}

std::vector<Labels> labels_of(const std::vector<Example<ContextTask>>& examples) {
  std::vector<Labels> labels;
  for (const auto& example : examples) labels.push_back(example.label);
  return labels;
}

TEST(ContextTask, PassesTheCheck) {
  Random random(1);
  for (std::size_t order : {2, 3})
    for (bool partial : {false, true}) {
      const auto examples = random_examples(12, partial, random);
      const Hamming hamming{order == 3, partial ? std::vector<double>{1, 2, 0.5} : std::vector<double>{}};
      const ContextTask task(Emissions::all(kAttributes, kLabels), kLabels,
                             ContextTask::seen_contexts(labels_of(examples), kLabels, order), order == 2,
                             hamming);
      EXPECT_GT(task.graph()->ngrams().size(), 0u);
      const CheckReport report = check_task(task, examples);
      EXPECT_TRUE(report.failures.empty()) << report.text();
      EXPECT_GT(report.comparisons, 100u);
    }
}

TEST(ContextTask, RefusesTwoTemperaturesButAMaximumWhereSomethingIsHidden) {
  const ContextTask task(Emissions::all(kAttributes, kLabels), kLabels,
                         ContextTask::seen_contexts(std::vector<Labels>{{0, 1, 2}}, kLabels, 2), false, {});
  EXPECT_NE(task.refusal({Side::free, 1, 0.5, 1}), "");
  EXPECT_NE(task.refusal({Side::free, 1, 1, 0}), "");
  EXPECT_EQ(task.refusal({Side::free, 1, 0, 1}), "");
  EXPECT_EQ(task.refusal({Side::free, 1, 1, 1}), "");
  EXPECT_EQ(task.refusal({Side::excess, 1, 0, 1}), "");  // asked where nothing is
}

// Answers that a beam cut are counted whichever layout of the weights they came from, and foretold.
TEST(ContextTask, ABeamIsCountedInBothLayouts) {
  Random random(4);
  const auto examples = random_examples(30, false, random);
  std::vector<Sequence> inputs;
  for (const auto& example : examples) inputs.push_back(example.input);
  const Emissions emissions = Emissions::observed(kAttributes, kLabels, inputs, labels_of(examples), 1);
  const auto graph = ContextTask::seen_contexts(labels_of(examples), kLabels, 2);
  SerialExecutor executor;
  for (const std::size_t beam : {0u, 1u}) {
    const ContextTask task(emissions, kLabels, graph, false, {}, beam);
    const TaskOracle<ContextTask> oracle(task, examples);
    std::size_t may = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      may += oracle.may_approximate(i, {Side::excess});
      EXPECT_FALSE(oracle.may_approximate(i, {Side::excess, 0, 1, 1}));
      EXPECT_EQ(SubsetOracle(oracle, {i}).may_approximate(0, {Side::excess}), beam > 0);
    }
    EXPECT_EQ(may, beam > 0 ? examples.size() : 0);
    for (const bool wide : {false, true}) {
      const Objective objective(oracle, Formulation::named("ssvm"), 1, executor);
      const InferenceReport before = objective.inference();
      const Vector w = checking::random_weights(task.dimension(), 1, 9);
      Vector gradient(w.size());
      if (wide)
        objective.sum_of_excesses(w, gradient);
      else
        objective.value(w);
      EXPECT_EQ(objective.inference().since(before).exact(), beam == 0) << wide;
    }
  }
}

TEST(ContextTask, RefusesSlackRescaling) {
  Random random(2);
  const auto examples = random_examples(2, false, random);
  const ContextTask task(Emissions::all(kAttributes, kLabels), kLabels,
                         ContextTask::seen_contexts(labels_of(examples), kLabels, 2), false, {});
  const TaskOracle<ContextTask> oracle(task, examples);
  Query query;
  query.rescaling = Rescaling::slack;
  EXPECT_NE(oracle.refusal(query).find("slack rescaling: use `order` 1"), std::string::npos);
}

// Without longer n-grams the weights mean what they mean at order 1.
TEST(ContextTask, WithoutNgramsIsASequenceTask) {
  Random random(3);
  const auto examples = random_examples(20, false, random);
  const ContextTask task(Emissions::all(kAttributes, kLabels), kLabels,
                         ContextTask::seen_contexts(labels_of(examples), kLabels, 1), true, {});
  const SequenceTask first(Emissions::all(kAttributes, kLabels), kLabels, Transitions::all(kLabels), true,
                           {});
  ASSERT_EQ(task.dimension(), first.dimension());
  std::vector<Example<SequenceTask>> same;
  for (const auto& [x, y, weight] : examples) same.push_back({x, y, weight});
  const TaskOracle<ContextTask> oracle(task, examples);
  const TaskOracle<SequenceTask> first_oracle(first, same);
  Vector w(task.dimension());
  for (double& v : w) v = random.normal();
  Plane plane, first_plane;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    oracle.support(i, w, Query{}, plane);
    first_oracle.support(i, w, Query{}, first_plane);
    EXPECT_EQ(plane.offset, first_plane.offset);
    EXPECT_NEAR(plane.slope.dot(w), first_plane.slope.dot(w), 1e-12 * 20);
  }
}

TEST(ContextTask, HasFewContextsOnLetters) {
  const auto file = data_file("ocr/letter.data");
  if (!file) GTEST_SKIP() << "skipped: no data";
  SequenceSchema schema;
  const SequenceCorpus corpus = LetterReader("0").read_training({*file}, schema);
  const std::size_t K = schema.labels.size();
  for (std::size_t order : {1, 2, 3}) {
    const auto graph = ContextTask::seen_contexts(corpus.labels, K, order);
    RecordProperty("contexts_of_order_" + std::to_string(order), static_cast<int>(graph->size()));
    EXPECT_EQ(graph->patterns(), K * K + graph->ngrams().size());
    EXPECT_LT(graph->size(), order == 1 ? K + 1 : order == 2 ? K * K : 2 * K * K);
  }
}

}  // namespace
}  // namespace hinge
