#include "hinge/tasks/row_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/model/model.h"
#include "hinge/parallel/thread_executor.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/multiclass/records.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

constexpr std::size_t kFeatures = 5;

std::vector<SparseRow> random_rows(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SparseRow> rows(count);
  for (SparseRow& row : rows)
    for (Index j = 0; j < kFeatures; ++j)
      if (random.below(3) > 0) {
        row.index.push_back(j);
        row.value.push_back(static_cast<float>(random.normal()));
      }
  rows[0] = {{1}, {0.5f}};
  return rows;
}

double product(const SparseRow& a, const SparseRow& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.index.size(); ++i)
    for (std::size_t j = 0; j < b.index.size(); ++j)
      if (a.index[i] == b.index[j]) sum += static_cast<double>(a.value[i]) * static_cast<double>(b.value[j]);
  return sum;
}

// Of rows that have all features.
double dense_product(const SparseRow& a, const SparseRow& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k)
    sum += static_cast<double>(a.value[k]) * static_cast<double>(b.value[k]);
  return sum;
}

std::vector<RowMap::View> views(const std::vector<SparseRow>& rows) {
  std::vector<RowMap::View> all;
  for (const SparseRow& row : rows) all.push_back({&row, product(row, row)});
  return all;
}

double kernel(const KernelOptions& options, const SparseRow& a, const SparseRow& b) {
  if (options.kernel == "linear") return product(a, b);
  if (options.kernel == "polynomial")
    return std::pow(options.gamma * product(a, b) + options.offset, options.degree);
  return std::exp(-options.gamma * (product(a, a) + product(b, b) - 2 * product(a, b)));
}

TEST(RowMap, ProductsAreTheKernel) {
  const auto rows = random_rows(25, 1);
  for (const std::string name : {"linear", "polynomial", "rbf"}) {
    const KernelOptions options{.kernel = name, .gamma = 0.4, .degree = 2, .offset = 0.5};
    const RowMap map(views(rows), kFeatures, options);
    EXPECT_LE(map.rest().value(), 1e-6);
    EXPECT_LE(map.size(), rows.size());
    EXPECT_TRUE(name != "linear" || map.size() == kFeatures);
    const auto other =
        random_rows(3, 2);  // one side may be new where the span of the landmarks is everything
    for (const SparseRow& a : rows)
      for (const SparseRow& b : name == "linear" ? other : rows)
        EXPECT_NEAR(product(map({&a, product(a, a)}), map({&b, product(b, b)})), kernel(options, a, b), 2e-5)
            << name;
  }
}

TEST(RowMap, DrawnLandmarksAndWavesComeNear) {
  const auto rows = random_rows(40, 3);
  const KernelOptions drawn{.kernel = "rbf", .gamma = 0.2, .map = "nystroem", .size = 20};
  const RowMap landmarks(views(rows), kFeatures, drawn);
  const KernelOptions random{.kernel = "rbf", .gamma = 0.2, .map = "fourier", .size = 4000};
  const RowMap waves(views(rows), kFeatures, random);
  EXPECT_FALSE(waves.rest());
  const auto mapped = [&](const RowMap& map) {
    std::vector<SparseRow> all;
    for (const RowMap::View& x : views(rows)) all.push_back(map(x));
    return all;
  };
  const auto near = mapped(landmarks), waved = mapped(waves);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      EXPECT_LE(std::abs(dense_product(near[i], near[j]) - kernel(drawn, rows[i], rows[j])),
                landmarks.rest().value() + 1e-5);
      EXPECT_NEAR(dense_product(waved[i], waved[j]), kernel(random, rows[i], rows[j]), 6 / std::sqrt(4000.0));
    }
}

TEST(RowMap, IsKeptToTheLastBit) {
  const auto rows = random_rows(20, 4);
  for (const std::string map : {"greedy", "nystroem", "fourier"}) {
    const RowMap made(views(rows), kFeatures, {.kernel = "rbf", .map = map, .size = 10, .seed = 5});
    Archive archive;
    made.save(archive);
    const RowMap again(archive, kFeatures);
    for (const SparseRow& row : rows)
      EXPECT_EQ(made({&row, product(row, row)}).value, again({&row, product(row, row)}).value) << map;
  }
}

