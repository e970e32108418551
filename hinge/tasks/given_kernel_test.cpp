#include "hinge/tasks/given_kernel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/kernel_features.h"
#include "hinge/model/model.h"
#include "hinge/tasks/binary/any_binary.h"
#include "hinge/tasks/taxonomy/any_taxonomy.h"
#include "hinge/training/carry_over.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

struct Point {
  double x, y;
};
struct Near {
  double operator()(const Point& a, const Point& b) const {
    return std::exp(-0.5 * ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)));
  }
};
using Points = KernelInputs<Point, Near>;

// On rings that touch.
std::vector<Point> points(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Point> all;
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = 1 + static_cast<double>(i % 3) + 0.4 * random.normal(),
                 turn = 6.28 * random.uniform();
    all.push_back({radius * std::cos(turn), radius * std::sin(turn)});
  }
  return all;
}

SparseRow features_of(const Point& p) { return {{1, 2}, {static_cast<float>(p.x), static_cast<float>(p.y)}}; }

// A task R whose inputs are points, as rows of features under the built-in kernel, and as inputs compared by a function.
template <class R>
class OfPoints {
 public:
  using Make = std::unique_ptr<RecordTask<R>> (*)();
  OfPoints(Make make, std::vector<std::string> classes, TrainingOptions options)
      : make_(make), classes_(std::move(classes)), options_(std::move(options)) {
    for (Point& p : train_) {  // rows of features are floats
      p.x = static_cast<double>(static_cast<float>(p.x));
      p.y = static_cast<double>(static_cast<float>(p.y));
    }
    inputs_ = std::make_shared<const Points>(train_, Near());
  }

  void expect_all() {
    const Model rows = fitted(rbf(), of_features(train_));
    for (const std::string map : {"greedy", "none"}) {
      SCOPED_TRACE(map);
      const Model given = fitted(precomputed(map), compared());
      EXPECT_EQ(given.summary["termination"], "converged");
      if (map == "none") {
        EXPECT_EQ(given.summary["solver"], "gram");
      }
      EXPECT_LE(number(given, "dual"), number(rows, "primal") * (1 + 1e-5));
      EXPECT_LE(number(rows, "dual"), number(given, "primal") * (1 + 1e-5));
      expect_answers(rows, given, 0.05);
      expect_file(given);
      expect_carried(given, map);
    }
  }

  // Training rows by what they are or by all their products, and others: what the model of features answers, but where classes
  // are as good as each other.
  void expect_answers(const Model& rows, const Model& given, double most) {
    R by_products;
    for (std::size_t i = 0; i < test_.size(); ++i)
      by_products.add((*inputs_)(test_[i]), classes_[i % classes_.size()]);
    EXPECT_NEAR(accuracy(rows, of_features(test_)), accuracy(given, std::move(by_products)), most);
    R trained;
    for (std::size_t i = 0; i < train_.size(); ++i)
      trained.add((*inputs_)(train_[i]), classes_[i % classes_.size()]);
    EXPECT_EQ(accuracy(given, compared()), accuracy(given, std::move(trained)));
  }

  // A file needs some of the inputs alone, and only products with those.
  void expect_file(const Model& given) {
    save_model(folder_.path("model"), given);
    const Model again = load_model(folder_.path("model"));
    Archive archive;
    again.task->save(archive);
    const auto& needed = archive.get<Index>("kernel_inputs");
    EXPECT_LE(needed.size(), train_.size());
    if (sparse_) {
      EXPECT_LT(needed.size(), train_.size());
    }
    R all, some;
    for (std::size_t i = 0; i < test_.size(); ++i) {
      all.add((*inputs_)(test_[i]), classes_[i % classes_.size()]);
      some.add((*inputs_)(test_[i], sorted(needed)), classes_[i % classes_.size()]);
    }
    const double before = accuracy(given, all);
    EXPECT_EQ(accuracy(again, all), before);
    EXPECT_EQ(accuracy(again, some), before);
    R beyond, known = compared();
    beyond.add({{static_cast<Index>(train_.size() + 1)}, {1}}, classes_[0]);
    expect_input_error([&] { accuracy(again, beyond); }, "but training had 90 inputs");
    expect_input_error([&] { accuracy(again, known); }, "other inputs than training compared");
    known.compared = nullptr;
    expect_input_error([&] { accuracy(again, known); }, "does not hold the inputs");
  }

  // Training goes on from a model's weights.
  void expect_carried(const Model& given, const std::string& map) {
    auto task = prepared(precomputed(map));
    const auto data = task->train_on(compared());
    EXPECT_EQ(carry_over(given, *task, task->dimension()), given.weights);
  }

