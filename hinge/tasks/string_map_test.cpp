#include "hinge/tasks/string_map.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hinge/core/random.h"
#include "hinge/kernel_features.h"
#include "hinge/tasks/multiclass/any_multiclass.h"
#include "hinge/training/fit.h"
#include "tests/support/any_task.h"

namespace hinge {
namespace {

// Songs of two birds, of notes that follow each other in one way or the other.
std::vector<std::pair<std::string, std::string>> songs(std::size_t count) {
  Random random(6);
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string habit = i % 2 == 0 ? "abc" : "acb";
    std::string song;
    for (std::size_t k = 0; k < 4 + random.below(4); ++k)
      for (const char note : habit) {
        song += note;
        if (random.below(3) == 0) song += static_cast<char>('a' + random.below(5));
      }
    all.emplace_back(habit, song);
  }
  return all;
}

std::string text_of(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::string text;
  for (const auto& [label, song] : lines) text += fmt::format("{}\t{}\n", label, song);
  return text;
}

class Strings : public AdapterTest {
 protected:
  Strings() : AdapterTest(make_multiclass()) { kernel("subsequence"); }
  void kernel(const std::string& name) { set(task_->options(), "kernel", name); }
};

TEST_F(Strings, HaveTheProductsOfTheKernel) {
  std::vector<std::string> strings{"", "ab"};
  for (const auto& [label, song] : songs(12)) strings.push_back(song);
  InputKernel options;
  options.length = 2;
  for (const std::string name : {"spectrum", "subsequence"}) {
    options.kernel = name;
    const StringMap map(strings, options);
    Archive archive;
    map.save(archive);
    const StringMap loaded(archive);
    for (const std::string& s : strings)
      for (const std::string& t : strings) {
        const SparseRow a = map(s), b = loaded(t);
        double product = 0;
        for (std::size_t k = 0; k < a.value.size(); ++k)
          product += static_cast<double>(a.value[k]) * static_cast<double>(b.value[k]);
        const double expected =
            name == "spectrum" ? SpectrumKernel{2}(s, t) : SubsequenceKernel{2, 0.5}(s, t);
        EXPECT_NEAR(product, expected, 1e-5) << name << ": " << s << ", " << t;
      }
  }
}

// From a file as from rows that a program makes of the same strings, in any order of the lines.
TEST_F(Strings, ReachTheOptimumOfRowsWithTheSameProducts) {
  auto lines = songs(30);
  const TrainingOptions options{.C = {20}, .settings = {{"gap", 1e-6}}};
  SerialExecutor executor;
  std::vector<std::string> strings;
  for (const auto& [label, song] : lines) strings.push_back(song);
  const KernelFeatures features(strings, SubsequenceKernel{.length = 3, .decay = 0.5});
  MulticlassRecords records;
  for (const auto& [label, song] : lines) records.add(features(song), label);
  auto rows = make_multiclass();
  const auto of_rows = rows->train_on(records);
  const double expected = fit(std::move(rows), *of_rows, options, executor).summary["primal"].get<double>();
  for (int turn = 0; turn < 2; ++turn) {
    auto task = make_multiclass();
    set(task->options(), "kernel", std::string("subsequence"));
    const auto data = task->read_training({folder_.write("songs", text_of(lines))});
    const Model model = fit(std::move(task), *data, options, executor);
    EXPECT_NEAR(model.summary["primal"].get<double>(), expected, 1e-5 * expected);
    std::ranges::reverse(lines);
  }
}

TEST_F(Strings, SurviveSaving) {
  for (const std::string name : {"spectrum", "subsequence"}) {
    kernel(name);
    const auto data = train(text_of(songs(20)) + "?\tabcab\n?abc|acb\tab ca\tb\n");
    EXPECT_EQ(data->facts().at("unlabelled"), 1);
    EXPECT_TRUE(task_->check(*data, {}).passed());
    expect_survives_saving(*data, make_multiclass());
  }
}

TEST_F(Strings, RefuseBadInput) {
  const auto refused = [&](const std::string& text, const std::string& sentence) {
    expect_input_error([&] { train(text); }, sentence);
  };
  refused("a\tabc\nb abc\n", "train:2: has no tab between a label and a string");
  refused("\tabc\n", "train:1: has no label before its tab");
  refused("a\tabc\nb\t\n", "train:2: has no string behind its tab");
  refused("\n", "has no example");
  refused("a\tab\nb\tba\n", "no string has 3 letters");
  refused("?\tabc\n?\tabd\n", "no example has a label");
  set(task_->options(), "kernel_gamma", 2.0);
  refused("a\tabc\nb\tabd\n", "`kernel_gamma` belongs to kernels of rows");
  set(task_->options(), "kernel_gamma", 0.0);
  set(task_->options(), "kernel_map", std::string("nystroem"));
  refused("a\tabc\nb\tabd\n", "use greedy");
  set(task_->options(), "kernel_map", std::string("greedy"));
  kernel("spectrum");
  set(task_->options(), "kernel_decay", 0.3);
  refused("a\tabc\nb\tabd\n", "`kernel_decay` belongs to the subsequence kernel");
  kernel("rbf");
  set(task_->options(), "kernel_decay", 0.5);
  set(task_->options(), "kernel_length", 2);
  refused("a 1:2\nb 1:3\n", "`kernel_length` belongs to kernels of strings");
}

TEST_F(Strings, AreNotRowsInMemory) {
  train(text_of(songs(10)));
  MulticlassRecords rows;
  rows.add({{1}, {1.0f}}, "abc");
  auto& task = dynamic_cast<RecordTask<MulticlassRecords>&>(*task_);
  expect_input_error([&] { task.examples_of(rows); }, "was learned from strings");
  expect_input_error([&] { task.train_on(rows); },
                     "`kernel` subsequence compares strings, and examples are rows");
}

}  // namespace
}  // namespace hinge
