#include "hinge/solvers/gram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/core/row_multiples.h"
#include "hinge/model/model.h"
#include "hinge/model/model_file.h"
#include "hinge/oracle/gram_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/taxonomy/any_taxonomy.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

using Flags = std::map<std::string, std::variant<std::string, double>>;

// Points on three rings that touch, some of more weight than others.
std::string rings(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t ring = random.below(3);
    const double radius = 1 + static_cast<double>(ring) + 0.4 * random.normal(),
                 turn = 6.28 * random.uniform();
    text +=
        fmt::format("c{} cost:{:.2f} 1:{:.3f} 2:{:.3f} {}\n", ring, 0.5 + random.uniform(),
                    radius * std::cos(turn), radius * std::sin(turn), random.below(4) == 0 ? "5:0.5" : "");
  }
  return text;
}

class GramTest : public ::testing::Test {
 protected:
  std::unique_ptr<AnyTask> task(const Flags& flags) const {
    auto made = make_multiclass();
    for (const auto& [name, value] : flags)
      std::visit([&](const auto& v) { set(made->options(), name, v); }, value);
    return made;
  }
  Model learn(const Flags& flags, TrainingOptions options, std::size_t threads = 1) {
    auto own = task(flags);
    const auto data = own->read_training({train_});
    return fit(std::move(own), *data, options, *make_executor(threads));
  }

  TemporaryFolder folder_;
  std::string train_ = folder_.write("train", rings(150, 5));
};

double number(const Model& model, const char* key) { return model.summary[key].get<double>(); }

// The optimum of the same kernel by features that have its products, within both gaps.
TEST_F(GramTest, FindsTheOptimumOfTheMap) {
  const std::string costs = folder_.write("costs", "c0 c1 c2\nc0 0 1 3\nc1 2 0 1\nc2 0.5 1 0\n");
  for (const std::string kernel : {"linear", "polynomial", "rbf"})
    for (const std::string rescaling : {"margin", "slack"})
      for (const double bias : {0.0, 2.0})
        for (const std::string& cost : {std::string(), costs}) {
          Flags flags{{"kernel", kernel}, {"bias", bias}, {"cost_matrix", cost}};
          const TrainingOptions options{
              .C = {300}, .rescaling = rescaling, .settings = {{"gap", 1e-5}, {"max_passes", 1e5}}};
          const Model mapped = learn(flags, options);
          flags["kernel_map"] = std::string("none");
          const Model own = learn(flags, options);
          EXPECT_EQ(own.summary["solver"], "gram");
          EXPECT_EQ(own.summary["termination"], "converged");
          const double rounding = 1e-5 * number(mapped, "primal");  // features of the map are floats
          EXPECT_LE(number(own, "dual"), number(mapped, "primal") + rounding)
              << kernel << rescaling << bias << cost;
          EXPECT_GE(number(own, "primal"), number(mapped, "dual") - rounding)
              << kernel << rescaling << bias << cost;
        }
}

// Of weights over features themselves too, whose answers are the same where lines divide the classes.
TEST_F(GramTest, FindsTheOptimumOfFeatures) {
  Random random(3);
  std::string text;
  for (int i = 0; i < 150; ++i)
    text += fmt::format("c{} 1:{:.3f} 2:{:.3f}\n", i % 3, (i % 3 == 1 ? 2 : 0) + random.normal(),
                        (i % 3 == 2 ? 2 : 0) + random.normal());
  folder_.write("train", text);
  const TrainingOptions options{.C = {300}, .settings = {{"gap", 1e-6}, {"max_passes", 1e6}}};
  const Model plain = learn({}, options);
  const Model own = learn({{"kernel", "linear"}, {"kernel_map", "none"}}, options);
  EXPECT_NEAR(number(own, "primal"), number(plain, "primal"), 2e-6 * number(plain, "primal"));
  const auto of_plain = plain.task->read({train_}), of_own = own.task->read({train_});
  SerialExecutor executor;
  const auto measured = own.task->evaluate(*of_own, own.weights, {}, executor);
  EXPECT_GT(measured->at("accuracy"), 0.7);
  EXPECT_EQ(measured->at("accuracy"),
            plain.task->evaluate(*of_plain, plain.weights, {}, executor)->at("accuracy"));
}

TEST_F(GramTest, HasTheSameBitsForAnyThreadsAndAnyMemory) {
  const Flags flags{{"kernel", "rbf"}, {"kernel_map", "none"}};
  const Vector first = learn(flags, {.C = {1000}}).weights;
  for (const std::size_t threads : {2, 7}) EXPECT_EQ(learn(flags, {.C = {1000}}, threads).weights, first);
  Flags small = flags;
  small["kernel_memory"] = 0.002;  // three rows
  EXPECT_EQ(learn(small, {.C = {1000}}).weights, first);
}

