#include "hinge/solvers/gram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/core/row_multiples.h"
#include "hinge/model/model.h"
#include "hinge/model/model_file.h"
#include "hinge/oracle/gram_oracle.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/tasks/binary/any_binary.h"
#include "hinge/tasks/binary/goal.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/rank/any_rank.h"
#include "hinge/tasks/taxonomy/any_taxonomy.h"
#include "hinge/training/carry_over.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

using Flags = std::map<std::string, std::variant<std::string, double, int>>;

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

double number(const Model& model, const char* key) { return model.summary[key].get<double>(); }

class GramTest : public ::testing::Test {
 protected:
  virtual std::unique_ptr<AnyTask> make() const { return make_multiclass(); }
  std::unique_ptr<AnyTask> task(const Flags& flags) const {
    auto made = make();
    for (const auto& [name, value] : flags)
      std::visit([&](const auto& v) { set(made->options(), name, v); }, value);
    return made;
  }
  Model learn(const Flags& flags, TrainingOptions options, std::size_t threads = 1) {
    auto own = task(flags);
    const auto data = own->read_training({train_});
    return fit(std::move(own), *data, options, *make_executor(threads));
  }
  // The optimum of the same kernel by features that have its products, within both gaps.
  void expect_the_optimum_of_the_map(Flags flags, const TrainingOptions& options, const std::string& about) {
    const Model mapped = learn(flags, options);
    flags["kernel_map"] = std::string("none");
    const Model own = learn(flags, options);
    EXPECT_EQ(mapped.summary["termination"], "converged") << about;
    EXPECT_EQ(own.summary["solver"], "gram") << about;
    EXPECT_EQ(own.summary["termination"], "converged") << about;
    const double rounding = 1e-5 * number(mapped, "primal");  // features of the map are floats
    EXPECT_LE(number(own, "dual"), number(mapped, "primal") + rounding) << about;
    EXPECT_GE(number(own, "primal"), number(mapped, "dual") - rounding) << about;
  }
  // Of weights over features themselves, whose answers on the same rows are the same too, by a metric.
  void expect_the_optimum_of_features(const TrainingOptions& options, const char* metric,
                                      const Flags& others = {}) {
    Flags none = others;
    none["kernel"] = std::string("linear");
    none["kernel_map"] = std::string("none");
    const Model plain = learn(others, options), own = learn(none, options);
    EXPECT_NEAR(number(own, "primal"), number(plain, "primal"),
                2 * number(plain, "gap") + 2 * number(own, "gap") + 1e-6 * number(plain, "primal"));
    const auto of_plain = plain.task->read({train_}), of_own = own.task->read({train_});
    SerialExecutor executor;
    if (metric == nullptr) return;
    EXPECT_NEAR(own.task->evaluate(*of_own, own.weights, {}, executor)->at(metric).get<double>(),
                plain.task->evaluate(*of_plain, plain.weights, {}, executor)->at(metric).get<double>(), 0.02);
  }
  // A model file has the rows that it needs, and no others, and answers the same.
  void expect_model_keeps_needed_rows(const Flags& flags, const TrainingOptions& options,
                                      const std::string& test) {
    const Model model = learn(flags, options);
    const std::string path = folder_.path("model");
    save_model(path, model);
    const Model again = load_model(path);
    EXPECT_LT(again.weights.size(), model.weights.size());
    SerialExecutor executor;
    const std::string file = folder_.write("test", test);
    const auto before = model.task->read({file}), after = again.task->read({file});
    EXPECT_EQ(model.task->evaluate(*before, model.weights, {}, executor)->dump(),
              again.task->evaluate(*after, again.weights, {}, executor)->dump());
  }
  void expect_same_bits(const Flags& flags, const TrainingOptions& options) {
    const Vector first = learn(flags, options).weights;
    for (const std::size_t threads : {2, 7}) EXPECT_EQ(learn(flags, options, threads).weights, first);
    Flags small = flags;
    small["kernel_memory"] = 0.004;  // three rows
    EXPECT_EQ(learn(small, options).weights, first);
  }

  TemporaryFolder folder_;
  std::string train_ = folder_.write("train", rings(150, 5));
};