TEST(RowMap, RefusesWhatMakesNoSense) {
  const auto rows = random_rows(5, 4);
  EXPECT_THROW((KernelOptions{.gamma = 2}.any()), InputError);
  EXPECT_FALSE(KernelOptions{}.any());
  expect_input_error([] { KernelOptions{.kernel = "linear", .gamma = 2}.any(); },
                     "`kernel_gamma` belongs to");
  expect_input_error([] { KernelOptions{.kernel = "rbf", .degree = 2}.any(); }, "`kernel_degree` belongs to");
  expect_input_error([] { KernelOptions{.kernel = "linear", .offset = 2}.any(); },
                     "`kernel_offset` belongs to");
  expect_input_error([] { KernelOptions{.kernel = "rbf", .seed = 2}.any(); }, "`kernel_seed` belongs to");
  EXPECT_TRUE((KernelOptions{.kernel = "polynomial", .gamma = 2, .degree = 2, .offset = 2}.any()));
  EXPECT_TRUE((KernelOptions{.kernel = "rbf", .gamma = 2, .map = "nystroem", .seed = 2}.any()));
  std::vector<SparseRow> large = rows;
  large[1] = {{0}, {1e30f}};
  EXPECT_THROW(RowMap(views(large), kFeatures, {.kernel = "polynomial", .gamma = 1, .degree = 20}),
               InputError);
  EXPECT_THROW(RowMap(views(rows), kFeatures, {.kernel = "linear", .map = "fourier"}), InputError);
}

TEST(RowMap, NeedsAFeature) {
  const std::vector<SparseRow> empty(3);
  for (const std::string map : {"greedy", "fourier"})
    expect_input_error(
        [&] { RowMap(views(empty), 0, {.kernel = map == "greedy" ? "linear" : "rbf", .map = map}); },
        "no row has a feature");
}

// What a damaged file says of the number of waves.
TEST(RowMap, RefusesSizesThatAreNone) {
  const auto rows = random_rows(5, 4);
  Archive archive;
  RowMap(views(rows), kFeatures, {.kernel = "rbf", .map = "fourier", .size = 10}).save(archive);
  for (const double size : {0.5, -1.0, 1e300, std::nan("")}) {
    std::get<std::vector<double>>(archive.arrays["kernel"])[5] = size;
    EXPECT_THROW(RowMap(archive, kFeatures), InputError) << size;
  }
}

// (1 + <x, x'>)² of two features, written out.
SparseRow squares(float a, float b) {
  const float r = std::sqrt(2.0f);
  return {{1, 2, 3, 4, 5, 6}, {1, r * a, r * b, a * a, b * b, r * a * b}};
}

double optimum(const std::string& method, const MulticlassRecords& records, const std::string& kernel) {
  auto task = make_multiclass();
  for (const OptionRef& option : task->options()) {
    if (option.name == "bias") *std::get<double*>(option.field) = 0;
    if (kernel == "none") continue;
    if (option.name == "kernel") *std::get<std::string*>(option.field) = kernel;
    if (kernel != "polynomial") continue;
    if (option.name == "kernel_degree") *std::get<int*>(option.field) = 2;
    if (option.name == "kernel_gamma" || option.name == "kernel_offset") *std::get<double*>(option.field) = 1;
  }
  const auto data = task->train_on(records);
  SerialExecutor executor;
  return fit(std::move(task), *data, {.method = method, .C = {20}}, executor).summary["primal"].get<double>();
}

TEST(RowMap, AKernelHasTheOptimumOfItsFeaturesWrittenOut) {
  Random random(9);
  MulticlassRecords plain, written;
  for (int i = 0; i < 60; ++i) {
    const auto a = static_cast<float>(random.normal()), b = static_cast<float>(random.normal());
    const std::string label = a * a + b * b < 0.7f ? "in" : a > 0 ? "right" : "left";
    plain.add({{1, 2}, {a, b}}, label);
    written.add(squares(a, b), label);
  }
  for (const std::string method : {"ssvm", "crf"}) {
    const double kernel = optimum(method, plain, "polynomial"), features = optimum(method, written, "none");
    EXPECT_NEAR(kernel, features, 2e-3 * features) << method;
    EXPECT_NEAR(optimum(method, plain, "linear"), optimum(method, plain, "none"), 2e-3 * kernel) << method;
    EXPECT_GT(optimum(method, plain, "none"), 1.2 * kernel);  // so that the two could differ
  }
}

}  // namespace
}  // namespace hinge