TEST_F(GramTest, FewExamplesAtATimeComeToTheSameOptimum) {
  const Flags flags{{"kernel", "rbf"}, {"kernel_map", "none"}};
  const Model many = learn(flags, {.C = {1000}, .settings = {{"gap", 1e-5}}});
  for (const double chosen : {1.0, 10.0}) {
    const Model few =
        learn(flags, {.C = {1000}, .solver = "gram", .settings = {{"gap", 1e-3}, {"chosen", chosen}}});
    EXPECT_EQ(few.summary["termination"], "converged") << chosen;
    EXPECT_NEAR(number(few, "primal"), number(many, "primal"), 2e-3 * number(many, "primal")) << chosen;
  }
}

TEST_F(GramTest, GoesOnAlongAPathOfC) {
  const Flags flags{{"kernel", "rbf"}, {"kernel_map", "none"}};
  const TrainingOptions options{.settings = {{"gap", 1e-6}}};
  auto own = task(flags);
  const auto data = own->read_training({train_});
  SerialExecutor executor;
  std::vector<double> primal;
  std::vector<std::size_t> calls;
  ObserverWatch watch(options.watch);
  fit(std::move(own), *data, options, executor,
      {.values = {100, 120},
       .told =
           [&](const Vector&, const JsonValue& run) {
             primal.push_back(run["primal"].get<double>());
             calls.push_back(run["oracle_calls"].get<std::size_t>());
           }},
      watch);
  TrainingOptions alone = options;
  alone.C = {120};
  const Model anew = learn(flags, alone);
  ASSERT_EQ(primal.size(), 2u);
  EXPECT_NEAR(primal[1], number(anew, "primal"), 2e-6 * primal[1]);
  EXPECT_LT(calls[1], anew.summary["oracle_calls"].get<std::size_t>());
}

// A model file has the rows that some class has an amount of, and no others.
TEST_F(GramTest, AModelKeepsTheRowsItNeeds) {
  const Model model = learn({{"kernel", "rbf"}, {"kernel_map", "none"}}, {.C = {1000}});
  std::size_t needed = 0;
  for (std::size_t i = 0; i < 150; ++i)
    needed += model.weights[3 * i] != 0 || model.weights[3 * i + 1] != 0 || model.weights[3 * i + 2] != 0;
  ASSERT_LT(needed, 120u);
  const std::string path = folder_.path("model");
  save_model(path, model);
  const Model again = load_model(path);
  EXPECT_EQ(again.weights.size(), 3 * needed);
  const std::string test = folder_.write("test", rings(60, 9) + "c1 1:0.5 7:1 9:2\n");
  SerialExecutor executor;
  const auto before = model.task->read({test}), after = again.task->read({test});
  EXPECT_EQ(model.task->evaluate(*before, model.weights, {}, executor)->dump(),
            again.task->evaluate(*after, again.weights, {}, executor)->dump());
}

TEST_F(GramTest, RefusesWhatItDoesNotServe) {
  const Flags none{{"kernel", "rbf"}, {"kernel_map", "none"}};
  expect_input_error([&] { learn(none, {.method = "crf"}); }, "serves maxima, not sums");
  expect_input_error([&] { learn(none, {.solver = "frank_wolfe"}); }, "use solver gram");
  expect_input_error([&] { learn({}, {.solver = "gram"}); }, "products of rows");
  expect_input_error(
      [&] {
        learn({{"kernel", "rbf"}, {"kernel_memory", 3.0}}, {});
      },
      "`kernel_memory` belongs");
  folder_.write("train", rings(5, 1) + "? 1:2\n");
  expect_input_error([&] { learn(none, {.method = "lssvm"}); }, "complete labels");
  auto taxonomy = make_taxonomy();
  for (const auto& [name, value] : none) set(taxonomy->options(), name, std::get<std::string>(value));
  expect_input_error([&] { taxonomy->read_training({folder_.write("train", rings(5, 1))}); },
                     "serves multiclass alone");
}

TEST(RowMultiples, AreSumsOfRows) {
  Random random(2);
  for (const std::size_t columns : {1, 15, 16, 50}) {
    std::vector<std::vector<float>> rows(5, std::vector<float>(columns));
    std::vector<RowMultiple> multiples;
    Vector out(columns, 0.5), expected(columns, 0.5);
    for (auto& row : rows) {
      for (float& v : row) v = static_cast<float>(random.normal());
      multiples.push_back({row.data(), random.normal()});
      for (std::size_t b = 0; b < columns; ++b)
        expected[b] += multiples.back().amount * static_cast<double>(row[b]);
    }
    add_multiples(out, multiples);
    for (std::size_t b = 0; b < columns; ++b) EXPECT_NEAR(out[b], expected[b], 1e-13);
  }
}

}  // namespace
}  // namespace hinge