TEST_F(GramTest, FindsTheOptimumOfTheMap) {
  const std::string costs = folder_.write("costs", "c0 c1 c2\nc0 0 1 3\nc1 2 0 1\nc2 0.5 1 0\n");
  for (const std::string kernel : {"linear", "polynomial", "rbf"})
    for (const std::string rescaling : {"margin", "slack"})
      for (const double bias : {0.0, 2.0})
        for (const std::string& cost : {std::string(), costs}) {
          const TrainingOptions options{
              .C = {300}, .rescaling = rescaling, .settings = {{"gap", 1e-5}, {"max_passes", 1e5}}};
          expect_the_optimum_of_the_map({{"kernel", kernel}, {"bias", bias}, {"cost_matrix", cost}}, options,
                                        fmt::format("{} {} {} {}", kernel, rescaling, bias, cost));
        }
}

// Products are large then and almost the same, and amounts of rows nearly cancel.
TEST_F(GramTest, BoundsTheOptimumOfRowsFarFromZero) {
  Random random(7);
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const double x = random.normal(), y = random.normal(), noise = random.uniform();
    text += fmt::format("c{} 1:{:.3f} 2:{:.3f}\n", noise < 0.15 ? i % 3 : x + y > 0 ? 1 : 0, x + 10, y + 10);
  }
  folder_.write("train", text);
  const TrainingOptions options{.C = {20000}, .settings = {{"gap", 1e-3}, {"max_passes", 1e5}}};
  TrainingOptions few = options;  // weights
  few.solver = "bundle";
  few.settings["gap"] = 1e-5;
  const Model plain = learn({{"bias", 30.0}}, few);
  const Model own = learn({{"bias", 30.0}, {"kernel", "linear"}, {"kernel_map", "none"}}, options);
  EXPECT_EQ(plain.summary["termination"], "converged");
  EXPECT_EQ(own.summary["termination"], "converged");
  EXPECT_LE(number(own, "dual"), number(plain, "primal"));
  EXPECT_GE(number(own, "primal"), number(plain, "dual"));
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
  expect_same_bits({{"kernel", "rbf"}, {"kernel_map", "none"}}, {.C = {1000}});
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
  auto rank = make_rank();
  for (const auto& [name, value] : none) set(rank->options(), name, std::get<std::string>(value));
  expect_input_error([&] { rank->read_training({folder_.write("train", "1 qid:1 1:1\n0 qid:1 2:1\n")}); },
                     "serves margins of multiclass, taxonomy and binary");
}

// Classes of a hierarchy around points of the plane, near those beside which they stand.
std::string families(std::size_t count, std::uint64_t seed, std::span<const char* const> names) {
  Random random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t c = random.below(names.size());
    const double turn = 6.28 * static_cast<double>(c) / static_cast<double>(names.size());
    text += fmt::format("{} cost:{:.2f} 1:{:.3f} 2:{:.3f} 3:{:.3f}\n", names[c], 0.5 + random.uniform(),
                        2 * std::cos(turn) + random.normal(), 2 * std::sin(turn) + random.normal(),
                        random.uniform());
  }
  return text;
}
constexpr const char* kClasses[] = {"a.x.1", "a.x.2", "a.y", "b.x", "b.y.1", "c"};

class GramOfTaxonomies : public GramTest {
 protected:
  std::unique_ptr<AnyTask> make() const override { return make_taxonomy(); }
  GramOfTaxonomies() { folder_.write("train", families(120, 4, kClasses)); }
};

TEST_F(GramOfTaxonomies, FindTheOptimumOfTheMap) {
  // graphs in which classes have several parents; in the second, classes of examples stand above others
  const std::string parents = folder_.write(
      "parents", "a\nb\nd\na.x a\nb.x a b\nc d\na.x.1 a.x b\na.x.2 a.x\na.y a d\nb.y b\nb.y.1 b.y d\n");
  const std::string nested = folder_.write(
      "nested", "a\nb\na.x a\nb.x a b\nc\na.x.1 a.x b\na.x.2 a.x\na.y a b.x\nb.y b\nb.y.1 b.y c\n");
  const TrainingOptions margin{.C = {300}, .settings = {{"gap", 1e-5}, {"max_passes", 1e5}}};
  TrainingOptions slack = margin;
  slack.rescaling = "slack";
  for (const std::string kernel : {"linear", "polynomial", "rbf"})
    for (const TrainingOptions& options : {margin, slack})
      for (const auto& [about, flags] :
           std::map<std::string, Flags>{{"tree", {}},
                                        {"all", {{"answers", "all"}, {"bias", 2.0}}},
                                        {"errors", {{"loss", "errors"}, {"bias", 0.0}}},
                                        {"parents", {{"parents", parents}}},
                                        {"nested", {{"parents", nested}, {"answers", "all"}}}}) {
        Flags own = flags;
        own["kernel"] = kernel;
        if (kernel == "polynomial")
          own["kernel_degree"] = 2;  // of cubes the map leaves out more than that rounding
        expect_the_optimum_of_the_map(own, options,
                                      fmt::format("{} {} {}", kernel, options.rescaling, about));
      }
}