  Model fitted(const std::function<void(AnyTask&)>& prepare, R records) {
    auto task = prepared(prepare);
    const auto data = task->train_on(std::move(records));
    return fit(std::move(task), *data, options_, executor_);
  }
  static std::function<void(AnyTask&)> precomputed(const std::string& map) {
    return [map](AnyTask& task) {
      set(task.options(), "kernel", std::string("precomputed"));
      set(task.options(), "kernel_map", map);
    };
  }
  R compared() const {
    R records;
    records.compared = inputs_;
    for (std::size_t i = 0; i < train_.size(); ++i)
      records.add(Points::row(i), classes_[i % classes_.size()]);
    return records;
  }
  std::function<void(AnyTask&)> extra_ = [](AnyTask&) {};
  bool sparse_ = true;  // whether some inputs are right by a margin

 private:
  static std::vector<Index> sorted(std::vector<Index> numbers) {
    std::ranges::sort(numbers);
    return numbers;
  }
  static void rbf_of(AnyTask& task) {
    set(task.options(), "kernel", std::string("rbf"));
    set(task.options(), "kernel_map", std::string("none"));
    set(task.options(), "kernel_gamma", 0.5);
  }
  static std::function<void(AnyTask&)> rbf() { return rbf_of; }
  std::unique_ptr<RecordTask<R>> prepared(const std::function<void(AnyTask&)>& prepare) {
    auto task = make_();
    prepare(*task);
    extra_(*task);
    return task;
  }
  R of_features(const std::vector<Point>& from) const {
    R records;
    for (std::size_t i = 0; i < from.size(); ++i)
      records.add(features_of(from[i]), classes_[i % classes_.size()]);
    return records;
  }
  static double number(const Model& model, const char* key) { return model.summary[key].get<double>(); }
  double accuracy(const Model& model, R records) {
    const auto& task = dynamic_cast<const RecordTask<R>&>(*model.task);
    const auto data = task.examples_of(std::move(records));
    return task.evaluate(*data, model.weights, {}, executor_)->at("accuracy").template get<double>();
  }

  Make make_;
  std::vector<std::string> classes_;
  TrainingOptions options_;
  std::vector<Point> train_ = points(90, 5), test_ = points(60, 6);
  std::shared_ptr<const Points> inputs_;
  SerialExecutor executor_;
  TemporaryFolder folder_;
};

const TrainingOptions kTight{.C = {300}, .settings = {{"gap", 1e-5}, {"max_passes", 1e5}}};

TEST(GivenKernel, HasTheOptimumOfTheSameKernelOfRows) {
  for (const std::string rescaling : {"margin", "slack"}) {
    SCOPED_TRACE(rescaling);
    TrainingOptions options = kTight;
    options.rescaling = rescaling;
    OfPoints<MulticlassRecords>(make_multiclass, {"a", "b", "c"}, options).expect_all();
    OfPoints<TaxonomyRecords>(make_taxonomy, {"a/x", "a/y", "b"}, options).expect_all();
  }
}

TEST(GivenKernel, ServesMeasures) {
  for (const std::string measure : {"error", "f1", "roc-area"}) {
    SCOPED_TRACE(measure);
    OfPoints<BinaryRecords> binary(make_binary, {"+1", "-1", "-1"},
                                   {.C = {10}, .settings = {{"gap", 1e-4}, {"max_passes", 1e5}}});
    binary.extra_ = [&](AnyTask& task) { set(task.options(), "measure", measure); };
    binary.sparse_ = measure == "error";
    binary.expect_all();
  }
}

// By features of landmarks all methods learn.
TEST(GivenKernel, ServesOtherMethodsByItsMap) {
  OfPoints<MulticlassRecords> classes(make_multiclass, {"a", "b", "c"}, {.method = "crf", .C = {300}});
  const auto map = OfPoints<MulticlassRecords>::precomputed("greedy"),
             none = OfPoints<MulticlassRecords>::precomputed("none");
  EXPECT_EQ(classes.fitted(map, classes.compared()).summary["termination"], "converged");
  expect_input_error([&] { classes.fitted(none, classes.compared()); }, "serves maxima, not sums");
}

// How often it was asked is counted.
struct Counted {
  double operator()(const Point& a, const Point& b) const {
    ++*asked;
    return (a.x < broken) != (b.x < broken) ? std::nan("") : Near()(a, b);
  }
  std::shared_ptr<std::atomic<std::size_t>> asked = std::make_shared<std::atomic<std::size_t>>(0);
  double broken = -1e9;
};

