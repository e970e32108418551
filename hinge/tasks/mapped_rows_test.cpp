#include "hinge/tasks/mapped_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/tasks/graph/any_graph.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/tasks/sequence_class/any_sequence_class.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

TEST(MappedRows, AFeatureApartLeavesItsPlace) {
  const FeatureRows rows{{0, 0, 3}, {1, 4, 6}, {2, 3, 5}};
  EXPECT_TRUE(row_of(rows, 0).index.empty());
  EXPECT_EQ(row_of(rows, 1).index, (std::vector<Index>{1, 4, 6}));
  const SparseRow without = row_of(rows, 1, 4);
  EXPECT_EQ(without.index, (std::vector<Index>{1, 5}));
  EXPECT_EQ(without.value, (std::vector<float>{2, 5}));
  EXPECT_DOUBLE_EQ(squared_norm(without), 29);
}

// Points on rings, as rows, as graphs of one node and as sequences of one frame.
struct Points {
  std::string rows, graphs, frames;

  Points() {
    Random random(4);
    for (int i = 0; i < 60; ++i) {
      const int ring = i % 3;
      const double radius = 1 + ring + 0.4 * random.uniform(), turn = 6.28 * random.uniform();
      const std::string x = fmt::format("{:.3f}", radius * std::cos(turn)),
                        y = fmt::format("{:.3f}", radius * std::sin(turn));
      rows += fmt::format("c{} 1:{} 2:{}\n", ring, x, y);
      graphs += fmt::format("{{\"features\":[[{},{}]],\"labels\":[\"c{}\"],\"edges\":[]}}\n", x, y, ring);
      frames += fmt::format("train c{} 1\n{} {}\n", ring, x, y);
    }
  }
};

// The optimum of a task with a kernel; `bias` of tasks that have one.
double optimum(std::unique_ptr<AnyTask> task, const std::string& text, const std::string& method,
               double bias) {
  const TemporaryFolder folder;
  set(task->options(), "kernel", std::string("rbf"));
  if (task->name() == "sequence-class") {
    set(task->options(), "states", 1);
    set(task->options(), "state_features", std::string("class"));
    set(task->options(), "standardise", false);
  } else {
    set(task->options(), "bias", bias);
  }
  const auto data = task->read_training({folder.write("train", text)});
  SerialExecutor executor;
  return fit(std::move(task), *data, {.method = method, .C = {20}, .settings = {{"gap", 1e-6}}}, executor)
      .summary["primal"]
      .get<double>();
}

TEST(MappedRows, ANodeByItselfIsARowAndSoIsAFrame) {
  const Points points;
  for (const std::string method : {"ssvm", "crf"}) {
    const double plain = optimum(make_multiclass(), points.rows, method, 0);
    const double biased = optimum(make_multiclass(), points.rows, method, 1);
    EXPECT_GT(std::abs(plain - biased), 1e-3 * plain);
    EXPECT_NEAR(optimum(make_graph(), points.graphs, method, 0), plain, 2e-6 * plain) << method;
    EXPECT_NEAR(optimum(make_graph(), points.graphs, method, 1), biased, 2e-6 * biased) << method;
    // A state by itself has a weight without a feature, which is a bias.
    EXPECT_NEAR(optimum(make_sequence_class(), points.frames, method, 1), biased, 2e-6 * biased) << method;
  }
}

class MappedGraph : public AdapterTest {
 protected:
  MappedGraph() : AdapterTest(make_graph()) {}
};

TEST_F(MappedGraph, SurvivesSaving) {
  set(task_->options(), "kernel", std::string("polynomial"));
  set(task_->options(), "bias", 0.5);
  set(task_->options(), "scale", true);
  const auto data = train(Points().graphs);
  EXPECT_TRUE(task_->check(*data, {}).passed());
  expect_survives_saving(*data, make_graph());
}

TEST_F(MappedGraph, RefusesNodesWithoutFeatures) {
  set(task_->options(), "kernel", std::string("rbf"));
  set(task_->options(), "bias", 1.0);
  expect_input_error([&] { train("{\"labels\":[\"a\",\"b\"],\"edges\":[[0,1]]}\n"); },
                     "no node has a feature");
}

class MappedFrames : public AdapterTest {
 protected:
  MappedFrames() : AdapterTest(make_sequence_class()) {}
};

TEST_F(MappedFrames, SurviveSaving) {
  set(task_->options(), "kernel", std::string("rbf"));
  set(task_->options(), "kernel_map", std::string("fourier"));
  set(task_->options(), "kernel_size", 7);
  set(task_->options(), "window", 1);
  const auto data = train(Points().frames);
  EXPECT_EQ(data->facts().at("kernel_features"), 7);
  EXPECT_TRUE(task_->check(*data, {}).passed());
  expect_survives_saving(*data, make_sequence_class());
}

}  // namespace
}  // namespace hinge