TEST_F(GramOfTaxonomies, FindTheOptimumOfFeatures) {
  expect_the_optimum_of_features({.C = {300}, .settings = {{"gap", 1e-6}, {"max_passes", 1e6}}}, "accuracy");
}

TEST_F(GramOfTaxonomies, HaveTheSameBitsAndModelsWithoutIdleRows) {
  const Flags flags{{"kernel", "rbf"}, {"kernel_map", "none"}, {"answers", "all"}};
  expect_same_bits(flags, {.C = {1000}});
  expect_model_keeps_needed_rows(flags, {.C = {30}}, families(40, 9, kClasses) + "a.x.1 1:0.5 7:1 9:2\n");
}

TEST_F(GramOfTaxonomies, AreCheckedAndRefuseWhatIsNotServed) {
  Flags flags{{"kernel", "rbf"}, {"kernel_map", "none"}};
  auto checked = task(flags);
  folder_.write("train", families(12, 2, kClasses));
  const auto data = checked->read_training({train_});
  EXPECT_TRUE(checked->check(*data, {}).passed()) << checked->check(*data, {}).text();
  expect_input_error([&] { learn(flags, {.method = "crf"}); }, "serves maxima, not sums");
  flags["features"] = std::string("observed");
  expect_input_error([&] { learn(flags, {}); }, "weighs rows");
  flags.erase("features");
  folder_.write("train", "a.x.1 1:1\na.x.2 2:1\na.x 1:1\n");  // the last is hidden below a.x
  expect_input_error([&] { learn(flags, {.method = "lssvm"}); }, "complete labels");
}

// Two classes, one of them rare, in samples of 40 rows; some rows have no label.
std::string samples(std::size_t count, std::uint64_t seed, bool named) {
  Random random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const bool positive = random.below(4) == 0;
    const double turn = 6.28 * random.uniform(), radius = (positive ? 1 : 2) + 0.5 * random.normal();
    text += fmt::format("{} {}1:{:.3f} 2:{:.3f} 3:{:.3f}\n",
                        random.below(9) == 0 ? "?"
                        : positive           ? "+1"
                                             : "-1",
                        named ? fmt::format("qid:{} ", i / 40) : "", radius * std::cos(turn) + 0.3 * positive,
                        radius * std::sin(turn), random.uniform());
  }
  return text;
}

class GramOfSamples : public GramTest {
 protected:
  std::unique_ptr<AnyTask> make() const override { return make_binary(); }
  GramOfSamples() { folder_.write("train", samples(120, 6, false)); }
};

TEST_F(GramOfSamples, FindTheOptimumOfTheMapForEveryMeasure) {
  const TrainingOptions margin{.C = {3}, .settings = {{"gap", 1e-4}, {"max_passes", 1e5}}};
  TrainingOptions slack = margin;
  slack.rescaling = "slack";
  slack.C = {0.1};
  for (const bool named : {false, true}) {
    folder_.write("train", samples(120, 6, named));
    for (const std::string& measure : measure_names()) {
      const auto expect = [&](const char* kernel, const TrainingOptions& options) {
        expect_the_optimum_of_the_map({{"kernel", kernel}, {"measure", measure}, {"beta", 2.0}}, options,
                                      fmt::format("{} {} {} {}", measure, options.rescaling, kernel, named));
      };
      expect("polynomial", margin);
      expect("rbf", margin);
      if (measure != "average-precision") expect("rbf", slack);
    }
  }
}