// Two heaps far from each other, of which a few inputs tell all.
MulticlassRecords heaps(const Counted& kernel) {
  Random random(4);
  std::vector<Point> all;
  for (std::size_t i = 0; i < 600; ++i)
    all.push_back({(i % 2 == 0 ? -1 : 1) + 0.1 * random.normal(), 0.1 * random.normal()});
  MulticlassRecords records;
  records.compared = std::make_shared<const KernelInputs<Point, Counted>>(all, kernel);
  for (std::size_t i = 0; i < all.size(); ++i) records.add(ComparedInputs::row(i), i % 2 == 0 ? "a" : "b");
  return records;
}

TEST(GivenKernel, IsAskedForProductsThatTheSolverNeedsByAnyThreads) {
  const Counted kernel;
  const auto learn = [&](const Counted& by, std::size_t threads) {
    auto task = make_multiclass();
    OfPoints<MulticlassRecords>::precomputed("none")(*task);
    const auto data = task->train_on(heaps(by));
    return fit(std::move(task), *data, {.C = {600}}, *make_executor(threads)).weights;
  };
  const Vector weights = learn(kernel, 1);
  EXPECT_LT(*kernel.asked, 600u * 600 / 4);
  EXPECT_EQ(learn(Counted(), 2), weights);
  EXPECT_EQ(learn(Counted(), 7), weights);
  Counted broken;
  broken.broken = -1.1;
  expect_input_error([&] { learn(broken, 2); }, "give finite numbers");

  auto task = make_multiclass();
  OfPoints<MulticlassRecords>::precomputed("none")(*task);
  MulticlassRecords few = heaps(kernel);
  few.rows.resize(9);
  const auto data = task->train_on(few);
  EXPECT_TRUE(task->check(*data, {}).passed()) << task->check(*data, {}).text();
}

TEST(GivenKernel, RefusesWhatIsNoKernel) {
  const auto table = [](std::vector<double> products, std::size_t n) {
    return ProductTable(std::move(products), n);
  };
  EXPECT_EQ(table({2, 1, 1, 3}, 2).product(1, 0), 1);
  expect_input_error([&] { table({2, 1, 1}, 2); }, "a row and a column for each of 2 inputs");
  expect_input_error([&] { table({2, 1, 1.1, 3}, 2); }, "kernels are symmetric");
  expect_input_error([&] { table({2, std::nan(""), 1, 3}, 2); }, "give finite numbers");
  expect_input_error([&] { table({-2, 1, 1, 3}, 2); }, "below 0");
  expect_input_error([&] { table({1, 2, 2, 1}, 2); }, "which is too large beside 1 and 1");

  // Of each two of these inputs a kernel could be, and of all three none: classes that are alike within are not.
  const auto odd =
      std::make_shared<const ProductTable>(std::vector<double>{1, .9, .9, .9, 1, -.9, .9, -.9, 1}, 3);
  for (const char* const map : {"greedy", "none"}) {
    MulticlassRecords records;
    records.compared = odd;
    for (std::size_t i = 0; i < 3; ++i) records.add(ProductTable::row(i), i == 0 ? "a" : "b");
    auto task = make_multiclass();
    set(task->options(), "kernel", std::string("precomputed"));
    set(task->options(), "kernel_map", std::string(map));
    set(task->options(), "bias", 0.0);
    SerialExecutor executor;
    expect_input_error(
        [&] {
          const auto data = task->train_on(records);
          fit(std::move(task), *data, {.C = {100}}, executor);
        },
        "positive semidefinite");
  }
}

TEST(GivenKernel, RefusesOtherRowsAndOptions) {
  OfPoints<MulticlassRecords> classes(make_multiclass, {"a", "b", "c"}, {});
  const auto none = OfPoints<MulticlassRecords>::precomputed("none");
  MulticlassRecords records = classes.compared();
  records.compared = nullptr;
  expect_input_error([&] { classes.fitted(none, records); }, "train in C++ or Python");
  expect_input_error([&] { classes.fitted([](AnyTask&) {}, classes.compared()); },
                     "need `kernel` precomputed");
  records = classes.compared();
  records.add({{1, 2}, {1, 1}}, "a");
  expect_input_error([&] { classes.fitted(none, records); }, "one of the inputs that are compared");
  records = classes.compared();
  records.add(Points::row(90), "a");
  expect_input_error([&] { classes.fitted(none, records); }, "there is no input 90");
  classes.extra_ = [](AnyTask& task) { set(task.options(), "kernel_gamma", 0.1); };
  expect_input_error([&] { classes.fitted(none, classes.compared()); },
                     "`kernel_gamma` belongs to kernels of rows");
  classes.extra_ = [](AnyTask& task) { set(task.options(), "kernel_map", std::string("nystroem")); };
  expect_input_error([&] { classes.fitted(none, classes.compared()); },
                     "of other inputs: use greedy or none");
}

}  // namespace
}  // namespace hinge
