// Whether records that never were a file give the same bits as a file that says the same.
#pragma once

#include <gtest/gtest.h>

#include "hinge/core/executor.h"
#include "hinge/tasks/record_task.h"
#include "hinge/training/fit.h"
#include "tests/support/temporary_folder.h"

namespace hinge {

template <class Records>
using MakeTask = std::unique_ptr<RecordTask<Records>> (*)();

template <class Records>
void expect_same_bits(MakeTask<Records> make, const std::function<void(AnyTask&)>& configure,
                      const std::string& text, const Records& records, const std::string& method) {
  const TemporaryFolder folder;
  SerialExecutor executor;
  auto by_file = make(), by_memory = make();
  configure(*by_file);
  configure(*by_memory);
  const auto file = by_file->read_training({folder.write("data", text)});
  const auto memory = by_memory->train_on(records);
  EXPECT_EQ(memory->facts(), file->facts());
  const auto later = by_memory->examples_of(records);
  EXPECT_EQ(later->size(), file->size());
  const Model one = fit(std::move(by_file), *file, {.method = method, .C = 2}, executor);
  const Model other = fit(std::move(by_memory), *memory, {.method = method, .C = 2}, executor);
  ASSERT_EQ(other.weights, one.weights);
  ASSERT_FALSE(one.weights.empty());
  for (Index j = 0; j < one.weights.size(); ++j)
    EXPECT_EQ(other.task->feature_name(j), one.task->feature_name(j));
  nlohmann::json measured = one.task->evaluate(*file, one.weights, {}, executor),
                 again = other.task->evaluate(*later, other.weights, {}, executor);
  for (nlohmann::json* metrics : {&measured, &again}) metrics->erase("documents");  // by names, which differ
  EXPECT_EQ(again, measured);
  OutputFile nowhere("/dev/null");
  other.task->predict(*later, other.weights, executor, nowhere);
}

}  // namespace hinge