// Planes are steep then, and bound nothing until there are many of them: no reason to end.
TEST_F(GramOfSamples, ConvergeUnderSlackRescalingOfManyRows) {
  folder_.write("train", samples(400, 6, false));
  const TrainingOptions options{
      .C = {10}, .rescaling = "slack", .settings = {{"gap", 1e-2}, {"max_passes", 1e4}}};
  expect_the_optimum_of_the_map({{"kernel", "rbf"}, {"measure", "error"}}, options, "400 rows");
}

TEST_F(GramOfSamples, FindTheOptimumOfFeatures) {
  const TrainingOptions options{.C = {10}, .settings = {{"gap", 1e-5}, {"max_passes", 1e6}}};
  expect_the_optimum_of_features(options, "accuracy", {{"measure", "error"}});
  expect_the_optimum_of_features(options, nullptr, {{"measure", "f1"}});  // scores are near 0 here
  expect_the_optimum_of_features(options, "roc_area", {{"measure", "roc-area"}});
}

TEST_F(GramOfSamples, HaveTheSameBitsAndModelsWithoutIdleRows) {
  for (const std::string measure : {"error", "f1"}) {
    const Flags flags{{"kernel", "rbf"}, {"kernel_map", "none"}, {"measure", measure}};
    expect_same_bits(flags, {.C = {30}});
    expect_model_keeps_needed_rows(flags, {.C = {30}}, samples(80, 9, true) + "1 qid:9 1:0.5 7:1 9:2\n");
  }
}

TEST_F(GramOfSamples, AreCheckedAndRefuseWhatIsNotServed) {
  folder_.write("train", samples(9, 3, false));
  for (const std::string& measure : measure_names()) {
    auto checked = task({{"kernel", "rbf"}, {"kernel_map", "none"}, {"measure", measure}});
    set(checked->options(), "at", 3);
    const auto data = checked->read_training({train_});
    EXPECT_TRUE(checked->check(*data, {}).passed()) << measure << checked->check(*data, {}).text();
  }
  expect_input_error(
      [&] {
        learn({{"kernel", "rbf"}, {"kernel_map", "none"}, {"measure", "error"}}, {.method = "crf"});
      },
      "serves maxima, not sums");
}

// Steps of a path of C begin where the one before ended.
TEST_F(GramOfSamples, GoOnFromWeights) {
  for (const std::string measure : {"error", "f1"}) {
    const TrainingOptions options{.settings = {{"gap", 1e-5}}};
    auto own = task({{"kernel", "rbf"}, {"kernel_map", "none"}, {"measure", measure}});
    const auto data = own->read_training({train_});
    SerialExecutor executor;
    std::vector<double> primal;
    ObserverWatch watch(options.watch);
    fit(std::move(own), *data, options, executor,
        {.values = {10, 12},
         .told = [&](const Vector&, const JsonValue& run) { primal.push_back(run["primal"].get<double>()); }},
        watch);
    TrainingOptions alone = options;
    alone.C = {12};
    const Model anew = learn({{"kernel", "rbf"}, {"kernel_map", "none"}, {"measure", measure}}, alone);
    ASSERT_EQ(primal.size(), 2u);
    EXPECT_NEAR(primal[1], number(anew, "primal"), 2e-5 * primal[1]);
  }
}

// Strings of letters among which the motif of their class stands, some of them twice; no weights.
std::string songs(std::size_t count, std::uint64_t seed, std::span<const char* const> names) {
  constexpr const char* kMotifs[] = {"aab", "bca", "ccc", "abc", "cab", "bbb"};
  Random random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t c = random.below(names.size());
    std::string song;
    for (std::size_t k = 5 + random.below(5); k > 0; --k) {
      song += static_cast<char>('a' + random.below(3));
      if (random.below(2) == 0) song += kMotifs[c];
    }
    text += fmt::format("{}\t{}\n", names[c], song);
  }
  return text;
}

// Products of strings have the optimum of the rows that the complete map makes of them.
class GramOfStrings : public GramTest {
 protected:
  std::unique_ptr<AnyTask> make() const override { return make_(); }
  void use(std::function<std::unique_ptr<AnyTask>()> make_task, std::span<const char* const> names) {
    make_ = std::move(make_task);
    folder_.write("train", songs(70, 8, names));
    test_ = songs(40, 9, names);
  }
  void expect_all(const Flags& others, const TrainingOptions& options) {
    for (const std::string kernel : {"spectrum", "subsequence"}) {
      Flags flags = others;
      flags["kernel"] = kernel;
      flags["kernel_length"] = 2;
      expect_the_optimum_of_the_map(flags, options, kernel);
      flags["kernel_map"] = std::string("none");
      expect_same_bits(flags, options);
      expect_model_keeps_needed_rows(flags, options, test_);
      expect_carried(flags, options);
      auto checked = task(flags);
      folder_.write("few", test_.substr(0, test_.find('\n', test_.size() / 4) + 1));
      const auto data = checked->read_training({folder_.path("few")});
      EXPECT_TRUE(checked->check(*data, {}).passed()) << checked->check(*data, {}).text();
      EXPECT_EQ(checked->feature_name(0).substr(0, 8), "kernel 1");
    }
  }

  // Training goes on from the strings that a model file has kept.
  void expect_carried(const Flags& flags, const TrainingOptions& options) {
    const Model model = learn(flags, options);
    save_model(folder_.path("model"), model);
    auto own = task(flags);
    const auto data = own->read_training({train_});
    const Vector weights = carry_over(load_model(folder_.path("model")), *own, own->dimension());
    SerialExecutor executor;
    EXPECT_EQ(own->evaluate(*data, weights, {}, executor), own->evaluate(*data, model.weights, {}, executor));
  }

  static constexpr const char* kThree[] = {"c0", "c1", "c2"};
  static constexpr const char* kSigns[] = {"-1", "+1", "?"};
  std::function<std::unique_ptr<AnyTask>()> make_;
  std::string test_;
  TrainingOptions options_{.C = {1000}, .settings = {{"gap", 1e-5}, {"max_passes", 1e5}}};
};

TEST_F(GramOfStrings, OfMulticlass) {
  use([] { return make_multiclass(); }, kThree);
  expect_all({}, options_);
  expect_all({{"bias", 0.0}}, options_);
}

TEST_F(GramOfStrings, OfTaxonomy) {
  use([] { return make_taxonomy(); }, kClasses);
  expect_all({{"answers", "all"}}, options_);
}

TEST_F(GramOfStrings, OfBinary) {
  use([] { return make_binary(); }, kSigns);
  options_.C = {10};
  options_.settings["gap"] = 1e-4;
  expect_all({{"measure", "error"}}, options_);
  expect_all({{"measure", "f1"}}, options_);
}

TEST_F(GramOfStrings, RefuseWhatIsNotServed) {
  use([] { return make_multiclass(); }, kThree);
  Flags flags{{"kernel", "spectrum"}, {"kernel_map", "nystroem"}};
  expect_input_error([&] { learn(flags, {}); }, "`kernel_map` nystroem is of rows");
  flags["kernel_map"] = std::string("none");
  expect_input_error([&] { learn(flags, {.method = "crf"}); }, "serves maxima, not sums");
  flags["kernel_length"] = 90;
  expect_input_error([&] { learn(flags, {}); }, "no string has 90 letters to compare");
  flags["kernel_length"] = 2;
  auto trained = task(flags);
  trained->read_training({train_});
  Archive archive;
  trained->save(archive);
  archive.arrays["kernel_letters_begin"] = std::vector<Index>{0, 7, 3};
  expect_input_error([&] { make()->load(archive); }, "strings do not fit together");
}

TEST(RowMultiples, AreSumsOfRows) {
  Random random(2);
  for (const std::size_t columns : {1, 15, 16, 50}) {
    std::vector<Vector> rows(5, Vector(columns));
    std::vector<RowMultiple> multiples;
    Vector out(columns, 0.5), expected(columns, 0.5);
    for (auto& row : rows) {
      for (double& v : row) v = random.normal();
      multiples.push_back({row.data(), random.normal()});
      for (std::size_t b = 0; b < columns; ++b) expected[b] += multiples.back().amount * row[b];
    }
    add_multiples(out, multiples);
    for (std::size_t b = 0; b < columns; ++b) EXPECT_NEAR(out[b], expected[b], 1e-13);
  }
}

}  // namespace
}  // namespace hinge
